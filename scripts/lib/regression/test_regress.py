"""The program scripts/regress: exit status, report, files, bad input."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from lib.gtp import Engine
from lib.regression import regress
from lib.regression.test_runner import Stub
from lib.testing import FAKE

PASSES, FAILS = "1 name\n#? [fake]\n", "1 name\n#? [GNU Go]\n"


def start(command: str, *more) -> Engine | Stub:
    """Engines that are no process save time, but for one test."""
    return Stub() if command == "stub" else Engine(command, *more)


class Program(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.records = self.folder / "records"
        self.enterContext(mock.patch.object(regress, "RECORDS", self.records))

    def run_on(self, text: str, *flags: str, engine: str = "stub") -> tuple[int, str]:
        """Exit status and all output for a suite with this text."""
        tests = self.folder / "x.tst"
        tests.write_text(text, encoding="utf-8")
        output = io.StringIO()
        words = ["regress", "--engine", engine, *flags, str(tests)]
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), \
                mock.patch("sys.argv", words), \
                mock.patch.multiple(regress, tqdm=Bar, Engine=start):
            return regress.main(), output.getvalue()

    def test_last_run(self):
        """Pass, fail, fail again, pass: each compared with the one before."""
        for text, status, news in ((PASSES, 0, ""), (FAILS, 3, "newly failing: 1"),
                                   (FAILS, 1, "newly failing: 0"), (PASSES, 0, "newly passing: 1")):
            # Another expectation makes no other test: number and command are the same.
            found, output = self.run_on(text)
            self.assertEqual(found, status, output)
            self.assertIn(news, output)
            self.assertEqual("Against the run of" in output, bool(news))

    def test_files(self):
        report, html = self.folder / "r.json", self.folder / "new" / "r.html"
        status, output = self.run_on(FAILS, "--json", str(report), "--html", str(html),
                                     "--engine", f"other={FAKE}", "--jobs", "2", engine=FAKE)
        self.assertEqual(status, 1)
        for part in ("x.tst:1", "1 name", "[GNU Go]", "Fake", "The engines pass and fail the same tests."):
            self.assertIn(part, output)
        data = json.loads(report.read_text("utf-8"))
        self.assertEqual([engine["name"] for engine in data["engines"]],
                         [os.path.basename(FAKE.split()[0]), "other"])
        self.assertEqual(data["totals"]["other"], {"pass": 0, "PASS": 0, "fail": 0, "FAIL": 1, "skipped": 0})
        self.assertIn("GNU Go", html.read_text("utf-8"))
        self.assertFalse(self.records.exists())

    def test_engine_that_dies_at_once(self):
        status, output = self.run_on(PASSES, engine="false")
        self.assertEqual(status, 1)
        self.assertIn("(crash)", output)

    def test_bad_input_is_told_in_one_line(self):
        for text, flags, message in (
                ("#? [1]\n", [], "x.tst:1: expectation without"),
                (PASSES, ["--engine", "no-such-engine"], "cannot start engine `no-such-engine`"),
                (PASSES, ["--engine", "'"], "cannot start engine `'`"),
                (PASSES, [str(self.folder / "nowhere.tst")], "nowhere.tst: No such file"),
                (PASSES, [str(self.folder)], "Is a directory"),
                (PASSES, ["--html", "/dev/null/x.html"], "cannot write /dev/null/x.html"),
                (PASSES, ["--baseline", str(self.folder / "x.tst")], "is not from scripts/regress"),
        ):
            with self.subTest(message=message):
                status, output = self.run_on(text, *flags)
                self.assertEqual((status, output.count("\n")), (2, 1), output)
                self.assertIn(message, output)

    def test_full_disk(self):
        """The device is no last run either: to read it would never end."""
        for flag in ("--json", "--html"):
            status, output = self.run_on(PASSES, flag, "/dev/full")
            self.assertEqual((status, output.splitlines()[-1]),
                             (2, "cannot write /dev/full: No space left on device"))

    def test_bad_flags(self):
        for flags in (["--only", "("], ["--jobs", "0"], ["--time-limit", "0"], ["--engine", " "]):
            with self.subTest(flags=flags), self.assertRaisesRegex(SystemExit, "2"):
                self.run_on(PASSES, *flags)

    def test_names_of_engines(self):
        self.assertEqual(regress.name_engines(["a/keima -x", "b/keima", "new=keima", "keima --a=b"]),
                         [("keima", "a/keima -x"), ("keima-2", "b/keima"), ("new", "keima"),
                          ("keima-3", "keima --a=b")])


class Bar:
    """Stands for the progress bar, which would look at the terminal."""

    def __init__(self, **_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def update(self, _):
        pass

    def set_postfix(self, **_):
        pass

    def write(self, text: str):
        print(text)


if __name__ == "__main__":
    unittest.main()
