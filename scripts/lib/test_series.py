"""The plan of a match, and series of tasks: order of results, interruption."""

import time
import unittest

from lib.game import Player
from lib.plan import Plan, seeded
from lib.series import Dropped, Series, Threads

A, B, C = (Player(name, f"{name} {{seed}}") for name in "ABC")


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


class Gates:
    """Work on numbers: each is done as soon as its gate is open."""

    sources = ()

    def __init__(self, *opened: int):
        self._open = set(opened)

    def open(self, number: int) -> None:
        self._open.add(number)

    def do(self, number: int, is_dropped) -> int:
        while number not in self._open:
            if is_dropped():
                raise Dropped
            time.sleep(0.002)
        return number


class Interruption(unittest.TestCase):
    """Results come as tasks end; an interrupt lets those under way end."""

    def test_order(self):
        work = Gates(2)
        with Threads(work, jobs=2) as pool:
            results = Series(pool).results([1, 2, 3])
            self.assertEqual(next(results), 2)
            work.open(3)
            self.assertEqual(next(results), 3)
            work.open(1)
            self.assertEqual(list(results), [1])

    def test_tasks_under_way_are_finished(self):
        work = Gates(1)
        with Threads(work, jobs=2) as pool:
            series = Series(pool)
            results = series.results(range(1, 7))
            self.assertEqual(next(results), 1)
            self.assertIn("games under way are finished", series.interrupt())
            work.open(2)
            self.assertEqual(list(results), [2])

    def test_dropped_tasks_have_no_result(self):
        with Threads(Gates(1), jobs=2) as pool:
            series = Series(pool, "batches")
            results = series.results(range(1, 5))
            self.assertEqual(next(results), 1)
            series.interrupt()
            self.assertIn("batches under way are dropped", series.interrupt())
            self.assertEqual(list(results), [])

    def test_an_error_ends_the_work(self):
        with self.assertRaisesRegex(ValueError, "mine"), Threads(Gates(1), jobs=1) as pool:
            for _ in Series(pool).results(range(1, 50)):
                raise ValueError("mine")

    def test_a_pool_serves_one_series_after_another(self):
        with Threads(Gates(1, 2), jobs=1) as pool:
            for number in (1, 2):
                self.assertEqual(list(Series(pool).results([number])), [number])


if __name__ == "__main__":
    unittest.main()
