"""The state of a tuning: a file that is only appended to, a line an iteration after a line about the whole.

A run that was killed in the middle of a line loses that iteration and nothing else. The first
line says what is tuned and how; a run with another one does not go on with the file.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path

FORMAT = "keima tuning 1"


class JournalError(Exception):
    """A state file that is of no use; the text names it and says why."""


@dataclass(frozen=True)
class Entry:
    """An iteration: its number, the values after it and what they come from."""

    iteration: int
    values: dict[str, float]
    result: float
    games: int
    faults: int


class Journal:
    """Opens or begins the file. `entries` is what it holds."""

    def __init__(self, path: Path, plan: dict):
        """`plan` is JSON that has to be the same in every run with this file. Raises `JournalError`."""
        self.path = path
        self.entries: list[Entry] = []
        header = {"format": FORMAT} | plan
        try:
            lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
            whole = [line for line in lines if line.endswith(b"\n")]
            if whole:
                self._check(json.loads(whole[0]), header)
                self.entries = [Entry(**json.loads(line)) for line in whole[1:]]
                if any(entry.iteration != i for i, entry in enumerate(self.entries)):
                    raise ValueError("iterations are missing")
            self._file = open(path, "ab")  # noqa: SIM115, closed by `close`
            self._file.truncate(sum(map(len, whole)))
            if not whole:
                self._append(header)
        except OSError as error:
            raise JournalError(f"cannot use state {path}: {error.strerror}") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise JournalError(f"{path} is no state of a tuning: {error}") from None

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_) -> None:
        self._file.close()

    def add(self, entry: Entry) -> None:
        """Keep an iteration. Raises `JournalError` if the disk is full."""
        try:
            self._append(vars(entry))
        except OSError as error:
            raise JournalError(f"cannot write state {self.path}: {error.strerror}") from None
        self.entries.append(entry)

    def _append(self, data: dict) -> None:
        self._file.write(json.dumps(data).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _check(self, found: dict, header: dict) -> None:
        for key, value in json.loads(json.dumps(header)).items():
            if found.get(key) != value:
                raise JournalError(f"{self.path} is of another tuning ({key}: {found.get(key)!r} there, "
                                   f"{value!r} now); name another --state or delete it")
