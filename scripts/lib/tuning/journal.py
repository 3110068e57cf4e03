"""The state of a tuning: its iterations in a log, from which a killed tuning goes on."""

from dataclasses import dataclass
from pathlib import Path

from lib.log import Log, LogError


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
        """`plan` is JSON that has to be the same in every run with this file. Raises `LogError`."""
        self._log = Log(path, "tuning", plan, lambda data: Entry(**data))
        self.entries: list[Entry] = self._log.entries
        if any(entry.iteration != i for i, entry in enumerate(self.entries)):
            self._log.close()
            raise LogError(f"{path}: iterations are missing")

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_) -> None:
        self._log.close()

    def add(self, entry: Entry) -> None:
        """Keep an iteration. Raises `LogError` if the disk is full."""
        self._log.append(vars(entry))
        self.entries.append(entry)
