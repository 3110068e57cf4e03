"""Clocks, what engines are told of them, and the flags that set them."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

from lib.clock import Clock, System, TimeControl, from_flags
from lib.test_game import SETTINGS, play

ABSOLUTE = TimeControl(System.ABSOLUTE, 60)
CANADIAN = TimeControl(System.CANADIAN, 60, 10, 5)
BYO_YOMI = TimeControl(System.BYO_YOMI, 60, 10, 3)
FISCHER = TimeControl(System.FISCHER, 60, 2)


class Rules(unittest.TestCase):
    """Time passes as in src/search/time.rs."""

    def test_time_passes_as_the_systems_say(self):
        # What a move takes, and seconds and moves or periods left after it: the rows of time.rs.
        rows = [
            (TimeControl(System.CANADIAN, 1, 5, 2), [(1.5, 4.5, 1), (1, 5, 2)]),
            (TimeControl(System.CANADIAN, 1, 5, 1), [(2, 5, 1), (1, 5, 1)]),
            (TimeControl(System.BYO_YOMI, 1, 2, 3),
             [(0.5, 0.5, 0), (1, 2, 3), (1, 2, 3), (3, 2, 2)]),
            (TimeControl(System.FISCHER, 3, 1), [(2, 2, 0), (2, 1, 0)]),
            (TimeControl(System.ABSOLUTE, 3), [(2, 1, 0), (1, 0, 0)]),
            (TimeControl(System.CANADIAN, 0, 5, 2), [(1, 4, 1), (4, 5, 2)]),
            (TimeControl(System.BYO_YOMI, 0, 2, 2), [(1.5, 2, 2), (2.5, 2, 1), (1, 2, 1)]),
        ]
        for control, moves in rows:
            clock = Clock(control)
            for seconds, *left in moves:
                with self.subTest(control=control, seconds=seconds):
                    self.assertTrue(clock.spend(seconds))
                    self.assertEqual([clock.time, clock.count], left)

    def test_flags_fall(self):
        # The longest that the first move may take, and that the second one may after it.
        rows = [
            (TimeControl(System.CANADIAN, 0, 1, 1), 1, 1),
            (TimeControl(System.ABSOLUTE, 3), 3, 0),
            (TimeControl(System.CANADIAN, 10, 5, 2), 15, 0),
            (TimeControl(System.BYO_YOMI, 10, 5, 3), 25, 5),
            (TimeControl(System.BYO_YOMI, 0, 5, 2), 10, 5),
            (TimeControl(System.FISCHER, 3, 1), 3, 1),
        ]
        for control, first, second in rows:
            with self.subTest(control=control):
                self.assertFalse(Clock(control).spend(first + 0.1))
                self.assertTrue(Clock(control).spend(first + 0.1, grace=0.2))
                clock = Clock(control)
                self.assertTrue(clock.spend(first))
                self.assertEqual(clock.limit, second)

    def test_flag_falls_in_a_game(self):
        for control in (TimeControl(System.ABSOLUTE, 0.4), TimeControl(System.CANADIAN, 0.2, 0.2, 5),
                        TimeControl(System.BYO_YOMI, 0.2, 0.1, 2),
                        TimeControl(System.FISCHER, 0.4, 0.01)):
            with self.subTest(control=control):
                record = play(white="--fault slow --at 2 --sleep 0.5",
                              settings=replace(SETTINGS, time=control))
                self.assertEqual((record.result, len(record.moves)), ("B+Time", 3), record.reason)
                self.assertIn("time: 0.5", record.reason)


class Announcements(unittest.TestCase):
    """Commands to engines of different knowledge."""

    def sent(self, control: TimeControl, engine: str = "") -> list[str]:
        """The commands of time that player B gets up to its second move."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            play("--moves 1", f"--moves 1 --log {log} {engine}", replace(SETTINGS, time=control))
            return [line for line in log.read_text("utf-8").splitlines() if "time_" in line]

    def first(self, control: TimeControl, engine: str = "") -> tuple[str, str]:
        """The settings, and the numbers of the first `time_left`."""
        settings, left, *_ = self.sent(control, engine)
        return settings, left.removeprefix("time_left w ")

    def test_best_known_command(self):
        kgs, kata = "--knows kgs-time_settings", "--knows kgs-time_settings kata-time_settings"
        rows = [
            (ABSOLUTE, "", "time_settings 60 0 0", "60 0"),
            (ABSOLUTE, kgs, "kgs-time_settings absolute 60", "60 0"),
            (CANADIAN, "", "time_settings 60 10 5", "60 0"),
            (CANADIAN, kata, "kata-time_settings canadian 60 10 5", "60.000 0"),
            (BYO_YOMI, "", "time_settings 60 10 1", "60 0"),
            (BYO_YOMI, kgs, "kgs-time_settings byoyomi 60 10 3", "60 0"),
            (FISCHER, kgs, "time_settings 60 2 1", "60 0"),
            (FISCHER, kata, "kata-time_settings fischer 60 2", "60.000 0"),
            (replace(CANADIAN, main=0), "", "time_settings 0 10 5", "10 5"),
            (replace(BYO_YOMI, main=0), "", "time_settings 0 10 1", "10 1"),
            (replace(BYO_YOMI, main=0), kgs, "kgs-time_settings byoyomi 0 10 3", "10 3"),
            (TimeControl(System.CANADIAN, 0, 9.5, 1), "", "time_settings 0 9.5 1", "9.500 1"),
        ]
        for control, engine, settings, left in rows:
            with self.subTest(control=control, engine=engine):
                self.assertEqual(self.first(control, engine), (settings, left))

    def test_time_left_comes_before_each_move(self):
        self.assertEqual(len(self.sent(ABSOLUTE)), 3)  # the settings, and two moves
        self.assertRegex(self.sent(ABSOLUTE)[2], r"^time_left w 5\d 0$")

    def test_refused_settings(self):
        knows = "--knows kata-time_settings --rejects kata-time_settings"
        self.assertEqual(self.sent(ABSOLUTE, knows)[:3], [
            "kata-time_settings absolute 60", "time_settings 60 0 0", "time_left w 60 0"])
        # Without a clock of its own it has no use for `time_left`.
        self.assertEqual(self.sent(ABSOLUTE, "--rejects time_settings"), ["time_settings 60 0 0"])


class Flags(unittest.TestCase):
    """Flags to clocks, and clocks to text."""

    def test_sensible(self):
        rows = [
            ({}, None, "None", ""),
            ({"time": 0.5}, TimeControl(System.CANADIAN, 0, 0.5, 1), "0.5 s a move", "1/0.5 Canadian"),
            ({"main": 60}, ABSOLUTE, "60 s", ""),
            ({"main": 60, "byo": 10, "stones": 5}, CANADIAN, "60 s + 5/10 Canadian", "5/10 Canadian"),
            ({"byo": 10, "periods": 3}, replace(BYO_YOMI, main=0), "3x10 byo-yomi", "3x10 byo-yomi"),
            ({"main": 60, "byo": 10, "periods": 3}, BYO_YOMI, "60 s + 3x10 byo-yomi", "3x10 byo-yomi"),
            ({"main": 60, "increment": 2}, FISCHER, "60 s + 2 fischer", "2 fischer"),
        ]
        for flags, control, text, overtime in rows:
            with self.subTest(flags=flags):
                self.assertEqual(from_flags(**{"time": None} | flags), control)
                self.assertEqual((str(control), control.overtime if control else ""), (text, overtime))

    def test_senseless(self):
        rows = [
            {"time": 1, "main": 1}, {"time": 1, "byo": 1}, {"byo": 1}, {"main": 1, "byo": 1},
            {"stones": 1}, {"main": 1, "periods": 1}, {"byo": 1, "stones": 1, "periods": 1},
            {"increment": 1}, {"main": 1, "increment": 1, "byo": 1, "periods": 1},
        ]
        for flags in rows:
            with self.subTest(flags=flags), self.assertRaisesRegex(ValueError, "makes no clock"):
                from_flags(**flags)
        for value in (0.0, -1.0, float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "--time has to be positive"):
                from_flags(time=value)


if __name__ == "__main__":
    unittest.main()
