"""Results as JSON and back, changes between runs, differences between engines."""

import json
import tempfile
import unittest
from pathlib import Path

from lib.diagram import Position
from lib.regression import compare, results
from lib.regression.results import EngineInfo, ResultsError, Run, SuiteRun
from lib.regression.runner import Result, Verdict


def run(**engines: str) -> Run:
    """A run of one suite. `keima="pass FAIL"`: its verdicts of tests 10, 20 and so on; `-` for none."""
    return Run("today", [EngineInfo(name, name) for name in engines],
               [SuiteRun(name, "x.tst", tests(words.split())) for name, words in engines.items()])


def tests(words: list[str]) -> list[Result]:
    """Results with these verdicts."""
    return [Result(str(10 * i), i, "name", "#? [x]", word, Verdict(word))
            for i, word in enumerate(words, 1) if word != "-"]


class Changes(unittest.TestCase):
    """Against the last run."""

    ROWS = [  # before, now, newly failing, newly passing, whether it is worse
        ("pass", "pass", [], [], False),
        ("pass", "FAIL", ["10"], [], True),
        ("pass", "fail", ["10"], [], False),  # it was marked as known to fail since then
        ("FAIL", "FAIL", [], [], False),
        ("fail", "PASS", [], ["10"], False),
        ("PASS", "pass", [], [], False),
        ("FAIL pass", "pass FAIL", ["20"], ["10"], True),
        ("skipped", "FAIL", [], [], False),
    ]

    def test_rows(self):
        for before, now, failing, passing, is_worse in self.ROWS:
            with self.subTest(before=before, now=now):
                found = compare.changes(run(keima=now), run(keima=before))
                self.assertEqual([change.now.number for change in found.newly_failing], failing)
                self.assertEqual([change.now.number for change in found.newly_passing], passing)
                self.assertEqual(found.is_worse, is_worse)

    def test_tests_of_one_run_only(self):
        found = compare.changes(run(keima="pass - FAIL", other="pass"), run(keima="pass pass -"))
        self.assertEqual((found.compared, found.added, found.removed), (1, 2, 1))
        self.assertFalse(found.is_worse)

    def test_set_up_line_that_fails_now(self):
        now, before = run(keima="pass"), run(keima="pass")
        line = Result("", 1, "loadsgf x.sgf", "success", "? cannot load file", Verdict.UNEXPECTED_FAIL)
        now.runs[0].results.append(line)
        self.assertTrue(compare.changes(now, before).is_worse)
        self.assertFalse(compare.changes(now, now).is_worse)


class Differences(unittest.TestCase):
    """Between engines."""

    def test_differences(self):
        found = compare.differences(run(a="pass pass FAIL fail skipped", b="pass FAIL pass FAIL FAIL"))
        self.assertEqual([difference.results["a"].number for difference in found], ["20", "30"])

    def test_one_engine(self):
        self.assertEqual(compare.differences(run(a="pass FAIL")), [])


class Files(unittest.TestCase):
    """JSON, and files that are none."""

    def test_round_trip(self):
        board = Position(9, 9, ["A1"], [], "A1")
        before = run(keima="pass FAIL")
        before.runs[0].results.append(
            Result("30", 3, "die", "#? []", "died", Verdict.UNEXPECTED_FAIL, 0.5, "crash", board))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.json"
            before.write(path)
            self.assertEqual(Run.read(path), before)
            data = json.loads(path.read_text("utf-8"))
        self.assertEqual(data["totals"]["keima"], {"pass": 1, "PASS": 0, "fail": 0, "FAIL": 2, "skipped": 0})
        self.assertEqual(data["runs"][0]["faults"], {"crash": 1})

    def test_other_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.json"
            for text in ("", "{}", "[]", '{"format": "else"}', f'{{"format": "{results.FORMAT}", "runs": 3}}'):
                path.write_text(text, encoding="utf-8")
                with self.subTest(text=text), \
                        self.assertRaisesRegex(ResultsError, "x.json is not from scripts/regress"):
                    Run.read(path)


if __name__ == "__main__":
    unittest.main()
