"""Two sets of values play pairs of games: the one place where tuning meets the games of scripts/match.

Whatever plays games has to offer `Duel.play`; nothing else of tuning knows of games.
"""

import shlex
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from lib.clock import from_flags
from lib.game import Games, Pairing, Player, Record, Settings
from lib.plan import Plan
from lib.series import Pool, Series
from lib.tuning.parameters import write_values


@dataclass
class Outcome:
    """What a duel gave: wins of plus minus wins of minus, by the games that count; 0 without any."""

    result: float = 0.0  # -1..=1
    games: int = 0
    faults: list[str] = field(default_factory=list)  # why the others do not count


@dataclass(frozen=True)
class Try:
    """A game whose players differ in their values."""

    pairing: Pairing
    values: dict[str, dict[str, float]]  # by the names of the players


class TunedGames(Games):
    """Games as pieces of work; a task is a `Try`. Values travel with it, since a file would not."""

    sources = (*Games.sources, "files.py", "tuning/duel.py", "tuning/parameters.py")

    def do(self, task: Try, is_dropped: Callable[[], bool]) -> Record:
        """Play the game, with the values in files on the machine that plays it."""
        with tempfile.TemporaryDirectory(prefix="tune-") as folder:
            black, white = (_with_values(player, task.values[player.name], Path(folder))
                            for player in (task.pairing.black, task.pairing.white))
            return super().do(replace(task.pairing, black=black, white=white), is_dropped)

    def lost(self, task: Try, count: int) -> Record:
        """It does not count."""
        return super().lost(task.pairing, count)


@dataclass(frozen=True)
class Duel:
    """`command` gets `--params FILE`, in the place of `{params}` if it has that."""

    command: str
    pairs: int
    pool: Pool  # of `TunedGames`

    def play(self, plus: dict[str, float], minus: dict[str, float], seed: int) -> Outcome:
        """Play the pairs; the seed chooses openings and what `{seed}` becomes."""
        values = {"plus": plus, "minus": minus}
        players = tuple(Player(name, self.command) for name in values)
        tries = (Try(pairing, values) for pairing in Plan(players, 2 * self.pairs, seed).pairings())
        with closing(Series(self.pool).results(tries)) as games:
            return tell(list(games))


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


def _with_values(player: Player, values: dict[str, float], folder: Path) -> Player:
    path = folder / f"{player.name}.json"
    write_values(path, values)
    return replace(player, command=with_params(player.command, path))


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
