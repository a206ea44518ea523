"""Where a test kills the process: at one named point, as `kill -9` would, and never outside test mode."""

import os
import signal


def fault_point(fault: str | None, name: str) -> None:
    """Ends this process at once when `fault` (from the settings, which allow one in test mode only) is `name`.

    Names are `STEP:before` and `STEP:after`: directly before and after the commit of a step.
    """
    if fault is not None and fault == name:
        os.kill(os.getpid(), signal.SIGKILL)
