"""How a program of this folder ends."""

import os
import sys
from collections.abc import Callable


def run(main: Callable[[], int]) -> None:
    """Exit with the status of `main`; quietly where the reader of the output is gone (`| head`)."""
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more on its way out, and would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)
