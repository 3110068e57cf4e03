"""The program scripts/selfplay, with a stand-in for the engine: batches, kills, a cluster, bad input."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import psutil

from lib import selfplay
from lib.testing import SCRIPTS, kill_a_worker

# Takes its time where it is told to, and writes what `keima selfplay` would, under the same name.
ENGINE = """\
    import pathlib, sys, time
    words = sys.argv[2:]
    if "--help" in words:
        sys.exit()
    flags = dict(zip(words[::2], words[1::2]))
    time.sleep(float(flags.get("--sleep", 0)))
    if "--fail" in flags:
        sys.exit("error: unexpected argument '--fail' found\\n\\nUsage: keima selfplay")
    name = f"s9x9-{flags['--seed']}-000.npz"
    (pathlib.Path(flags["--out"]) / name).write_text(flags["--positions"])
    """


class Batches(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        program = self.folder / "fake_selfplay.py"
        program.write_text(textwrap.dedent(ENGINE), encoding="utf-8")
        self.out = self.folder / "new" / "out"
        self.engine = f"{sys.executable} {program}"
        self.words = ["selfplay", "--engine", self.engine, "--out", str(self.out), "--batch", "20"]

    def run_with(self, *words: str) -> tuple[int, str]:
        """Exit status and all output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), \
                mock.patch("sys.argv", [*self.words, *words]):
            return selfplay.main(), output.getvalue()

    def logged(self) -> list[int]:
        """The batches in the log, in their order."""
        log = self.out / "log.jsonl"
        lines = log.read_bytes().splitlines(keepends=True) if log.exists() else []
        return [json.loads(line)["batch"] for line in lines[1:] if line.endswith(b"\n")]

    def check(self, count: int) -> None:
        """There are so many batches, each once, with its own seed, and nothing else."""
        self.assertEqual(sorted(self.logged()), list(range(1, count + 1)))
        names = sorted(os.listdir(self.out))
        self.assertEqual(names, ["log.jsonl", *(f"s9x9-{1_000_001 + number}-000.npz"
                                                for number in range(1, count + 1))])
        self.assertEqual({(self.out / name).read_text("utf-8") for name in names[1:]}, {"20"})

    def test_batches_and_more_of_them(self):
        status, output = self.run_with("--positions", "50", "--jobs", "2")
        self.assertEqual(status, 0, output)
        self.assertIn(f"3 of 3 batches of 20 positions are in {self.out}", output)
        self.check(3)
        status, output = self.run_with("--positions", "80")
        self.assertIn("3 batches were in", output)
        self.assertEqual(output.count("1 files"), 1)
        self.check(4)

    def test_kill_and_go_on(self):
        words = [sys.executable, SCRIPTS / "selfplay", *self.words[1:], "--positions", "60", "--jobs", "2",
                 "--", "--sleep", "0.3"]
        program = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while program.poll() is None and not self.logged():
            time.sleep(0.01)
        engines = psutil.Process(program.pid).children()
        program.send_signal(signal.SIGKILL)
        _, errors = program.communicate()
        self.assertEqual(program.returncode, -signal.SIGKILL, errors)
        self.assertEqual(psutil.wait_procs(engines, timeout=5)[1], [])  # they end with it
        self.assertEqual(self.run_with("--positions", "60", "--", "--sleep", "0.3")[0], 0)
        self.check(3)

    def test_a_lost_worker_costs_only_its_batch(self):
        killer = threading.Thread(target=kill_a_worker, args=["fake_selfplay"])
        killer.start()
        status, output = self.run_with("--positions", "80", "--jobs", "2", "--cluster", "local",
                                       "--", "--sleep", "0.3")
        killer.join()
        self.assertEqual(status, 0, output)
        self.check(4)

    def test_bad_input_is_told_in_one_line(self):
        self.assertEqual(self.run_with("--positions", "20")[0], 0)
        (self.folder / "file").touch()
        for words, message in (
                (["--", "--fail", "1"], "belongs to a self-play with other arguments"),
                (["--out", str(self.folder / "o"), "--", "--fail", "1"],
                 "failed with status 1: error: unexpected argument '--fail' found Usage: keima selfplay"),
                (["--engine", "no-such-engine"], "cannot start engine `no-such-engine`: "),
                (["--engine", "'"], "cannot start engine `'`: No closing quotation"),
                (["--engine", "false"], "`false selfplay` failed with status 1: it said nothing"),
                (["--out", str(self.folder / "file")], f"cannot write {self.folder / 'file'}/log.jsonl: "),
                (["--cluster", "nowhere://", "--positions", "40"], "no cluster at nowhere://"),
        ):
            with self.subTest(message=message):
                status, output = self.run_with("--positions", "20", *words)
                self.assertEqual((status, output.count("\n")), (2, 1 + output.count("were in")), output)
                self.assertIn(message, output)

    def test_bad_flags(self):
        for flags in ([], ["--positions", "0"], ["--positions", "x"], ["--positions", "1", "--jobs", "0"]):
            with self.subTest(flags=flags), self.assertRaisesRegex(SystemExit, "2"):
                self.run_with(*flags)


if __name__ == "__main__":
    unittest.main()
