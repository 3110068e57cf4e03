"""Reading regression files and judging answers."""

import tempfile
import textwrap
import unittest
from pathlib import Path

from lib.gtp import Response
from lib.regression import suite
from lib.regression.suite import Expectation


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
        ("#? [undecided", "undecided", True),  # as in GNU Go's unconditional.tst
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

    def parse(self, text: str) -> list[suite.Step]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.tst"
            path.write_text(textwrap.dedent(text), encoding="utf-8")
            return suite.read(path).steps

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
                     "#@ color blue", "#@ timeout soon", "#@ require", "1 name\n#? [1]\n#? [2]",
                     "10", "\x89PNG", "(;GM[1]SZ[9])"):
            with self.subTest(text=text), self.assertRaisesRegex(suite.SuiteError, r"x\.tst:\d+: "):
                self.parse(text)

    def test_missing_file(self):
        with self.assertRaisesRegex(suite.SuiteError, "cannot read suite nowhere.tst: No such file"):
            suite.read(Path("nowhere.tst"))

    def test_numbers_are_unique(self):
        steps = self.parse("1 name\n2name\n1 name\n1 name\n")
        self.assertEqual([step.number for step in steps], ["1", "2", "1#2", "1#3"])


if __name__ == "__main__":
    unittest.main()
