"""The games of a match: who plays whom, how many at a time, and what Ctrl-C does to them."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from lib.game import Dropped, Player, Record, Settings, play_game

ENGINE_SEEDS = 2**31 - 1  # GNU Go takes an int


@dataclass(frozen=True)
class Pairing:
    """One game of the plan. It holds all that `play_game` needs, so games are independent."""

    number: int
    black: Player
    white: Player
    seed: str


def plan(a: Player, b: Player, games: int, seed: int) -> Iterator[Pairing]:
    """All games in order: A is black in odd ones, and each pair has an opening of its own."""
    for number in range(1, games + 1):
        players = seeded(a, seed, 2 * number), seeded(b, seed, 2 * number + 1)
        black, white = players if number % 2 else reversed(players)
        yield Pairing(number, black, white, f"{seed}/{(number - 1) // 2}")


def seeded(player: Player, seed: int, stream: int) -> Player:
    """The player with `{seed}` in its command replaced by a number that differs in each stream."""
    number = 1 + (1_000_000 * seed + stream) % ENGINE_SEEDS
    return replace(player, command=player.command.replace("{seed}", str(number)))


class Series:
    """Plays games, `jobs` at a time, and knows how to end early.

    Short games end first, so that a tally of the games as they end would favor who wins quickly.
    Records are therefore counted in start order. An interrupt starts no more games but plays out
    those under way; a second one drops these after their next move, and only the games before
    the first dropped one count.
    """

    def __init__(self, settings: Settings, jobs: int):
        self._settings = settings
        self._jobs = jobs
        self._interrupts = 0  # a plain number: a lock would be no good in a signal handler

    def interrupt(self) -> str:
        """Begin to end, or hurry up with it; says what happens now."""
        self._interrupts += 1
        return ("interrupted: games under way are dropped" if self.is_dropping() else
                "interrupted: games under way are played out (again: drop them)")

    def is_dropping(self) -> bool:
        """No game goes on."""
        return self._interrupts > 1

    def play(self, pairings: Iterable[Pairing]) -> Iterator[Record]:
        """The finished games in start order."""
        with ThreadPoolExecutor(self._jobs) as pool:
            futures = [pool.submit(self._play_one, pairing) for pairing in pairings]
            try:
                for future in futures:
                    yield future.result()
            except Dropped:
                pass
            finally:
                self._interrupts = 2  # where the caller gave up, the rest has no use

    def _play_one(self, pairing: Pairing) -> Record:
        if self._interrupts:
            raise Dropped
        return play_game(pairing.number, pairing.black, pairing.white, self._settings,
                         pairing.seed, self.is_dropping)
