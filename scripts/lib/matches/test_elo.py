"""Shares, Elo and their intervals, against published and independent computations."""

import json
import unittest
from pathlib import Path

import numpy as np

from lib.matches.elo import ELO_PER_LOGIT, Model, design_effect, elo, interval, ratings, share_of

RECORDED = Path(__file__).with_name("recorded_results.jsonl")

# The American League's Eastern Division of 1987: games that the row won against the column, and
# the abilities (log-odds above Baltimore, standard error) that the literature gives for it
# (A. Agresti, Categorical Data Analysis, 2002, section 10.6; also the example `baseball` of the R
# package BradleyTerry2).
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WINS = [[0, 7, 9, 7, 7, 9, 11], [6, 0, 7, 5, 11, 9, 9], [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10], [6, 2, 6, 7, 0, 7, 12], [4, 4, 5, 6, 6, 0, 6], [2, 4, 1, 3, 1, 7, 0]]
ABILITIES = [(1.5814, 0.3433), (1.4364, 0.3396), (1.2945, 0.3367), (1.2476, 0.3359),
             (1.1077, 0.3339), (0.6839, 0.3319)]


class Intervals(unittest.TestCase):
    """Known values and the influence of pairs."""

    def test_jeffreys(self):
        # As statsmodels has it: proportion_confint(2, 10, method="jeffreys").
        share = interval([[1.0], [1.0]] + [[0.0]] * 8)
        self.assertEqual((share.mean, round(share.low, 3), round(share.high, 3)), (0.2, 0.044, 0.503))

    def test_ends(self):
        self.assertEqual(interval([[1.0, 1.0]] * 4).high, 1.0)
        self.assertEqual(interval([[0.0, 0.0]] * 4).low, 0.0)
        self.assertGreater(interval([[1.0, 1.0]] * 4).low, 0.5)
        self.assertEqual((interval([]).low, interval([]).high), (0.0, 1.0))

    def test_pairs_that_go_together_count_less(self):
        split = interval([[1.0, 0.0]] * 20)
        swept = interval([[1.0, 1.0]] * 10 + [[0.0, 0.0]] * 10)
        self.assertEqual(split.mean, swept.mean)
        self.assertGreater(swept.high - swept.low, 1.3 * (split.high - split.low))

    def test_elo(self):
        self.assertTrue(interval([[0.5]] * 10).elo().startswith("+0 ["))
        self.assertTrue(interval([[1.0]] * 10).elo().endswith("+inf]"))

    def test_elo_of_shares(self):
        for difference, share in ((0, 0.5), (100, 0.640065), (-200, 0.240253), (400, 10 / 11)):
            self.assertAlmostEqual(share_of(difference), share, places=6)
            self.assertAlmostEqual(elo(share), difference, places=3)


class Ratings(unittest.TestCase):
    """Several engines."""

    def test_published_example(self):
        # Single games: the literature knows neither pairs nor a prior.
        encounters = {(TEAMS[i], TEAMS[j]): [[1.0]] * WINS[i][j] + [[0.0]] * WINS[j][i]
                      for i in range(7) for j in range(i + 1, 7)}
        found = Model(TEAMS, encounters, "Baltimore", prior_draws=0.0).ratings()
        for team, (ability, error) in zip(TEAMS, ABILITIES):
            with self.subTest(team=team):
                self.assertAlmostEqual(found[team].mean / ELO_PER_LOGIT, ability, places=3)
                width = (found[team].high - found[team].low) / ELO_PER_LOGIT
                self.assertAlmostEqual(width / (2 * 1.96), error, delta=0.02 * error)

    def test_two_engines_are_a_function_of_the_share(self):
        pairs = [[1.0, 0.5]] * 9 + [[0.0, 1.0]] * 8
        above = interval(pairs).to_elo()
        self.assertEqual(ratings(["A", "B"], {("A", "B"): pairs}, "B")["A"], above)
        below = ratings(["A", "B"], {("A", "B"): pairs}, "A")["B"]
        self.assertEqual((below.mean, below.low, below.high), (-above.mean, -above.high, -above.low))

    def test_sweeps_stay_finite_among_several(self):
        swept = [[1.0, 1.0]] * 10
        found = ratings(list("ABC"), {("A", "B"): swept, ("A", "C"): swept, ("B", "C"): []}, "C")
        self.assertAlmostEqual(found["B"].mean, 0.0, places=3)
        self.assertTrue(100 < found["A"].low < found["A"].mean < found["A"].high < 2000)

    def test_engines_without_games(self):
        found = ratings(list("ABC"), {("A", "B"): [], ("A", "C"): [], ("B", "C"): []}, "C")
        self.assertEqual(found["A"].mean, 0.0)
        self.assertEqual(found["A"].high, float("inf"))


class Recorded(unittest.TestCase):
    """Games that were played, computed a second time in another way."""

    @classmethod
    def setUpClass(cls):
        games = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
        cls.encounters = {}
        for game in games:
            names = tuple(sorted((game["black"], game["white"])))
            won = float((game["result"][0] == "B") == (game["black"] == names[0]))
            pairs = cls.encounters.setdefault(names, {})
            pairs.setdefault((game["number"] - 1) // 2, []).append(won)
        cls.encounters = {names: list(pairs.values()) for names, pairs in cls.encounters.items()}

    def test_two_engines(self):
        """Bayes' rule on a grid of shares, with Jeffreys' prior."""
        for names, pairs in self.encounters.items():
            games = np.concatenate(pairs)
            scatter = sum((sum(pair) - len(pair) * games.mean()) ** 2 for pair in pairs)
            weight = min(1.0, len(games) * games.mean() * (1 - games.mean()) / scatter)
            shares = (np.arange(400_000) + 0.5) / 400_000
            density = (shares ** (weight * games.sum() - 0.5)
                       * (1 - shares) ** (weight * (1 - games).sum() - 0.5))
            below = np.cumsum(density) / density.sum()
            low, high = (shares[np.searchsorted(below, tail)] for tail in (0.025, 0.975))
            with self.subTest(names=names):
                found = interval(pairs).to_elo()
                expected = [400 * np.log10(share / (1 - share)) for share in (games.mean(), low, high)]
                self.assertTrue(np.allclose([found.mean, found.low, found.high], expected, atol=0.1))

    def test_three_engines(self):
        """The whole likelihood of both free ratings on a grid."""
        names = sorted({name for pair in self.encounters for name in pair})
        anchor = names[-1]
        axis = np.arange(-900, 900, 2.0)
        elos = {names[0]: axis[:, None], names[1]: axis[None, :], anchor: np.zeros((1, 1))}
        likelihood = np.zeros((len(axis), len(axis)))
        for (first, second), pairs in self.encounters.items():
            share = 1 / (1 + 10 ** ((elos[second] - elos[first]) / 400))
            points, games = np.concatenate(pairs).sum(), sum(map(len, pairs))
            likelihood = (likelihood + (points + 0.5) * np.log(share)
                          + (games - points + 0.5) * np.log(1 - share))
        effect = design_effect(list(self.encounters.values()))
        found = ratings(names, self.encounters, anchor)
        for name, profile in ((names[0], likelihood.max(axis=1)), (names[1], likelihood.max(axis=0))):
            inside = axis[profile > profile.max() - effect * 3.8415 / 2]
            with self.subTest(name=name):
                self.assertAlmostEqual(found[name].mean, axis[profile.argmax()], delta=2.0)
                self.assertAlmostEqual(found[name].low, inside[0], delta=2.5)
                self.assertAlmostEqual(found[name].high, inside[-1], delta=2.5)


if __name__ == "__main__":
    unittest.main()
