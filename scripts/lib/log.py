"""Files that are only appended to, a line of JSON a time: by them a killed program goes on.

The first line says what the work is; each further one is a finished piece of it, forced to the
disk before it counts anywhere. What a kill or a full disk left of a line is cut off when the work
goes on, and that piece is done again.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path


class LogError(Exception):
    """The log cannot be used; the text says why, to a person."""


class Log:
    """The finished pieces of work in a file, or, without a path, nowhere."""

    def __init__(self, path: Path | None, work: str, identity: dict, read: Callable[[dict], object]):
        """Open the log and read its entries, or begin a new one.

        `work` is a noun for people. `identity` is JSON that has to be the same whenever the work
        goes on. `read` makes an entry of a line. Raises `LogError` where another process writes
        the log, or it belongs to other work.
        """
        self.entries: list = []
        self._file = None
        if path is None:
            return
        self._path, self._work = path, work
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():
                raise LogError(f"cannot use the log {path}: it is no regular file")
            self._file = open(path, "a+b", buffering=0)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._begin_or_resume({work: json.loads(json.dumps(identity))}, read)
        except BlockingIOError:
            self.close()
            raise LogError(f"{path}: another {work} is writing to it") from None
        except OSError as error:
            self.close()
            raise LogError(f"cannot use the log {path}: {error.strerror}") from None
        except LogError:
            self.close()
            raise

    def append(self, data: dict) -> None:
        """Add a finished piece of work. Raises `LogError` if it cannot be written."""
        if self._file:
            try:
                self._write(data)
            except OSError as error:
                raise LogError(f"cannot write {self._path}: {error.strerror}; what was done before "
                               "is safe, and the same command goes on") from None

    def close(self) -> None:
        """Let another process have it."""
        if self._file:
            self._file.close()

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _begin_or_resume(self, head: dict, read: Callable[[dict], object]) -> None:
        """See whether the file is ours before anything in it is changed."""
        self._file.seek(0)
        found = self._file.read()
        whole = found[:found.rfind(b"\n") + 1]
        if whole:
            self._read(whole.splitlines(), head, read)
        elif not _line(head).startswith(found):
            raise LogError(f"{self._path}: is no log of a {self._work}")
        self._file.truncate(len(whole))
        if not whole:
            self._write(head)

    def _read(self, lines: list[bytes], wanted: dict, read: Callable[[dict], object]) -> None:
        try:
            head, *entries = map(json.loads, lines)
            changed = list(differences(head[self._work], wanted[self._work]))
            self.entries = [] if changed else [read(entry) for entry in entries]
        except (ValueError, TypeError, KeyError, AttributeError):
            raise LogError(f"{self._path}: is no log of a {self._work}") from None
        if changed:
            raise LogError(f"{self._path}: belongs to a {self._work} with other {', '.join(changed)}; "
                           "choose another place, or repeat its command")

    def _write(self, data: dict) -> None:
        line = _line(data)
        while line:  # a write to a nearly full disk takes only a part
            line = line[self._file.write(line):]
        os.fsync(self._file.fileno())


def _line(data: dict) -> bytes:
    return json.dumps(data).encode() + b"\n"


def differences(found: dict, wanted: dict) -> Iterator[str]:
    """The names of what differs."""
    for key, value in wanted.items():
        other = found.get(key)
        if isinstance(value, dict) and isinstance(other, dict):
            yield from differences(other, value)
        elif other != value:
            yield key
