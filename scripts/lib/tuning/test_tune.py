"""The program scripts/tune: with games that are made up, and once with fake engines."""

import contextlib
import io
import json
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

from lib.game import Record
from lib.gtp import EngineDied, Response
from lib.testing import FAKE, FAKE_PROGRAM
from lib.tuning import duel, plot, tune
from lib.tuning.duel import Outcome
from lib.tuning.parameters import ParameterError, read


class Keima:
    """Answers about parameters as keima does."""

    VALUES = {"ko": "0.4", "visits": "0"}

    def __init__(self, command: str = ""):
        if command.startswith("broken"):
            raise EngineDied("cannot start it")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def send(self, command: str) -> Response:
        word, name, *_ = [*command.split(), ""]
        if word == "kata-get-param" and name in self.VALUES:
            return Response(True, self.VALUES[name], 0.0)
        if word == "kata-set-param" and name in self.VALUES:
            return Response(False, f"{name} must be from 0 to 10", 0.0)
        return Response(False, "unknown parameter", 0.0)


class Parameters(unittest.TestCase):
    """Words of the command line."""

    def test_what_the_engine_tells(self):
        ko, visits = read(["ko", "visits:3"], Keima(), {"visits": 5.0})
        self.assertEqual((ko.start, ko.step, ko.low, ko.high), (0.4, 0.08, 0.0, 10.0))
        self.assertEqual((visits.start, visits.step), (5.0, 3.0))
        self.assertEqual(read(["visits"], Keima(), {})[0].step, 0.2)

    def test_own_range(self):
        self.assertEqual(read(["x:1:-2:2"], Keima(), {"x": 0.0})[0].low, -2.0)

    def test_bad_words(self):
        for word, starts, message in (
                ("ko:0", {}, "positive step"), ("ko:x", {}, "positive step"), ("ko:1:2", {}, "positive step"),
                (":1", {}, "positive step"), ("ko:nan", {}, "positive step"),
                ("other", {}, "tells no number for other"), ("other", {"other": 1.0}, "tells no range for other"),
                ("ko", {"ko": 11.0}, "cannot start at 11"), ("ko", {"visits": 1.0}, "visits has a start")):
            with self.subTest(word=word, starts=starts), self.assertRaisesRegex(ParameterError, message):
                read([word], Keima(), starts)
        with self.assertRaisesRegex(ParameterError, "named twice"):
            read(["ko", "ko:1"], Keima(), {})


class Games(unittest.TestCase):
    """What games tell."""

    def test_results(self):
        outcome = duel.tell([Record(1, "plus", "minus", result="B+3.5"),
                             Record(2, "minus", "plus", result="W+Resign"),
                             Record(3, "plus", "minus", result="0"),
                             Record(4, "minus", "plus", result="B+Time"),
                             Record(5, "plus", "minus", result="W+Forfeit", reason="crash: of plus"),
                             Record(6, "minus", "plus", reason="too long")])
        self.assertEqual((outcome.result, outcome.games, outcome.faults),
                         (0.25, 4, ["crash: of plus", "too long"]))

    def test_place_of_the_flag(self):
        self.assertEqual(duel.with_params("keima", Path("a b")), "keima --params 'a b'")
        self.assertEqual(duel.with_params("x {params} y", Path("p")), "x --params p y")


class Program(unittest.TestCase):
    """Each test has a folder of its own, and games in which the larger `ko` wins."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out, self.state = self.folder / "t.json", self.folder / "t.state"
        self.duels = 0
        self.stop_after = 1000

    def play(self, plus: dict, minus: dict, _seed: int) -> Outcome:
        if self.duels == self.stop_after:
            raise KeyboardInterrupt
        self.duels += 1
        return Outcome(1.0 if plus["ko"] > minus["ko"] else -1.0, 2)

    def run_with(self, *words: str, engine: str = "keima", play=None, draw=mock.Mock()) -> tuple[int, str]:
        """Exit status and all output. Pictures take time, so that only one test draws them."""
        output = io.StringIO()
        words = ["tune", "--engine", engine, "--iterations", "6", "--out", str(self.out), *words]
        games = mock.Mock(play=play or self.play)
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), \
                mock.patch("sys.argv", words), mock.patch.object(tune.plot, "draw", draw), \
                mock.patch.multiple(tune, Engine=Keima, Duel=lambda *_: games):
            return tune.main(), output.getvalue()

    def test_values_move_to_the_winner(self):
        status, output = self.run_with("ko", "visits:1", "--plot", str(self.folder / "t.png"), draw=plot.draw)
        self.assertEqual(status, 0, output)
        values = json.loads(self.out.read_text("utf-8"))
        self.assertGreater(values["ko"], 0.4 + 0.08 / 2)
        self.assertEqual(set(values), {"ko", "visits"})
        self.assertIn("6 iterations, 12 games", output)
        self.assertTrue((self.folder / "t.png").read_bytes().startswith(b"\x89PNG"))

    def test_going_on_after_an_interrupt_or_a_kill(self):
        self.stop_after = 3
        status, output = self.run_with("ko")
        self.assertEqual(status, 130)
        self.assertIn("interrupted after 3 iterations", output)
        with open(self.state, "ab") as state:
            state.write(b'{"iteration": 3, "val')  # killed while it wrote
        self.stop_after = 1000
        self.assertEqual(self.run_with("ko")[0], 0)
        self.assertEqual(self.duels, 6)
        in_two_goes = self.out.read_text("utf-8")
        self.state.unlink()
        self.assertEqual(self.run_with("ko")[0], 0)
        self.assertEqual(self.out.read_text("utf-8"), in_two_goes)

    def test_bad_input_is_told_in_one_line(self):
        self.run_with("ko")
        for words, engine, message in (
                (["ko", "--seed", "2"], "keima", "belongs to a tuning with other seed"),
                (["none"], "keima", "tells no number for none"),
                (["ko"], "broken", "cannot start it"),
                (["ko", "--referee", "broken"], "keima", "cannot start it"),
                (["ko", "--start", "/no/where"], "keima", "cannot read /no/where: No such file"),
                (["ko", "--state", str(self.out), "--out", str(self.folder / "o")], "keima",
                 "t.json: is no log of a tuning"),
                (["ko", "--out", str(self.folder)], "keima", "it is a folder"),
                (["ko", "--plot", str(self.folder / "x.abc")], "keima", "has to end with"),
                (["ko", "--state", "/dev/null/x"], "keima", "cannot write /dev/null"),
                (["ko", "--state", "/dev/full"], "keima", "cannot use the log /dev/full: it is no regular"),
                (["ko", "--out", "/dev/full", "--state", str(self.folder / "s"), "--plot",
                  str(self.folder / "p.svg")], "keima", "cannot write /dev/full: No space left on device"),
                (["ko", "--cluster", "nowhere://", "--state", str(self.folder / "c")], "keima",
                 "no cluster at nowhere"),
        ):
            with self.subTest(message=message):
                status, output = self.run_with(*words, engine=engine)
                self.assertEqual((status, output.count("\n")), (2, 1), output)
                self.assertIn(message, output)

    def test_bad_flags(self):
        for words, engine, message in (
                (["ko"], " ", "--engine needs a command"), (["ko"], "'", "No closing quotation"),
                (["ko", "--pairs", "0"], "keima", "no positive number"),
                (["ko", "--size", "26"], "keima", "--size has to be from 2 to 25"),
                (["ko", "--plot", str(self.out)], "keima", "three files")):
            with self.subTest(message=message), self.assertRaises(SystemExit), \
                    mock.patch("argparse.ArgumentParser.error", side_effect=SystemExit) as error:
                self.run_with(*words, engine=engine)
            self.assertIn(message, error.call_args.args[0])

    def test_games_that_only_crash_end_it(self):
        status, output = self.run_with("ko", play=lambda *_: Outcome(0.0, 0, ["crash: it died"] * 2))
        self.assertEqual(status, 2)
        self.assertIn("6 of 6 games do not count, the last one: crash: it died", output)


class Whole(unittest.TestCase):
    """Engines, referee, files: one iteration."""

    ENGINE = """\
        import json, runpy, sys
        words = sys.argv[1:3]
        x = json.load(open(words[1]))["x"] if words else 1.0
        sys.argv = [sys.argv[0], *(["--fault", "resign"] if x < 0.5 else [])]
        runpy.run_path({fake!r}, run_name="__main__")
        """

    def tuned(self, *words: str) -> tuple[float, str]:
        """The value of x after an iteration, and the output."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            engine = folder / "engine.py"
            engine.write_text(textwrap.dedent(self.ENGINE).format(fake=str(FAKE_PROGRAM)), encoding="utf-8")
            start = folder / "start.json"
            start.write_text('{"x": 0.5}', encoding="utf-8")
            words = ["tune", "--engine", f"{sys.executable} {engine} {{params}}", "--start", str(start),
                     "--referee", FAKE, "--iterations", "1", "--jobs", "2",
                     "--openings", "0", "--out", str(folder / "t.json"), "x:0.1:0:1", *words]
            output = io.StringIO()
            with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()), \
                    mock.patch("sys.argv", words), mock.patch.object(tune.plot, "draw"):
                self.assertEqual(tune.main(), 0)
            return json.loads((folder / "t.json").read_text("utf-8"))["x"], output.getvalue()

    def test_one_iteration(self):
        x, output = self.tuned()
        self.assertGreater(x, 0.5)
        self.assertIn("1 iterations, 2 games\n", output)

    def test_on_a_cluster(self):
        """The values come to the workers without a file of this process."""
        x, output = self.tuned("--cluster", "local", "--pairs", "2")
        self.assertGreater(x, 0.5)
        self.assertIn("1 iterations, 4 games\n", output)


if __name__ == "__main__":
    unittest.main()
