"""Series of games: the plan, order of results, interruption."""

import unittest

from lib.game import Player, Settings
from lib.series import Pairing, Series, plan, seeded
from lib.test_gtp import FAKE

SETTINGS = Settings(size=5, komi=7.5, referee=FAKE)
QUICK = Player("A", f"{FAKE} --moves 0")
SLOW = Player("B", f"{FAKE} --moves 1 --fault slow --at 1 --sleep 0.6")


def pairings(*opponents: Player) -> list[Pairing]:
    """Games of `QUICK` against these."""
    return [Pairing(number, QUICK, opponent, "seed")
            for number, opponent in enumerate(opponents, start=1)]


class Plan(unittest.TestCase):
    """Who plays whom, with which seeds."""

    def test_pairs(self):
        games = list(plan(Player("A", "a"), Player("B", "b"), 4, seed=7))
        self.assertEqual([game.black.name + game.white.name for game in games],
                         ["AB", "BA", "AB", "BA"])
        self.assertEqual([game.seed for game in games], ["7/0", "7/0", "7/1", "7/1"])

    def test_seeds_differ(self):
        games = plan(Player("A", "a --seed {seed}"), Player("B", "b --seed {seed}"), 50, seed=1)
        commands = [player.command for game in games for player in (game.black, game.white)]
        numbers = {int(command.split()[-1]) for command in commands}
        self.assertEqual(len(numbers), 100)
        other = seeded(Player("A", "{seed}"), 2, 2).command
        self.assertNotIn(int(other), numbers)
        self.assertTrue(0 < int(seeded(Player("A", "{seed}"), 10**12, 1).command) < 2**31)


class Interruption(unittest.TestCase):
    """Results come in start order; an early end counts a prefix of them."""

    def test_order(self):
        series = Series(SETTINGS, jobs=2)
        numbers = [record.number for record in series.play(pairings(SLOW, QUICK, QUICK))]
        self.assertEqual(numbers, [1, 2, 3])

    def test_games_under_way_are_played_out(self):
        series = Series(SETTINGS, jobs=2)
        numbers = []
        for record in series.play(pairings(QUICK, SLOW, SLOW, SLOW, SLOW, SLOW)):
            if not numbers:
                self.assertIn("played out", series.interrupt())
            numbers.append(record.number)
        self.assertIn(numbers, ([1, 2], [1, 2, 3]))  # game 3 may have begun when game 1 counted

    def test_dropped_games_do_not_count(self):
        series = Series(SETTINGS, jobs=2)
        numbers = []
        for record in series.play(pairings(QUICK, SLOW, QUICK, SLOW)):
            numbers.append(record.number)
            series.interrupt()
            self.assertIn("dropped", series.interrupt())
        self.assertEqual(numbers, [1])

    def test_errors_end_the_series(self):
        series = Series(SETTINGS, jobs=1)
        games = series.play(pairings(QUICK, *[SLOW] * 50))
        next(games)
        games.close()
        self.assertTrue(series.is_dropping())


if __name__ == "__main__":
    unittest.main()
