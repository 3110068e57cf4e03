"""Reading regression files, judging answers, and the program scripts/regress itself."""

import json
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

from lib import tst
from lib.gtp import Engine, Response
from lib.tst import Expectation
from lib.test_gtp import FAKE

REGRESS = Path(__file__).resolve().parents[1] / "regress"


class Judging(unittest.TestCase):
    """One row per rule: expectation, answer, whether it holds."""

    ROWS = [
        ("#? [D4]", "d4", True),
        ("#? [D4]", "D44", False),
        ("#? [A1|B2]", "B2", True),
        ("#? [1 (A1|B2)]", "1 B2", True),
        ("#? []", "", True),
        ("#? [a.*b]", "a\nx\nb", True),
        ("#?[0]", "0", True),
        ("#? [!A1]", "B2", True),
        ("#? [!A1]", "a1", False),
        ("#? [!A1]", "? unknown command", False),
        ("#? [.*]", "? unknown command", False),
        ("#?= [A1 B2]", "B2 a1", True),
        ("#?= [A1 B2]", "A1", False),
        ("#?= [A1]", "A1 A1", False),
        ("#?= []", "", True),
        ("#?+ [A1 B2]", "C3 B2 A1", True),
        ("#?+ [A1 B2]", "C3 B2", False),
        ("#?- [A1 B2]", "C3", True),
        ("#?- [A1 B2]", "C3 A1", False),
        ("#?- [A1]", "? error", False),
        ("#?! [illegal]", "? illegal move", True),
        ("#?! [illegal]", "illegal move", False),
        ("#?! [^move]", "? illegal move", False),
    ]

    def test_rows(self):
        for line, answer, holds in self.ROWS:
            with self.subTest(line=line, answer=answer):
                ok = not answer.startswith("?")
                response = Response(ok, answer.removeprefix("? "), 0.0)
                self.assertEqual(Expectation.parse(line).holds(response), holds)

    def test_marks(self):
        self.assertTrue(Expectation.parse("#? [x]*").known_fail)
        self.assertTrue(Expectation.parse("#? [x]&").ignored)
        self.assertFalse(Expectation.parse("#? [x*]").known_fail)


class Reading(unittest.TestCase):
    """Lines to steps."""

    def parse(self, text: str) -> list[tst.Step]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.tst"
            path.write_text(textwrap.dedent(text), encoding="utf-8")
            return tst.parse(path)

    def test_steps(self):
        steps = self.parse("""\
            # a comment
            loadsgf x.sgf 3   # and another

            #@ timeout 2.5
            #@ require foo
            play b A1
            10 foo A1
            #? [1]*
            20 bar
            """)
        self.assertEqual([step.command for step in steps],
                         ["loadsgf x.sgf 3", "play b A1", "foo A1", "bar"])
        self.assertEqual([step.line for step in steps], [2, 6, 7, 9])
        self.assertEqual([step.timeout for step in steps], [None, 2.5, 2.5, None])
        self.assertEqual([step.requires for step in steps], [[], ["foo"], ["foo"], []])
        self.assertEqual(steps[2].expectation, Expectation("", "1", known_fail=True))

    def test_bad_lines_are_named(self):
        for text in ("#? [1]", "name\n#? [1]", "1 name\n#? [(]", "1 name\n#? 1",
                     "#@ color blue", "#@ timeout soon", "1 name\n#? [1]\n#? [2]"):
            with self.subTest(text=text), self.assertRaisesRegex(tst.TstError, r"x\.tst:\d+: "):
                self.parse(text)

    def verdicts(self, text: str, only: str | None = None) -> list[tuple[int, str]]:
        with Engine(FAKE, timeout=0.5) as engine:
            results = tst.run(self.parse(text), engine, re.compile(only) if only else None)
            return [(result.line, result.verdict.value) for result in results]

    def test_verdicts(self):
        self.assertEqual(self.verdicts("""\
            1 echo x
            #? [x]
            2 echo x
            #? [x]*
            3 echo x
            #? [y]
            4 echo x
            #? [y]*
            5 echo x
            #? [y]&
            #@ require no_such_thing
            no_such_thing set up
            6 no_such_thing
            #? []
            7 echo without expectation
            """), [(1, "pass"), (3, "PASS"), (5, "FAIL"), (7, "fail"), (9, "skipped"),
                   (13, "skipped")])

    def test_failed_set_up_counts(self):
        self.assertEqual(self.verdicts("loadsgf nowhere.sgf\n"), [(1, "FAIL")])

    def test_only_still_sends_what_changes_the_board(self):
        self.assertEqual(self.verdicts("""\
            10 play b A1
            #? []
            20 play b A1
            #?! [illegal]
            """, only="^20"), [(3, "pass")])

    def test_dead_engine_fails_every_later_test(self):
        for command in ("die", "hang", "garble"):
            with self.subTest(command=command):
                self.assertEqual(self.verdicts(f"""\
                    1 {command}
                    #? [x]*
                    name
                    2 name
                    #? [Fake]
                    """), [(1, "FAIL"), (4, "FAIL")])

    def test_timeout_directive(self):
        self.assertEqual(self.verdicts("#@ timeout 0.05\n1 hang\n#? []\n"), [(2, "FAIL")])


class Program(unittest.TestCase):
    """The program: exit status, report, JSON."""

    def run_on(self, text: str, engine: str = FAKE) -> tuple[subprocess.CompletedProcess, dict]:
        with tempfile.TemporaryDirectory() as folder:
            suite, report = Path(folder) / "x.tst", Path(folder) / "x.json"
            suite.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, REGRESS, "--engine", engine, "--json", report, suite],
                                  capture_output=True, text=True, check=False)
            return done, json.loads(report.read_text("utf-8")) if report.exists() else {}

    def test_pass(self):
        done, report = self.run_on("1 name\n#? [fake]\n")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(report["totals"],
                         {"pass": 1, "PASS": 0, "FAIL": 0, "fail": 0, "skipped": 0})
        self.assertEqual(report["files"][0]["tests"][0]["command"], "1 name")

    def test_fail(self):
        done, _ = self.run_on("1 name\n#? [GNU Go]\n")
        self.assertEqual(done.returncode, 1)
        for part in ("x.tst:1", "1 name", "[GNU Go]", "Fake"):
            self.assertIn(part, done.stdout)

    def test_unreadable_file(self):
        self.assertEqual(self.run_on("#? [1]\n")[0].returncode, 2)

    def test_engine_that_does_not_start(self):
        done, _ = self.run_on("1 name\n#? [x]\n", engine="no-such-engine")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot start", done.stdout)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
