"""How a program of this folder ends."""

import os
import sys
from collections.abc import Callable


def run(main: Callable[[], int]) -> None:
    """Exit with the status of `main`; quietly where the reader of the output is gone (`| head`).

    A file that cannot be read or written, and a full disk behind the output, end it with a line
    that says so.
    """
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        status = 1
    except OSError as error:
        _forget_output()
        where = f"{error.filename}: " if error.filename else "the output: "
        print(f"cannot go on: {where}{error.strerror or error}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def _forget_output() -> None:
    """Python flushes stdout once more on its way out, and would complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
