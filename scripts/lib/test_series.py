"""The plan of a match, and series of games: order of results, interruption."""

import unittest

from lib.game import Pairing, Player, Settings
from lib.plan import Plan, seeded
from lib.series import Series, Threads
from lib.testing import FAKE

SETTINGS = Settings(size=5, komi=7.5, referee=FAKE)
QUICK = Player("A", f"{FAKE} --moves 0")
SLOW = Player("B", f"{FAKE} --moves 1 --fault slow --at 1 --sleep 0.6")
A, B, C = (Player(name, f"{name} {{seed}}") for name in "ABC")


def pairings(*opponents: Player) -> list[Pairing]:
    """Games of `QUICK` against these."""
    return [Pairing(number, QUICK, opponent, "seed")
            for number, opponent in enumerate(opponents, start=1)]


def names(plan: Plan) -> list[str]:
    """Black and white of each game."""
    return [pairing.black.name + pairing.white.name for pairing in plan.pairings()]


class Plans(unittest.TestCase):
    """Who plays whom, with which seeds and openings."""

    def test_two_engines(self):
        plan = Plan((A, B), games=5, seed=7)
        self.assertEqual(names(plan), ["AB", "BA", "AB", "BA", "AB"])
        self.assertEqual(len(plan), 5)
        self.assertEqual([game.seed for game in plan.pairings()], ["7/0", "7/0", "7/1", "7/1", "7/2"])

    def test_round_robin(self):
        plan = Plan((A, B, C), games=3)
        self.assertEqual(names(plan), ["AB", "BA", "AC", "CA", "BC", "CB", "AB", "AC", "BC"])
        self.assertEqual([game.number for game in plan.pairings()], [1, 2, 3, 4, 5, 6, 7, 9, 11])
        self.assertEqual({game.seed for game in list(plan.pairings())[:6]}, {"1/0"})

    def test_gauntlet(self):
        self.assertEqual(names(Plan((A, B, C), 2, is_gauntlet=True)), ["AB", "BA", "AC", "CA"])

    def test_openings_take_turns(self):
        plan = Plan((A, B), 6, openings=(("A1",), ("B2",)))
        self.assertEqual([game.opening[0] for game in plan.pairings()],
                         ["A1", "A1", "B2", "B2", "A1", "A1"])

    def test_seeds_differ(self):
        games = Plan((A, B, C), 20).pairings()
        commands = [player.command for game in games for player in (game.black, game.white)]
        numbers = {int(command.split()[-1]) for command in commands}
        self.assertEqual(len(numbers), 120)
        other = seeded(Player("A", "{seed}"), 2, 2).command
        self.assertNotIn(int(other), numbers)
        self.assertTrue(0 < int(seeded(Player("A", "{seed}"), 10**12, 1).command) < 2**31)


class Interruption(unittest.TestCase):
    """Results come as games end; an interrupt lets those under way end."""

    def test_order(self):
        with Threads(SETTINGS, jobs=2) as pool:
            numbers = [record.number for record in Series(pool).play(pairings(SLOW, QUICK, QUICK))]
        self.assertEqual(sorted(numbers), [1, 2, 3])
        self.assertNotEqual(numbers[0], 1)

    def test_games_under_way_are_played_out(self):
        numbers = []
        with Threads(SETTINGS, jobs=2) as pool:
            series = Series(pool)
            for record in series.play(pairings(QUICK, SLOW, SLOW, SLOW, SLOW, SLOW)):
                if not numbers:
                    self.assertIn("played out", series.interrupt())
                numbers.append(record.number)
        self.assertEqual(sorted(numbers), [1, 2])

    def test_dropped_games_have_no_record(self):
        numbers = []
        with Threads(SETTINGS, jobs=2) as pool:
            series = Series(pool)
            for record in series.play(pairings(QUICK, SLOW, QUICK, SLOW)):
                numbers.append(record.number)
                series.interrupt()
                self.assertIn("dropped", series.interrupt())
        self.assertEqual(numbers, [1])

    def test_an_error_ends_the_games(self):
        with self.assertRaisesRegex(ValueError, "mine"), Threads(SETTINGS, jobs=1) as pool:
            for _ in Series(pool).play(pairings(QUICK, *[SLOW] * 50)):
                raise ValueError("mine")


if __name__ == "__main__":
    unittest.main()
