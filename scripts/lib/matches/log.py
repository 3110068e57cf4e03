"""The memory of a match: an append-only file of JSON lines, from which a killed match goes on.

The first line says which match it is; each further one is a finished game, written and forced to
the disk before the game counts anywhere. A line that was cut off by a kill or a full disk is
removed when the match goes on, and its game is played again.
"""

import fcntl
import json
import os
from dataclasses import asdict
from pathlib import Path

from lib.game import Record, Settings
from lib.plan import Plan


class LogError(Exception):
    """The log cannot be used; the text says why, to a person."""


class MatchLog:
    """The finished games of a match on disk, or, without a path, only in memory."""

    def __init__(self, path: Path | None, plan: Plan, settings: Settings):
        """Open the log and read the games in it, or begin a new one.

        Raises `LogError` where another process writes it, or it belongs to another match.
        """
        self.records: dict[int, Record] = {}  # by number
        self._file = None
        if path is None:
            return
        self._path = path
        identity = identify(plan, settings)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(path, "a+b", buffering=0)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            lines = self._whole_lines()
            if lines:
                self._resume(lines, identity)
            else:
                self._write(identity)
        except BlockingIOError:
            self.close()
            raise LogError(f"{path}: another match is writing to it") from None
        except OSError as error:
            self.close()
            raise LogError(f"cannot use the log {path}: {error.strerror}") from None
        except LogError:
            self.close()
            raise

    def append(self, record: Record) -> None:
        """Add a finished game. Raises `LogError` if it cannot be written."""
        if self._file:
            try:
                self._write(asdict(record))
            except OSError as error:
                raise LogError(f"cannot write {self._path}: {error.strerror}; the games before "
                               "this one are safe, and the same command goes on") from None
        self.records[record.number] = record

    def close(self) -> None:
        """Let another process have it."""
        if self._file:
            self._file.close()

    def _write(self, data: dict) -> None:
        line = json.dumps(data).encode() + b"\n"
        while line:  # a write to a nearly full disk takes only a part
            line = line[self._file.write(line):]
        os.fsync(self._file.fileno())

    def _whole_lines(self) -> list[bytes]:
        """The lines so far; the beginning of another one is cut off."""
        self._file.seek(0)
        whole = self._file.read()
        whole = whole[:whole.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        return whole.splitlines()

    def _resume(self, lines: list[bytes], identity: dict) -> None:
        try:
            head, *games = map(json.loads, lines)
            records = [Record.from_dict(game) for game in games]
            changed = differences(head["match"], identity["match"])
        except (ValueError, TypeError, KeyError, AttributeError):
            raise LogError(f"{self._path}: is no log of a match") from None
        if changed:
            raise LogError(f"{self._path}: belongs to a match with other {', '.join(changed)}; "
                           "choose another place, or repeat its command")
        for record in records:
            self.records.setdefault(record.number, record)


def identify(plan: Plan, settings: Settings) -> dict:
    """What a match has to have in common with the one that began the log.

    The number of games is not part of it: a match may be made longer.
    """
    data = {"engines": [asdict(player) for player in plan.players], "gauntlet": plan.is_gauntlet,
            "seed": plan.seed, "openings": plan.openings} | asdict(settings)
    return {"match": json.loads(json.dumps(data))}


def differences(found: dict, wanted: dict) -> list[str]:
    """The names of what differs."""
    return [key for key in wanted if found.get(key) != wanted[key]]
