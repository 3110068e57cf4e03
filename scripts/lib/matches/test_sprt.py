"""The sequential test: known values, and its error rates by simulation."""

import math
import random
import unittest
from itertools import accumulate

from lib.matches.elo import share_of
from lib.matches.sprt import SHARES, Sprt, cells, log_likelihood

SEED = 1
TESTS = 300
PAIRS_MAX = 2000


def pair_probabilities(elo: float) -> list[float]:
    """Plausible probabilities of the five cells for this strength.

    Openings favor a side, so that split pairs are frequent, and some games are drawn. The cells
    are tilted until their mean is right.
    """
    base, low, high = (0.12, 0.06, 0.62, 0.06, 0.14), 1e-4, 1e4
    while True:
        tilt = (low * high) ** 0.5
        weights = [part * tilt**share for part, share in zip(base, SHARES)]
        probabilities = [weight / sum(weights) for weight in weights]
        mean = sum(part * share for part, share in zip(probabilities, SHARES))
        if abs(mean - share_of(elo)) < 1e-9:
            return probabilities
        low, high = (tilt, high) if mean < share_of(elo) else (low, tilt)


def simulate(test: Sprt, elo: float, chance: random.Random) -> tuple[bool | None, int]:
    """The verdict on an engine of this strength, and the number of pairs that it took."""
    counts = [0] * len(SHARES)
    limits = list(accumulate(pair_probabilities(elo)))
    for pair in range(1, PAIRS_MAX + 1):
        drawn = chance.random()
        counts[next(cell for cell, limit in enumerate(limits) if drawn <= limit)] += 1
        verdict = test.verdict(counts)
        if verdict is not None:
            return verdict, pair
    return None, PAIRS_MAX


class Values(unittest.TestCase):
    """Numbers that can be checked by hand."""

    def test_cells(self):
        pairs = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 0.5], [1.0, 1.0], [1.0]]
        self.assertEqual(cells(pairs), [1, 1, 2, 1, 1])

    def test_two_cells_are_a_binomial(self):
        # With all pairs won or lost the likeliest cells are s and 1 - s: Wald's plain test.
        expected = 30 * math.log(0.6 / 0.75) + 10 * math.log(0.4 / 0.25)
        weights = [10, 1e-12, 1e-12, 1e-12, 30]
        self.assertAlmostEqual(log_likelihood(weights, 0.6), expected, places=6)
        self.assertAlmostEqual(log_likelihood(weights, 0.75), 0.0, places=6)

    def test_symmetry(self):
        test = Sprt(-30, 30)
        self.assertAlmostEqual(test.ratio([3, 2, 9, 2, 3]), 0.0, places=6)
        self.assertAlmostEqual(test.ratio([1, 2, 9, 5, 7]), -test.ratio([7, 5, 9, 2, 1]), places=6)
        self.assertEqual(test.ratio([0] * 5), 0.0)

    def test_bounds(self):
        low, high = Sprt(0, 20).bounds
        self.assertAlmostEqual(low, -2.944, places=3)
        self.assertAlmostEqual(high, 2.944, places=3)

    def test_senseless(self):
        for words in ((10, 10), (0, 10, 0.0), (0, 10, 0.05, 0.7)):
            with self.assertRaises(ValueError):
                Sprt(*words)


class ErrorRates(unittest.TestCase):
    """What the test promises, on simulated pairs with a fixed seed."""

    def wrong(self, test: Sprt, elo: float, right: bool, tests: int = TESTS) -> tuple[float, float]:
        """Share of wrong verdicts, and pairs on average."""
        chance = random.Random(f"{SEED}/{elo}")
        outcomes = [simulate(test, elo, chance) for _ in range(tests)]
        self.assertNotIn(None, [verdict for verdict, _ in outcomes])
        wrong = sum(verdict != right for verdict, _ in outcomes)
        return wrong / tests, sum(pairs for _, pairs in outcomes) / tests

    def test_errors_are_as_rare_as_stated(self):
        test = Sprt(0, 150, alpha=0.05, beta=0.10)
        # 300 tests with an error of 5 (10) %: at most 8 (14) % in 99 of 100 simulations.
        no_gain, pairs = self.wrong(test, 0, right=False)
        self.assertTrue(0.01 < no_gain < 0.08, no_gain)
        self.assertLess(pairs, 45)
        gain, pairs = self.wrong(test, 150, right=True)
        self.assertTrue(0.02 < gain < 0.14, gain)
        self.assertLess(pairs, 45)

    def test_clear_cases_are_short(self):
        test = Sprt(0, 120)
        wrong, pairs = self.wrong(test, 300, right=True, tests=50)
        self.assertEqual(wrong, 0)
        self.assertLess(pairs, 15)


if __name__ == "__main__":
    unittest.main()
