"""The memory of a match: its finished games in a log, from which a killed match goes on."""

from dataclasses import asdict
from pathlib import Path

from lib.game import Record, Settings
from lib.log import Log
from lib.plan import Plan


class MatchLog:
    """The finished games of a match on disk, or, without a path, only in memory."""

    def __init__(self, path: Path | None, plan: Plan, settings: Settings):
        """Open the log and read the games in it, or begin a new one. Raises `LogError`."""
        self._log = Log(path, "match", identify(plan, settings), Record.from_dict)
        self.records: dict[int, Record] = {}  # by number
        for record in self._log.entries:
            self.records.setdefault(record.number, record)

    def append(self, record: Record) -> None:
        """Add a finished game. Raises `LogError` if it cannot be written."""
        self._log.append(asdict(record))
        self.records[record.number] = record

    def close(self) -> None:
        """Let another process have it."""
        self._log.close()


def identify(plan: Plan, settings: Settings) -> dict:
    """What a match has to have in common with the one that began the log.

    The number of games is not part of it: a match may be made longer.
    """
    return {"engines": [asdict(player) for player in plan.players], "gauntlet": plan.is_gauntlet,
            "seed": plan.seed, "openings": plan.openings} | asdict(settings)
