"""Where a test kills or pauses the process: at one named point, and never outside test mode."""

import os
import signal

_PAUSE = "pause:"


def fault_point(fault: str | None, name: str) -> None:
    """Ends this process at once (`kill -9`) when `fault` is `name`, and stops it (SIGSTOP) when it is `pause:NAME`.

    `fault` comes from the settings, which allow one in test mode only. Names are `STEP:before` and `STEP:after`:
    directly before and after the commit of a step. A paused process goes on from there at SIGCONT.
    """
    if fault is None:
        return
    if fault == name:
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == f"{_PAUSE}{name}":
        os.kill(os.getpid(), signal.SIGSTOP)
