"""Pairs of games as five cells, and the sequential test on them.

Both games of a pair have one opening with colors swapped, so their points are not independent, but
their sums are: a pair scores 0, 0.5, 1, 1.5 or 2, and the counts of these five are all that the
test needs (the pentanomial model of Michel Van den Bergh). The test is Wald's (1945) with the
generalized likelihood ratio: for each hypothesis the likeliest five probabilities whose mean is
the hypothesis' share. These are p_i / (1 + L (a_i - s)) for observed shares p_i of the cells with
scores a_i, where L is chosen so that the mean is s (Owen 2001, empirical likelihood).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import scipy

from lib.matches.elo import Pair, share_of

CELLS = ("0", "½", "1", "1½", "2")  # points of a pair for the first engine
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
EMPTY = 1e-3  # pairs that an empty cell counts as: a hypothesis may need it


def cells(pairs: list[Pair]) -> list[int]:
    """How many pairs scored 0, 0.5, 1, 1.5 and 2; pairs with a game missing or void are left out."""
    sums = [round(2 * sum(pair)) for pair in pairs if len(pair) == 2]
    return [sums.count(index) for index in range(len(CELLS))]


@dataclass(frozen=True)
class Sprt:
    """Is the first engine stronger by `elo1`, rather than by `elo0` or less?

    `alpha` is the risk of a yes if the difference is `elo0`, `beta` that of a no if it is `elo1`.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self):
        if not self.elo0 < self.elo1:
            raise ValueError("--sprt: the first difference has to be less than the second")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("--alpha and --beta have to be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the test ends, with a no and with a yes."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """Logarithm of the likelihood ratio of `elo1` to `elo0`."""
        if not sum(counts):
            return 0.0
        weights = [count or EMPTY for count in counts]
        fits = [log_likelihood(weights, share_of(elo)) for elo in (self.elo0, self.elo1)]
        return fits[1] - fits[0]

    def verdict(self, counts: Sequence[int]) -> bool | None:
        """Yes or no; None while the test goes on."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return ratio >= high if not low < ratio < high else None

    def __str__(self) -> str:
        return f"[{self.elo0:g}, {self.elo1:g}] Elo, alpha {self.alpha:g}, beta {self.beta:g}"


def log_likelihood(weights: list[float], share: float) -> float:
    """Of the likeliest cells with this mean, less that of the observed shares of the cells."""
    distances = [value - share for value in SHARES]

    def mean(multiplier: float) -> float:
        return sum(weight * distance / (1 + multiplier * distance)
                   for weight, distance in zip(weights, distances))

    # All probabilities are positive between these; the sum falls from +infinity to -infinity.
    margin = 1 - 1e-9
    multiplier = scipy.optimize.brentq(mean, -margin / distances[-1], -margin / distances[0], xtol=1e-10)
    return -sum(weight * math.log1p(multiplier * distance)
                for weight, distance in zip(weights, distances))
