"""Two sets of values play pairs of games: the one place where tuning meets the games of scripts/match.

Whatever plays games has to offer `Duel.play`; nothing else of tuning knows of games.
"""

import shlex
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from lib.clock import from_flags
from lib.game import Player, Record, Settings
from lib.plan import Plan
from lib.series import Series, Threads
from lib.tuning.parameters import write_values

@dataclass
class Outcome:
    """What a duel gave: wins of plus minus wins of minus, by the games that count; 0 without any."""

    result: float = 0.0  # -1..=1
    games: int = 0
    faults: list[str] = field(default_factory=list)  # why the others do not count


@dataclass(frozen=True)
class Duel:
    """`command` gets `--params FILE`, in the place of `{params}` if it has that."""

    command: str
    settings: Settings
    pairs: int
    jobs: int
    folder: Path  # for the two files

    def play(self, plus: dict[str, float], minus: dict[str, float], seed: int) -> Outcome:
        """Play the pairs; the seed chooses openings and what `{seed}` becomes."""
        players = (self._player("plus", plus), self._player("minus", minus))
        pairings = Plan(players, 2 * self.pairs, seed).pairings()
        with Threads(self.settings, self.jobs) as pool, closing(Series(pool).play(pairings)) as games:
            return tell(list(games))

    def _player(self, name: str, values: dict[str, float]) -> Player:
        path = self.folder / f"{name}.json"
        write_values(path, values)
        return Player(name, with_params(self.command, path))


def make_settings(*, size: int, komi: float, rules: str, time: float | None, openings: int,
                  referee: str) -> Settings:
    """How the games are played: `time` in seconds a move, `openings` in random plies.

    Raises `ValueError` for a time that is none.
    """
    return Settings(size=size, komi=komi, referee=referee, rules=rules, time=from_flags(time=time),
                    opening_plies=openings)


def with_params(command: str, path: Path) -> str:
    """The command that reads this file."""
    flag = f"--params {shlex.quote(str(path))}"
    return command.replace("{params}", flag) if "{params}" in command else f"{command} {flag}"


def tell(records: list[Record]) -> Outcome:
    """Add the games up. A crash or an illegal move says nothing about the values: it does not count."""
    outcome, points = Outcome(), 0
    for record in records:
        if record.result == "Void" or record.result.endswith("+Forfeit"):
            outcome.faults.append(record.reason)
            continue
        outcome.games += 1
        if record.winner:
            winner = record.black if record.winner == "b" else record.white
            points += 1 if winner == "plus" else -1
    outcome.result = points / max(1, outcome.games)
    return outcome
