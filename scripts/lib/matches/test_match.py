"""The program scripts/match with fake engines: pairing, files, report."""

import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from dataclasses import replace
from pathlib import Path

from sgfmill import sgf

from lib.matches.records import to_sgf
from lib.test_game import SETTINGS, play
from lib.testing import FAKE, SCRIPTS

MATCH = SCRIPTS / "match"
COMMAND = [sys.executable, MATCH, "--a", FAKE, "--referee", FAKE]


def run(*arguments) -> subprocess.CompletedProcess:
    """The program with a fake player A and a fake referee, unless the arguments say otherwise."""
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)


class Records(unittest.TestCase):
    """Games as files."""

    def test_record_survives_sgf(self):
        record = play("--fault banana --at 2", settings=replace(SETTINGS, opening_plies=2))
        game = sgf.Sgf_game.from_bytes(to_sgf(record, SETTINGS))
        self.assertEqual(game.get_root().get("RE"), "W+Forfeit")
        self.assertEqual(len(game.get_main_sequence()) - 1, len(record.moves))
        self.assertIn("banana", game.get_last_node().get("C"))


class Program(unittest.TestCase):
    """The program: pairing, files, report."""

    def test_match(self):
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "m.json"
            done = run("--b", f"{FAKE} --fault die", "--name-a", "good", "--name-b", "bad",
                       "--games", "4", "--size", "7", "--openings", "2", "--sgf", folder,
                       "--json", report, "--markdown", "--time", "9.5", "--jobs", "2")
            self.assertEqual(done.returncode, 0, done.stderr)
            data = json.loads(report.read_text("utf-8"))
            self.assertEqual(len(list(Path(folder).glob("*.sgf"))), 4)
        games = data["games"]
        self.assertEqual([game["black"] for game in games], ["good", "bad"] * 2)
        openings = [game["moves"][:2] for game in games]
        self.assertEqual(openings[0], openings[1])
        self.assertNotEqual(openings[1], openings[2])
        self.assertEqual((data["summary"]["points"], data["summary"]["games"]), (4, 4))
        self.assertEqual(data["summary"]["faults"]["bad"]["crash"], 4)
        self.assertIn("good against bad: 4 of 4 = 100.0%", done.stdout)
        fake = FAKE.split()[1]
        row = done.stdout.splitlines()[-1].split(" | ")
        self.assertEqual(row[2:7], [f"Fake 1 `{fake} --fault die`", "7x7",
                                    f"9.5 s a move, `{fake}`", "4", "4"])

    def test_seeds_differ(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--a", f"{FAKE} --log {folder}/{{seed}}", "--b", FAKE, "--games", "3")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(list(Path(folder).iterdir())), 4)  # one is of the probe

    def test_interrupt_counts_games_under_way(self):
        with tempfile.TemporaryDirectory() as folder:
            match = subprocess.Popen(
                [*COMMAND, "--b", f"{FAKE} --fault slow --at 2", "--jobs", "2", "--games", "99",
                 "--sgf", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while match.poll() is None and not list(Path(folder).iterdir()):
                time.sleep(0.01)
            match.send_signal(signal.SIGINT)
            output, errors = match.communicate(timeout=20)
            played = len(list(Path(folder).iterdir()))
        self.assertEqual(match.returncode, 1)
        self.assertIn("interrupted: games under way are finished", errors)
        self.assertIn(f" of {played} = ", output)
        self.assertLess(played, 9)

    def test_senseless_clock_is_told_at_once(self):
        done = run("--b", FAKE, "--main", "9", "--periods", "3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--main --periods makes no clock", done.stderr)

    def test_full_disk_is_told_in_one_line(self):
        for flag in ("--json", "--log"):
            done = run("--b", FAKE, "--games", "1", flag, "/dev/full")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertRegex(done.stderr, "^cannot (write|use the log) /dev/full: ")

    def test_missing_engine_is_told_at_once(self):
        done = run("--b", "no-such-engine")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^no-such-engine: cannot start .*\n$")

    def test_referee_is_tried_as_the_games_start_it(self):
        done = run("--b", FAKE, "--referee", f"{FAKE} --seed {{seed}}")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^referee: engine died .*invalid int value.*\n$")

    def test_engine_that_fails_at_once_is_named(self):
        done = run("--b", "false", "--name-b", "worse")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^worse: engine died at `name` \(exit status 1\)\n$")


if __name__ == "__main__":
    unittest.main()
