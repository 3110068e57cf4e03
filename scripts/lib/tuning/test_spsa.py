"""The optimizer on functions whose best values are known."""

import random
import unittest

from lib.tuning.spsa import Parameter, Spsa

PARAMETERS = (Parameter("a", 10.0, 2.0, 0.0, 100.0), Parameter("b", 0.5, 0.1, 0.0, 1.0),
              Parameter("c", 0.0, 0.2, 0.0, 10.0))
BEST = {"a": 16.0, "b": 0.2, "c": 0.8}


def elo(values: dict[str, float]) -> float:
    """Strength: six Elo less a squared step from the best value."""
    return -6 * sum(((values[p.name] - BEST[p.name]) / p.step) ** 2 for p in PARAMETERS)


def pair(plus: dict[str, float], minus: dict[str, float], chance: random.Random) -> float:
    """The noisy result of two games."""
    wins = 1 / (1 + 10 ** ((elo(minus) - elo(plus)) / 400))
    return sum(1 if chance.random() < wins else -1 for _ in range(2)) / 2


def tune(optimizer: Spsa, values: dict[str, float], iterations: range) -> dict[str, float]:
    """The values after these iterations, with luck that depends on their numbers only."""
    for k in iterations:
        plus, minus = optimizer.tries(k, values)
        values = optimizer.update(k, values, pair(plus, minus, random.Random(f"luck {k}")))
    return values


class Published(unittest.TestCase):
    """The formulas of Spall 1998."""

    def test_gains(self):
        optimizer = Spsa(PARAMETERS, iterations=1000, seed=1, first_move=0.2)
        self.assertEqual(optimizer.distance(0), 1.0)
        self.assertAlmostEqual(optimizer.distance(99), 100**-0.101)
        # A is 100, so between these two the gain falls by (201 / 101)^0.602.
        self.assertAlmostEqual(optimizer.gain(0) / optimizer.gain(100), (201 / 101) ** 0.602)

    def test_a_clean_win_moves_by_first_move(self):
        optimizer = Spsa(PARAMETERS[:2], iterations=1000, seed=1, first_move=0.2)
        start = optimizer.start()
        plus, _ = optimizer.tries(0, start)
        moved = optimizer.update(0, start, 1.0)
        for p in optimizer.parameters:
            self.assertAlmostEqual(abs(moved[p.name] - start[p.name]), 0.2 * p.step)
            self.assertEqual(moved[p.name] > start[p.name], plus[p.name] > start[p.name])
        self.assertEqual(optimizer.update(0, start, 0.0), start)


class Convergence(unittest.TestCase):
    """Noise, ranges, going on."""

    def test_noisy_games(self):
        optimizer = Spsa(PARAMETERS, iterations=1500, seed=1, first_move=0.2)
        self.assertLess(elo(optimizer.start()), -200)
        self.assertGreater(elo(tune(optimizer, optimizer.start(), range(1500))), -15)

    def test_every_try_is_inside_the_range(self):
        optimizer = Spsa(PARAMETERS, iterations=200, seed=3, first_move=5.0)
        values, luck = optimizer.start(), random.Random(3)
        for k in range(200):
            tries = optimizer.tries(k, values)
            for found in tries:
                for p in PARAMETERS:
                    self.assertTrue(p.low <= found[p.name] <= p.high, (k, p.name, found))
            for p in PARAMETERS:  # and the two lie as far apart as they should
                self.assertAlmostEqual(abs(tries[0][p.name] - tries[1][p.name]) / p.step,
                                       2 * optimizer.distance(k))
            values = optimizer.update(k, values, luck.choice((-1, 0, 1)))

    def test_narrow_range(self):
        optimizer = Spsa((Parameter("x", 0.1, 5.0, 0.0, 1.0),), iterations=10, seed=1, first_move=1.0)
        self.assertEqual(sorted(found["x"] for found in optimizer.tries(0, {"x": 0.1})), [0.0, 1.0])

    def test_going_on_gives_the_same(self):
        optimizer = Spsa(PARAMETERS, iterations=60, seed=5, first_move=0.2)
        half = tune(optimizer, optimizer.start(), range(30))
        self.assertEqual(tune(optimizer, half, range(30, 60)),
                         tune(optimizer, optimizer.start(), range(60)))

    def test_seed_chooses_the_tries(self):
        tries = [Spsa(PARAMETERS, 10, seed, 0.2).tries(3, {"a": 10.0, "b": 0.5, "c": 1.0})[0]
                 for seed in range(8)]
        self.assertGreater(len({tuple(found.values()) for found in tries}), 1)


if __name__ == "__main__":
    unittest.main()
