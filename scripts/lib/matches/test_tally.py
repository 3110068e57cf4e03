"""Records to a summary."""

import unittest

from lib.game import Effort, Record
from lib.matches.tally import FAULTS, Tally


def record(number: int, black: str, white: str, result: str, **more) -> Record:
    """A finished game."""
    return Record(number, black, white, result=result, **more)


class Tallies(unittest.TestCase):
    """Records to a summary."""

    RECORDS = [
        record(1, "A", "B", "B+3.5", moves=[("b", "D4")], claims={"b": "B+3.5", "w": "W+1.5"}),
        record(2, "B", "A", "B+Forfeit", reason="illegal move: D4"),
        record(3, "A", "B", "0"),
        record(4, "B", "A", "Void", reason="too long: 10 moves"),
    ]

    def test_summary(self):
        summary = Tally("A", "B", self.RECORDS).summary()
        self.assertEqual((summary["games"], summary["points"]), (3, 1.5))
        self.assertEqual(summary["distinct_games"], 2)
        self.assertEqual(summary["reasons"], {
            "A wins: on points": 1, "B wins: Forfeit (illegal move)": 1, "draw": 1,
            "no result (too long)": 1})
        self.assertEqual(summary["false_claims"], {"A": 0, "B": 1})

    def test_pairs(self):
        tally = Tally("A", "B", self.RECORDS)
        self.assertEqual(tally.pairs(), [[1.0, 0.0], [0.5]])
        self.assertEqual(tally.outcomes(), (1, 1, 1))
        self.assertEqual(tally.summary()["pairs"], [0, 0, 1, 0, 0])

    def test_two_game_matches(self):
        results = ("B+10.5", "B+8", "B+3", "B+5", "W+2", "W+2", "B+Resign", "B+4", "0", "0",
                   "B+1", "Void", "B+9")
        games = [record(number, *("AB" if number % 2 else "BA"), result)
                 for number, result in enumerate(results, start=1)]
        tally = Tally("A", "B", games, margin_size=9)
        self.assertEqual(tally.margins(), [2.5, -2.0, 0.0, 77.0, 0.0])
        self.assertEqual(tally.pairs(), [[1.0], [0.0], [0.5], [1.0], [0.5]])
        self.assertIn("3 of 5", tally.text())
        self.assertIn("sums of margins: +2.5, -2, +0, +77, +0", tally.text())

    def test_faults(self):
        games = self.RECORDS + [
            record(5, "A", "B", "W+Time", reason="time: 2.00 s for a move, allowed 1.00"),
            record(6, "B", "A", "W+Forfeit", reason="hang: no answer in time to `genmove b`"),
            record(7, "A", "B", "B+Forfeit", reason="crash: engine died at `genmove w`"),
            record(8, "B", "A", "W+Resign"),
        ]
        tally = Tally("A", "B", games)
        none = dict.fromkeys(FAULTS, 0)
        self.assertEqual(tally.reasons()["B wins: Time"], 1)
        self.assertEqual(tally.faults("A"), none | {"illegal move": 1, "time": 1})
        self.assertEqual(tally.faults("B"), none | {"hang": 1, "crash": 1})
        self.assertIn("games lost by a fault: A 1 time + 1 illegal move, B 1 crash + 1 hang",
                      tally.text())

    def test_effort(self):
        game = record(1, "B", "A", "B+1", efforts={"b": Effort([9.0], 9.0),
                                                   "w": Effort([0.1, 0.3], 1.0)})
        tally = Tally("A", "B", [game])
        self.assertEqual(tally.effort("A"),
                         {"moves": 2, "cpu_per_move": 0.5, "seconds_mean": 0.2, "seconds_max": 0.3})
        self.assertIn("CPU s a move: A 0.500, B 9.000", tally.text())
        self.assertIn("longest move, wall s: A 0.300, B 9.000", tally.text())

    def test_text_without_games(self):
        self.assertIn("0 of 0", Tally("A", "B", []).text())


if __name__ == "__main__":
    unittest.main()
