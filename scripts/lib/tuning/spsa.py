"""Simultaneous perturbation stochastic approximation (SPSA) of values that win games.

J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation" (1992), and "Implementation of the simultaneous perturbation algorithm for
stochastic optimization" (1998), from which the gains with their exponents come:

    c_k = c / (k + 1)^0.101          how far the two tries of iteration k lie from the values
    a_k = a / (A + k + 1)^0.602      how far their result moves the values; A: 10 % of the iterations
    values += a_k * y / (2 c_k d)    y: result of values + c_k d against values - c_k d

Each component of d is +1 or -1 by chance, so that two tries serve any number of values.

Where we differ: values count in steps of their own, which the user chooses, so that c is 1; the
tries play each other, so that y, in -1..=1, is measured and not a difference of two measurements;
`a` is chosen by its effect, the distance that a clean win moves the values in the first
iteration. Ranges are kept as P. Sadegh (1997) does: values stay c_k away from the ends, so that
both tries lie inside.
"""

import random
from dataclasses import dataclass

ALPHA, GAMMA = 0.602, 0.101
STABILITY = 0.1  # A as a share of the iterations


@dataclass(frozen=True)
class Parameter:
    """A value that is tuned. `step` is a change that should just be felt in the games."""

    name: str
    start: float
    step: float
    low: float
    high: float

    def inside(self, value: float, margin: float) -> float:
        """The next value that keeps this distance from the ends, or the middle if none does."""
        margin = min(margin, (self.high - self.low) / 2)
        return min(max(value, self.low + margin), self.high - margin)


@dataclass(frozen=True)
class Spsa:
    """The optimizer. It has no state: what it does in an iteration follows from its number and the values."""

    parameters: tuple[Parameter, ...]
    iterations: int
    seed: int
    first_move: float  # steps that a clean win moves each value in the first iteration

    def start(self) -> dict[str, float]:
        """The values before the first iteration."""
        return {parameter.name: parameter.start for parameter in self.parameters}

    def distance(self, k: int) -> float:
        """c_k in steps; iterations count from 0."""
        return 1 / (k + 1) ** GAMMA

    def gain(self, k: int) -> float:
        """a_k, in steps."""
        stability = STABILITY * self.iterations
        a = 2 * self.distance(0) * self.first_move * (stability + 1) ** ALPHA
        return a / (stability + k + 1) ** ALPHA

    def tries(self, k: int, values: dict[str, float]) -> tuple[dict[str, float], dict[str, float]]:
        """The two sets of values of iteration k, plus and minus."""
        signs, distance = self._signs(k), self.distance(k)
        plus, minus = {}, {}
        for parameter in self.parameters:
            offset = distance * parameter.step
            middle = parameter.inside(values[parameter.name], offset)
            for found, sign in ((plus, signs[parameter.name]), (minus, -signs[parameter.name])):
                found[parameter.name] = parameter.inside(middle + sign * offset, 0.0)
        return plus, minus

    def update(self, k: int, values: dict[str, float], result: float) -> dict[str, float]:
        """The values after iteration k, in which plus scored `result` (-1..=1) against minus."""
        signs, distance = self._signs(k), self.distance(k)
        move = self.gain(k) * result / (2 * distance)
        new = {}
        for parameter in self.parameters:
            middle = parameter.inside(values[parameter.name], distance * parameter.step)
            moved = middle + signs[parameter.name] * move * parameter.step
            new[parameter.name] = parameter.inside(moved, self.distance(k + 1) * parameter.step)
        return new

    def _signs(self, k: int) -> dict[str, int]:
        chance = random.Random(f"{self.seed}/{k}")  # a text seeds alike in every version of Python
        return {parameter.name: chance.choice((-1, 1)) for parameter in self.parameters}
