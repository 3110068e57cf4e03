"""The command line of scripts/match, and opening files: what makes a match and what is refused."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from lib.files import FileError
from lib.log import LogError
from lib.matches import match, openings, options
from lib.matches.test_match import run
from lib.testing import FAKE


def players(*words: str) -> list[tuple[str, str]]:
    """Names and commands."""
    plan = options.from_command_line([*words]).plan
    return [(player.name, player.command) for player in plan.players]


class Engines(unittest.TestCase):
    """Names and commands of engines."""

    def test_names(self):
        rows = [
            (["--engine", "x y=./p a=b", "--engine", "q"], [("x y", "./p a=b"), ("q", "q")]),
            (["--engine", "gnugo --level=1", "--engine", "gnugo --level=2"],
             [("gnugo-a", "gnugo --level=1"), ("gnugo-b", "gnugo --level=2")]),
            (["--a", "./p t=2", "--b", "x=3", "--name-b", "B"], [("p", "./p t=2"), ("B", "x=3")]),
        ]
        for words, expected in rows:
            with self.subTest(words=words):
                self.assertEqual(players(*words), expected)

    def test_known_engines(self):
        (keima, first), (gnugo, second) = players("--engine", "keima", "--engine", "Gnu=gnugo")
        self.assertEqual((keima, gnugo), ("keima", "Gnu"))
        self.assertIn("target/release/keima --threads 1", first)
        self.assertIn("gnugo --mode gtp", second)

    def test_referee(self):
        asked = options.from_command_line(["--a", "./keima-new --x", "--b", "b"])
        self.assertEqual(asked.settings.referee, "./keima-new --threads 1")


class Refusals(unittest.TestCase):
    """One line that says what is wrong."""

    def test_senseless_flags(self):
        two = ["--a", "a", "--b", "b"]
        rows = [
            ([], "name two or more engines"),
            (["--engine", "a"], "two engines at least"),
            ([*two, "--engine", "c"], "use --engine for all"),
            (["--engine", "a=x", "--engine", "a=y", "--engine", "a-a=z"], "names that differ"),
            (["--engine", "a", "--engine", " "], "an engine needs a command"),
            (["--engine", "a<b=x", "--engine", "c"], "is no name"),
            (["--engine", "'a", "--engine", "c"], "No closing quotation"),
            ([*two, "--games", "0"], "--games has to be at least 1"),
            ([*two, "--size", "26"], "end at 25"),
            ([*two, "--openings", "no-such-file"], "neither a number of plies nor a file"),
            ([*two, "--sprt", "5", "5"], "--sprt"),
            ([*two, "--alpha", "2", "--sprt", "0", "5"], "--alpha"),
            ([*two, "--two-game", "--games", "3"], "even number"),
            ([*two, "--anchor", "c"], "no engine has this name"),
            (["--engine", "a", "--engine", "b", "--engine", "c", "--sprt", "0", "5"], "two engines"),
        ]
        for words, text in rows:
            errors = io.StringIO()
            with self.subTest(words=words), contextlib.redirect_stderr(errors):
                with self.assertRaises(SystemExit) as refused:
                    options.from_command_line(words)
                self.assertEqual(refused.exception.code, 2)
                self.assertEqual(errors.getvalue().count("\n"), 1)
                self.assertIn(text, errors.getvalue())

    def test_places_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "file").touch()
            for flag in ("--out", "--log", "--sgf"):
                words = ["--a", FAKE, "--b", FAKE, "--referee", FAKE, flag, f"{folder}/file/below"]
                with self.assertRaisesRegex((FileError, LogError),
                                            f"^cannot .*{folder}/file.*: (Not a directory|File exists)$"):
                    match.run(options.from_command_line(words))


class Openings(unittest.TestCase):
    """Files with openings."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "openings.txt"

    def test_lines(self):
        self.path.write_text("# a comment\n\nE5 c3  # tengen\nA1, B2,C9\n", encoding="utf-8")
        found = openings.read(self.path, 9)
        self.assertEqual(found, {3: ("E5", "C3"), 4: ("A1", "B2", "C9")})
        self.assertEqual(sorted(openings.shuffled(found, 1)), sorted(found.values()))

    def test_garbage(self):
        rows = [("E5 X", ":1: `X` is no point of a 9x9"), ("E5\nE5 pass", ":2: `pass` is no point"),
                ("\n\nE5 e5", ":3: `e5` is there twice"), ("K1", "`K1` is no point"),
                ("# nothing", "no opening in it"), ("I1", "`I1` is no point")]
        for content, text in rows:
            self.path.write_text(content, encoding="utf-8")
            with self.subTest(content=content), self.assertRaisesRegex(ValueError, text):
                openings.read(self.path, 9)
        self.path.write_bytes(b"\xff\xfe\x00")
        with self.assertRaisesRegex(ValueError, "no text file"):
            openings.read(self.path, 9)

    def test_the_referee_sees_them_first(self):
        self.path.write_text("A1 B1\nC1 D1\n", encoding="utf-8")
        done = run("--b", FAKE, "--openings", self.path, "--referee", f"{FAKE} --refuse D1")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^.*openings.txt:2: `D1` is illegal, says the referee\n$")


if __name__ == "__main__":
    unittest.main()
