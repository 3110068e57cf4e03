"""The games of a match before they are played: who plays whom, in what order, from which opening."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from lib.game import Pairing, Player

ENGINE_SEEDS = 2**31 - 1  # GNU Go takes an int

Encounter = tuple[Player, Player]  # the score is the first one's


@dataclass(frozen=True)
class Plan:
    """A round robin or a gauntlet, in rounds of two games an encounter.

    Both games of a pair have the same opening with colors swapped, and all encounters of a round
    have the same opening too, so that engines are compared on equal terms.
    """

    players: tuple[Player, ...]
    games: int  # of each encounter; of an odd number the last one has no partner
    seed: int = 1
    is_gauntlet: bool = False  # the first player against each other one
    openings: tuple[tuple[str, ...], ...] = ()  # used in turn; none: random plies

    @property
    def encounters(self) -> list[Encounter]:
        """Who meets whom, the earlier named player first."""
        pairs = list(combinations(self.players, 2))
        return [pair for pair in pairs if pair[0] is self.players[0]] if self.is_gauntlet else pairs

    def __len__(self) -> int:
        """The number of all games."""
        return self.games * len(self.encounters)

    def pairings(self) -> Iterator[Pairing]:
        """All games in order; the first player of an encounter is black in the odd ones."""
        encounters = self.encounters
        for round_ in range((self.games + 1) // 2):
            opening = self.openings[round_ % len(self.openings)] if self.openings else ()
            for index, (a, b) in enumerate(encounters):
                number = 2 * (round_ * len(encounters) + index) + 1
                for half in range(min(2, self.games - 2 * round_)):
                    yield self._pairing(number + half, a, b, f"{self.seed}/{round_}", opening)

    def _pairing(self, number: int, a: Player, b: Player, seed: str,
                 opening: tuple[str, ...]) -> Pairing:
        players = seeded(a, self.seed, 2 * number), seeded(b, self.seed, 2 * number + 1)
        black, white = players if number % 2 else reversed(players)
        return Pairing(number, black, white, seed, opening)


def seeded(player: Player, seed: int, stream: int) -> Player:
    """The player with `{seed}` in its command replaced by a number that differs in each stream."""
    return replace(player, command=player.command.replace("{seed}", str(seed_number(seed, stream))))


def seed_number(seed: int, stream: int) -> int:
    """A seed for an engine, positive, that differs in each of a million streams."""
    return 1 + (1_000_000 * seed + stream) % ENGINE_SEEDS
