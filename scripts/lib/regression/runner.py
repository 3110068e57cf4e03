"""One engine takes one suite: every test becomes a result, whatever the engine does.

An engine that crashes, hangs or prints garbage fails the test at hand with that reason; a fresh
process, brought to the same state, goes on with the next one. Only an engine that does not
even come so far, twice in a row, is given up, and fails the rest.

The state is brought back by what the suite has sent: its set-up lines, and those tests that
changed something, which are the ones with an empty answer. Moves and positions before the last
`loadsgf` or `clear_board` are left out, and a generated move is played, not thought of again.
"""

import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from enum import Enum

from lib.diagram import Position
from lib.gtp import Engine, EngineError, Response
from lib.regression import position
from lib.regression.suite import Step, Suite

START_SECONDS = 30.0  # what an engine gets to come up, before any time limit counts
STARTS_FAILED_MAX = 2  # in a row

# Slow, and without effect on later tests: not even sent when `only` does not select them.
PURE_QUERIES = {"reg_genmove", "gg_genmove", "restricted_genmove"}
NEW_POSITION = {"loadsgf", "clear_board"}
HANDICAP = {"fixed_handicap", "place_free_handicap", "set_free_handicap"}
MOVES = HANDICAP | {"play", "black", "white", "undo", "gg-undo", "trymove", "tryko", "popgo",
                    "gogui-play_sequence", "gogui-setup", "genmove"}


class Verdict(Enum):
    """Outcome of a test, named as GNU Go's regression tools name it: capitals are news."""

    PASSED = "pass"
    UNEXPECTED_PASS = "PASS"
    UNEXPECTED_FAIL = "FAIL"
    KNOWN_FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Result:
    """One judged test; a set-up line shows up here, without number, only if it failed."""

    number: str
    line: int
    command: str
    expected: str
    got: str
    verdict: Verdict
    seconds: float = 0.0
    fault: str = ""  # how the engine failed as a program: crash, hang, garbage
    position: Position | None = None  # of a failed test, where the engine can tell it

    @property
    def passed(self) -> bool:
        """The answer is right, expected or not."""
        return self.verdict in (Verdict.PASSED, Verdict.UNEXPECTED_PASS)

    @property
    def failed(self) -> bool:
        """The answer is wrong; neither this nor `passed` holds for what was skipped."""
        return self.verdict in (Verdict.KNOWN_FAIL, Verdict.UNEXPECTED_FAIL)

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same test in another run of the suite."""
        return self.number, self.command

    def as_json(self) -> dict:
        """Plain data."""
        return asdict(self) | {"verdict": self.verdict.value}

    @classmethod
    def from_json(cls, data: dict) -> "Result":
        """The inverse; raises `KeyError`, `TypeError` or `ValueError` on other data."""
        board = data["position"]
        return cls(**data | {"verdict": Verdict(data["verdict"]),
                             "position": Position(**board) if board else None})


class Runner:
    """Takes an engine through a suite. Use `results` once; `stop` may come from any thread."""

    def __init__(self, engine: str, start: Callable[[], Engine], suite: Suite,
                 only: re.Pattern | None = None):
        """`engine` is a name, `start` makes a process of it in the suite's folder."""
        self.engine, self.suite = engine, suite
        self.seconds = 0.0  # once it has ended
        self._start, self._only = start, only
        self._process: Engine | None = None
        self._starts_failed = 0
        self._gone: EngineError | None = None  # why it was given up
        self._history: list[str] = []  # what brings a fresh engine to the state of this one
        self._broken = ""  # why the position is not the one that the suite means, since the last new one
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End soon: no further step is taken, a running one is cut off."""
        self._stopped.set()
        self._close()

    def results(self) -> Iterator[Result]:
        """The results as they come."""
        start = time.monotonic()
        try:
            for step in self.suite.steps:
                result = None if self._stopped.is_set() else self._take(step)
                if self._stopped.is_set():
                    return  # what came of an engine that was cut off means nothing
                if result:
                    yield result
        finally:
            self._close()
            self.seconds = round(time.monotonic() - start, 3)

    def _take(self, step: Step) -> Result | None:
        selected = not self._only or bool(self._only.search(f"{step.number} {step.command}"))
        is_told = selected or not step.number
        if self._gone:
            got = f"engine is gone ({self._gone})"
            return _fail(step, got, self._gone.kind) if step.expectation and selected else None
        try:
            engine = self._engine()
            if not all(engine.lists(name) for name in step.requires):
                got = "needs " + ", ".join(step.requires)
                return _result(step, got, Verdict.SKIPPED) if step.expectation and selected else None
            if step.expectation and self._broken and step.name not in NEW_POSITION:
                return _fail(step, f"not asked: {self._broken}") if selected else None
            if not selected and step.name in PURE_QUERIES:
                return None
            response = engine.send(step.command, step.timeout)
        except EngineError as error:
            self._close()
            self._note_failure(step)
            return _fail(step, str(error), error.kind, self._photograph()) if is_told else None
        if response.ok:
            self._remember(step, response)
        elif not step.number:
            self._note_failure(step)
        verdict = judge(step, response)
        if not is_told or verdict is None:
            return None
        photograph = self._photograph() if verdict in (Verdict.UNEXPECTED_FAIL, Verdict.KNOWN_FAIL) else None
        return _result(step, str(response), verdict, response.seconds, position=photograph)

    def _engine(self) -> Engine:
        """The running engine, or a fresh one in its state. Raises an `EngineError`."""
        if self._process:
            return self._process
        try:
            self._process = self._start()
            self._process.send("protocol_version", max(START_SECONDS, self._process.timeout))
            for command in self._history:
                self._process.send(command)
        except EngineError as error:
            self._close()
            self._starts_failed += 1
            if self._starts_failed == STARTS_FAILED_MAX:
                self._gone = error
            raise
        self._starts_failed = 0
        return self._process

    def _photograph(self) -> Position | None:
        try:
            return position.ask(self._engine()) if not self._gone and not self._stopped.is_set() else None
        except EngineError:
            self._close()  # the next step gets a fresh one
            return None

    def _remember(self, step: Step, response: Response) -> None:
        if step.name in NEW_POSITION:
            self._broken = ""
            self._history = [command for command in self._history
                             if command.split()[0] not in NEW_POSITION | MOVES]
        if step.name == "genmove":
            if response.text.lower() != "resign":
                self._history.append(f"play {step.command.split()[1]} {response.text}")
        elif not step.number or not response.text or step.name in HANDICAP:
            self._history.append(step.command)

    def _note_failure(self, step: Step) -> None:
        """After a position that could not be set up, no answer would mean anything."""
        if not step.number and step.name in NEW_POSITION | MOVES:
            self._broken = self._broken or f"the set-up failed in line {step.line}"

    def _close(self) -> None:
        process, self._process = self._process, None
        if process:
            process.close()


def run_all(runners: list[Runner], jobs: int) -> Iterator[tuple[Runner, Result | None]]:
    """Take all engines through their suites, `jobs` at a time; results as they come, None at an end.

    Where the caller gives up (Ctrl-C), the engines are ended.
    """
    done: queue.SimpleQueue = queue.SimpleQueue()

    def run(runner: Runner) -> None:
        try:
            for result in runner.results():
                done.put((runner, result))
        finally:
            done.put((runner, None))

    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run, runner) for runner in runners]
        try:
            running = len(runners)
            while running:
                runner, result = done.get()
                running -= result is None
                yield runner, result
            for future in futures:
                future.result()  # a bug in a runner is not to pass in silence
        finally:
            for future in futures:
                future.cancel()
            for runner in runners:
                runner.stop()


def judge(step: Step, response: Response) -> Verdict | None:
    """What the answer means; None where there is nothing to tell."""
    expectation = step.expectation
    if expectation is None:
        return None if response.ok or step.number else Verdict.UNEXPECTED_FAIL
    if expectation.ignored:
        return Verdict.SKIPPED
    if expectation.holds(response):
        return Verdict.UNEXPECTED_PASS if expectation.known_fail else Verdict.PASSED
    return Verdict.KNOWN_FAIL if expectation.known_fail else Verdict.UNEXPECTED_FAIL


def _fail(step: Step, got: str, fault: str = "", board: Position | None = None) -> Result:
    """An engine that fails as a program is news even in a test that is known to fail."""
    return _result(step, got, Verdict.UNEXPECTED_FAIL, fault=fault, position=board)


def _result(step: Step, got: str, verdict: Verdict, seconds: float = 0.0, **more) -> Result:
    expected = str(step.expectation) if step.expectation else "success (a set-up line)"
    return Result(step.number, step.line, step.command, expected, got, verdict,
                  round(seconds, 3), **more)
