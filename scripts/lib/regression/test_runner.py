"""One engine through one suite, with engines that fail in every way."""

import re
import tempfile
import textwrap
import unittest
from pathlib import Path

from lib.diagram import Position
from lib.gtp import EngineDied, EngineGarbage, EngineTimeout, Response
from lib.regression import suite
from lib.regression.runner import Result, Runner, run_all

FAIL = "FAIL"


class Stub:
    """An engine without a process: it knows which points are taken, and how to fail."""

    FAULTS = {"die": EngineDied, "hang": EngineTimeout, "garble": EngineGarbage}
    KNOWN = {"name", "echo", "clear_board", "boardsize", "play", "genmove", "protocol_version",
             "list_stones", "query_boardsize"}
    timeout = 1.0

    def __init__(self):
        self.moves: list[tuple[str, str]] = []
        self.timeouts: list[float | None] = []

    def lists(self, name: str) -> bool:
        return name in self.KNOWN

    def close(self) -> None:
        pass

    def send(self, command: str, timeout: float | None = None) -> Response:
        name, *words = command.split()
        self.timeouts.append(timeout)
        if name in self.FAULTS:
            raise self.FAULTS[name](f"{name} it did")
        try:
            return Response(True, self.answer(name, words), 0.0)
        except ValueError as error:
            return Response(False, str(error), 0.0)

    def answer(self, name: str, words: list[str]) -> str:
        if name not in self.KNOWN:
            raise ValueError("unknown command")
        if name == "clear_board":
            self.moves.clear()
        elif name == "genmove":
            self.moves.append((words[0], "B1"))
            return "B1"
        elif name == "play":
            if words[1] in [vertex for _, vertex in self.moves]:
                raise ValueError("illegal move")
            self.moves.append((words[0], words[1]))
        elif name == "list_stones":
            return " ".join(vertex for color, vertex in self.moves if color == words[0][0])
        answers = {"name": "Fake", "query_boardsize": "9", "echo": " ".join(words).replace("|", "\n")}
        return answers.get(name, "")


def never_starts() -> Stub:
    raise EngineDied("cannot start")


def read(text: str) -> suite.Suite:
    """A suite with this text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.tst"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return suite.read(path)


def take(text: str, start=Stub, only: str | None = None) -> list[Result]:
    """The results of a suite with this text."""
    return list(Runner("fake", start, read(text), re.compile(only) if only else None).results())


def verdicts(*arguments, **options) -> list[tuple[int, str]]:
    return [(result.line, result.verdict.value) for result in take(*arguments, **options)]


class Verdicts(unittest.TestCase):
    """An engine that behaves."""

    def test_verdicts(self):
        self.assertEqual(verdicts("""\
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

    def test_lines_of_an_answer(self):
        self.assertEqual(verdicts("1 echo a|b\n#? [a\\nb]\n"), [(1, "pass")])

    def test_failed_setting_counts_but_tests_go_on(self):
        self.assertEqual(verdicts("level 3\n1 name\n#? [fake]\n"), [(1, FAIL), (2, "pass")])

    def test_nothing_is_asked_of_a_position_that_failed(self):
        results = take("""\
            loadsgf nowhere.sgf
            1 name
            #? [fake]
            clear_board
            2 name
            #? [fake]
            """)
        self.assertEqual([result.verdict.value for result in results], [FAIL, FAIL, "pass"])
        self.assertIn("the set-up failed in line 1", results[1].got)

    def test_only_still_sends_what_changes_the_board(self):
        self.assertEqual(verdicts("""\
            10 play b A1
            #? []
            20 play b A1
            #?! [illegal]
            """, only="^20"), [(3, "pass")])


class Faults(unittest.TestCase):
    """Engines that fail as programs: the reason is told, a fresh one goes on."""

    def test_each_kind(self):
        for command, fault in (("die", "crash"), ("hang", "hang"), ("garble", "garbage")):
            with self.subTest(command=command):
                results = take(f"1 {command}\n#? [x]*\n2 name\n#? [fake]\n")
                self.assertEqual([(result.verdict.value, result.fault) for result in results],
                                 [(FAIL, fault), ("pass", "")])

    def test_time_limit_of_a_test(self):
        stub = Stub()
        take("#@ timeout 0.1\n1 name\n#? [fake]\n2 name\n#? [fake]\n", lambda: stub)
        self.assertEqual(stub.timeouts[1:], [0.1, None])

    def test_the_fresh_engine_gets_the_state_of_the_old_one(self):
        self.assertEqual(verdicts("""\
            boardsize 9
            play b A1
            10 genmove w
            #? [B1]
            20 die
            #? []
            30 play b A1
            #?! [illegal]
            40 play b B1
            #?! [illegal]
            50 play b C1
            #? []
            clear_board
            60 die
            #? []
            70 play b A1
            #? []
            """), [(3, "pass"), (5, FAIL), (7, "pass"), (9, "pass"), (11, "pass"), (14, FAIL), (16, "pass")])

    def test_set_up_line_that_kills(self):
        self.assertEqual([(result.number, result.verdict.value) for result in take("die\n1 name\n#? [fake]\n")],
                         [("", FAIL), ("1", "pass")])

    def test_engine_that_never_starts_fails_all_tests(self):
        results = take("1 name\n#? [x]*\nclear_board\n2 name\n#? [x]\n3 name\n#? [x]\n", never_starts)
        tests = [result for result in results if result.number]
        self.assertEqual([(result.verdict.value, result.fault) for result in tests], [(FAIL, "crash")] * 3)
        self.assertIn("engine is gone", tests[-1].got)


class Pictures(unittest.TestCase):
    """The position of a failed test."""

    def test_only_failures_have_one(self):
        results = take("""\
            play b A1
            play w C3
            1 name
            #? [fake]
            2 name
            #? [GNU Go]
            3 die
            #? []
            """)
        board = Position(9, 9, ["A1"], ["C3"])
        self.assertEqual([result.position for result in results], [None, board, board])


class Together(unittest.TestCase):
    """Several runners at a time."""

    def test_all_results_and_one_end_each(self):
        tests = read("1 name\n#? [fake]\n2 name\n#? [fake]\n")
        runners = [Runner(name, Stub, tests) for name in "abc"]
        events = [(runner.engine, result and result.number) for runner, result in run_all(runners, 2)]
        for name in "abc":
            self.assertEqual([number for engine, number in events if engine == name], ["1", "2", None])

    def test_giving_up_ends_the_engines(self):
        runners = [Runner(name, Stub, read("1 name\n#? [fake]\n" * 1000)) for name in "ab"]
        events = run_all(runners, 1)
        next(events)
        events.close()  # returns


if __name__ == "__main__":
    unittest.main()
