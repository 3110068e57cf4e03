"""The log of a match: going on after a kill, a full disk, a foreign file."""

import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing
from pathlib import Path

from lib.game import Player, Record, Settings
from lib.log import LogError
from lib.matches.log import MatchLog
from lib.matches.test_match import MATCH
from lib.plan import Plan
from lib.testing import FAKE

PLAN = Plan((Player("A", "a"), Player("B", "b")), games=4)
SETTINGS = Settings(size=5, komi=7.5, referee="r")
SLOW = f"{FAKE} --seed {{seed}} --fault slow --at 2 --sleep 0.05"
COMMAND = [sys.executable, MATCH, "--engine", f"A={SLOW}", "--engine", f"B={SLOW}",
           "--referee", f"{FAKE} --score parity", "--size", "5", "--games", str(GAMES := 5),
           "--openings", "1", "--jobs", "2"]


def record(number: int) -> Record:
    """A finished game."""
    return Record(number, "A", "B", [("b", "A1"), ("w", "pass")], result="B+1")


class Logs(unittest.TestCase):
    """One log, opened again and again."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "new" / "log.jsonl"

    def open(self, plan: Plan = PLAN, settings: Settings = SETTINGS) -> MatchLog:
        """The log; closed in the end."""
        log = MatchLog(self.path, plan, settings)
        self.addCleanup(log.close)
        return log

    def test_games_are_there_again(self):
        with closing(self.open()) as log:
            log.append(record(2))
            log.append(record(1))
        self.assertEqual(self.open().records, {2: record(2), 1: record(1)})

    def test_without_a_path_it_is_memory(self):
        log = MatchLog(None, PLAN, SETTINGS)
        log.append(record(1))
        self.assertEqual(list(log.records), [1])

    def test_a_torn_line_is_cut_off(self):
        with closing(self.open()) as log:
            log.append(record(1))
            log.append(record(2))
        whole = self.path.read_bytes()
        for length in (len(whole) - 1, len(whole) - 2, len(whole) - 100, whole.rindex(b"{\"number") + 1):
            self.path.write_bytes(whole[:length])
            with closing(self.open()) as log:
                self.assertEqual(list(log.records), [1])
                log.append(record(2))
            self.assertEqual(self.path.read_bytes(), whole)

    def test_another_match(self):
        self.open().close()
        rows = [
            (Plan(PLAN.players, 4, seed=2), SETTINGS, "other seed"),
            (Plan(PLAN.players[:1] + (Player("B", "c"),), 4), SETTINGS, "other engines"),
            (PLAN, Settings(size=7, komi=0.5, referee="r"), "other size, komi"),
        ]
        for plan, settings, text in rows:
            with self.assertRaisesRegex(LogError, text):
                self.open(plan, settings)
        self.open(Plan(PLAN.players, 40)).close()  # longer, but the same

    def test_foreign_files(self):
        self.path.parent.mkdir()
        for content in ("hello\n", "[1]\n", "{}\n", '{"match": 3}\n', "no end of a line"):
            self.path.write_text(content)
            with self.assertRaisesRegex(LogError, "is no log of a match"):
                self.open()
            self.assertEqual(self.path.read_text(), content)

    def test_devices(self):
        """One of them has no end, and would fill the memory."""
        for path in (Path("/dev/full"), self.path.parent.parent):
            with self.assertRaisesRegex(LogError, f"cannot use the log {path}: it is no regular file"):
                MatchLog(path, PLAN, SETTINGS)

    def test_only_one_writes(self):
        self.open()
        with self.assertRaisesRegex(LogError, "another match is writing"):
            self.open()


class Killed(unittest.TestCase):
    """The program, stopped in the middle by all means."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "log.jsonl"
        self.command = [*COMMAND, "--log", self.log, "--sgf", self.folder / "games",
                        "--json", self.folder / "killed.json"]

    def numbers(self) -> list[int]:
        """The games in the log."""
        lines = self.log.read_bytes().splitlines(keepends=True) if self.log.exists() else []
        return [json.loads(line)["number"] for line in lines[1:] if line.endswith(b"\n")]

    def reported(self, name: str) -> list[tuple]:
        """What counts, as the report has it; times differ from run to run."""
        data = json.loads((self.folder / name).read_text("utf-8"))
        games = [(game["number"], game["black"], game["white"], game["result"], game["moves"])
                 for game in data["games"]]
        return [*games, [(row["name"], row["points"], row["elo"]) for row in data["ratings"]]]

    def test_kill_and_go_on(self):
        match = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while match.poll() is None and len(self.numbers()) < 2:
            time.sleep(0.005)
        match.send_signal(signal.SIGKILL)
        _, errors = match.communicate()
        self.assertEqual(match.returncode, -signal.SIGKILL, errors)
        self.assertLess(len(self.numbers()), GAMES)
        done = subprocess.run(self.command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("games were in", done.stderr)
        self.assertEqual(sorted(self.numbers()), list(range(1, GAMES + 1)))
        self.assertEqual(len(list((self.folder / "games").iterdir())), GAMES)
        whole = [*COMMAND, "--json", self.folder / "whole.json"]
        self.assertEqual(subprocess.run(whole, capture_output=True, check=False).returncode, 0)
        self.assertEqual(self.reported("killed.json"), self.reported("whole.json"))

    def test_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2500, resource.RLIM_INFINITY))

        full = subprocess.run([*COMMAND, "--log", self.log], preexec_fn=limit, capture_output=True,
                              text=True, check=False)
        self.assertEqual(full.returncode, 2, full.stderr)
        self.assertRegex(full.stderr, r"cannot write .*log.jsonl: File too large; what was done before")
        self.assertNotIn("Traceback", full.stderr)
        self.assertEqual(self.log.stat().st_size, 2500)
        kept = self.numbers()
        done = subprocess.run([*COMMAND, "--log", self.log], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.numbers()[:len(kept)], kept)
        self.assertEqual(sorted(self.numbers()), list(range(1, GAMES + 1)))


if __name__ == "__main__":
    unittest.main()
