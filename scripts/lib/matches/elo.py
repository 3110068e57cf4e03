"""Shares of points and Elo differences, with intervals that know of pairs.

Two engines: the interval of the share is Jeffreys' (Brown, Cai and DasGupta 2001: as good as
Wilson's on small samples, and it needs no whole number of wins, so a draw is half a win), and Elo
is a function of the share.

Several engines: Bradley and Terry's model (1952), in which a difference of d Elo means a share of
1 / (1 + 10^(-d / 400)), fit to all games at once. One virtual drawn game between all that met
keeps ratings finite; it is what Jeffreys' prior is for two engines. The intervals are those of the
profile likelihood (Venzon and Moolgavkar 1988).

Both games of a pair share their opening, so they are not independent. If pair sums scatter more
than independent games would, the games count accordingly less; they never count more, which is on
the safe side.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are loaded when they are used: some take a second

CONFIDENCE = 0.95
ELO_PER_LOGIT = 400 / math.log(10)
LOGITS_MAX = 20.0  # 3474 Elo: beyond it no interval is searched
PRIOR_DRAWS = 1.0

Pair = list[float]  # the points of a pair's games for the first engine, 0, 0.5 or 1 each


@dataclass(frozen=True)
class Interval:
    """A value with its confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        """As a share of points."""
        return f"{self.mean:.1%} [{self.low:.1%}, {self.high:.1%}]"

    def to_elo(self) -> "Interval":
        """A share as a difference in Elo; infinite where the share is 0 or 1."""
        return Interval(*(elo(share) for share in (self.mean, self.low, self.high)))

    def elo(self) -> str:
        """A share as the text of a difference in Elo."""
        return signed(self.to_elo())


def signed(value: Interval) -> str:
    """Elo for people: `+35 [-114, +183]`."""
    mean = 0.0 if abs(value.mean) < 0.5 else value.mean  # no -0
    return f"{mean:+.0f} [{value.low:+.0f}, {value.high:+.0f}]"


def elo(share: float) -> float:
    """Elo difference that explains the share; infinite at its ends."""
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def share_of(difference: float) -> float:
    """The share that a difference in Elo explains."""
    return 1 / (1 + 10 ** (-difference / 400))


def interval(pairs: list[Pair]) -> Interval:
    """The mean of all games with its interval; one list per pair."""
    games = [score for pair in pairs for score in pair]
    if not games:
        return Interval(0.5, 0.0, 1.0)
    points, count = sum(games), len(games)
    mean = points / count
    effective = count / design_effect([pairs])
    wins, losses = mean * effective + 0.5, (1 - mean) * effective + 0.5
    tail = (1 - CONFIDENCE) / 2
    low = 0.0 if points == 0 else float(scipy.special.betaincinv(wins, losses, tail))
    high = 1.0 if points == count else float(scipy.special.betaincinv(wins, losses, 1 - tail))
    return Interval(mean, low, high)


def design_effect(encounters: list[list[Pair]]) -> float:
    """Variance of pair sums over the variance that independent games would have, at least 1."""
    independent = observed = 0.0
    for pairs in encounters:
        games = [score for pair in pairs for score in pair]
        if games:
            mean = sum(games) / len(games)
            independent += len(games) * mean * (1 - mean)
            observed += sum((sum(pair) - mean * len(pair)) ** 2 for pair in pairs)
    return max(1.0, observed / independent) if independent else 1.0


Encounters = dict[tuple[str, str], list[Pair]]


def ratings(names: list[str], encounters: Encounters, anchor: str) -> dict[str, Interval]:
    """Elo of every engine above the `anchor`, which has 0; keys of `encounters` are two names."""
    if len(names) == 2:
        (first, _), pairs = next(iter(encounters.items()))
        above = interval(pairs).to_elo()
        if first == anchor:
            above = Interval(-above.mean, -above.high, -above.low)
        other = next(name for name in names if name != anchor)
        found = {other: above, anchor: Interval(0.0, 0.0, 0.0)}
        return {name: found[name] for name in names}
    return Model(names, encounters, anchor).ratings()


class Model:
    """Bradley and Terry's model of a tournament, fit by maximum likelihood."""

    def __init__(self, names: list[str], encounters: Encounters, anchor: str,
                 prior_draws: float = PRIOR_DRAWS):
        self._names = names
        self._anchor = names.index(anchor)
        self._first = np.array([names.index(first) for first, _ in encounters], dtype=int)
        self._second = np.array([names.index(second) for _, second in encounters], dtype=int)
        games = np.array([sum(map(len, pairs)) for pairs in encounters.values()], dtype=float)
        points = np.array([sum(map(sum, pairs)) for pairs in encounters.values()], dtype=float)
        prior = np.where(games > 0, prior_draws, 0.0)
        self._wins, self._losses = points + prior / 2, games - points + prior / 2
        self._design_effect = design_effect(list(encounters.values()))

    def ratings(self) -> dict[str, Interval]:
        """Elo of every engine with its interval."""
        best = self._fit({})
        found = {}
        for index, name in enumerate(self._names):
            value = best[index]
            low, high = (value, value) if index == self._anchor else self._profile(best, index)
            found[name] = Interval(*(float(ELO_PER_LOGIT * logits) for logits in (value, low, high)))
        return found

    def _profile(self, best: np.ndarray, index: int) -> tuple[float, float]:
        """Both values of a rating at which the likelihood has fallen as far as chance allows."""
        drop = scipy.special.chdtri(1, 1 - CONFIDENCE) / 2 * self._design_effect
        target = self._loss(best) + drop

        def excess(rating: float) -> float:
            return self._loss(self._fit({index: rating}, best)) - target

        ends = []
        for direction in (-1, 1):
            step, edge = 1.0, best[index]
            while excess(edge) < 0 and abs(edge) < LOGITS_MAX:
                edge, step = edge + direction * step, 2 * step
            ends.append(scipy.optimize.brentq(excess, best[index], edge, xtol=1e-4) if excess(edge) >= 0
                        else direction * math.inf)
        return ends[0], ends[1]

    def _fit(self, fixed: dict[int, float], start: np.ndarray | None = None) -> np.ndarray:
        """The likeliest ratings in logits, with the anchor at 0 and some others given."""
        values = np.zeros(len(self._names)) if start is None else start.copy()
        for index, rating in ({self._anchor: 0.0} | fixed).items():
            values[index] = rating
        free = [index for index in range(len(values)) if index not in {self._anchor, *fixed}]
        if not free:
            return values

        def loss(part: np.ndarray) -> tuple[float, np.ndarray]:
            values[free] = part
            return self._loss(values), self._gradient(values)[free]

        values[free] = scipy.optimize.minimize(loss, values[free], jac=True, method="BFGS",
                                options={"gtol": 1e-6}).x
        return values

    def _loss(self, values: np.ndarray) -> float:
        """Minus the logarithm of the likelihood."""
        difference = values[self._first] - values[self._second]
        return float(self._wins @ np.logaddexp(0, -difference)
                     + self._losses @ np.logaddexp(0, difference))

    def _gradient(self, values: np.ndarray) -> np.ndarray:
        difference = values[self._first] - values[self._second]
        slope = (self._wins + self._losses) * scipy.special.expit(difference) - self._wins
        gradient = np.zeros(len(values))
        np.add.at(gradient, self._first, slope)
        np.add.at(gradient, self._second, -slope)
        return gradient
