"""Regression files (.tst) in the form of GNU Go and gogui-regress, and how they are judged.

    loadsgf sgf/ladder.sgf 53      unnumbered: sets the position up, must succeed
    10 reg_genmove black           numbered: a test if an expectation follows
    #? [Q7|R8]                     the whole answer must match this regular expression

Expectations, all without regard to case (other tools read those after the first as comments):

    #? [regex]     the whole trimmed answer matches; it may have several lines
    #? [!regex]    it does not match (but it is an answer, no error)
    #?= [A1 B2]    exactly these words, in any order
    #?+ [A1 B2]    these words at least
    #?- [A1 B2]    none of these words
    #?! [regex]    an error whose message contains a match

A `*` behind the bracket marks a known fail, `&` a test whose outcome is ignored. For the next
test only: `#@ timeout SECONDS`, and `#@ require COMMAND` skips it, with the set-up lines
between, on an engine that does not list the command.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from lib.gtp import Engine, EngineError, Response

EXPECTATION = re.compile(r"#\?\s*([=+!-]?)\s*\[(.*)\]\s*([*&]*)\s*$")
NUMBERED = re.compile(r"(\d+)\s+(\S.*)")
FLAGS = re.IGNORECASE | re.DOTALL

# Slow, and without effect on later tests: not even sent when `only` does not select them.
PURE_QUERIES = ("reg_genmove", "gg_genmove", "restricted_genmove")


class TstError(Exception):
    """A file that cannot be read as a regression file; the text names the line."""


class Verdict(Enum):
    """Outcome of a test, named as GNU Go's regression tools name it: capitals are news."""

    PASSED = "pass"
    UNEXPECTED_PASS = "PASS"
    UNEXPECTED_FAIL = "FAIL"
    KNOWN_FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Expectation:
    """What stands in a `#?` line."""

    kind: str  # "", "=", "+", "-" or "!", as in the file
    body: str
    known_fail: bool = False
    ignored: bool = False

    @classmethod
    def parse(cls, line: str) -> "Expectation":
        """Read a `#?` line; raises `ValueError` (a bad regular expression included)."""
        match = EXPECTATION.match(line)
        if not match:
            raise ValueError("expected `#? [...]`")
        kind, body, marks = match.groups()
        if kind in ("", "!"):
            try:
                re.compile(body.removeprefix("!") if not kind else body)
            except re.error as error:
                raise ValueError(f"bad regular expression: {error}") from None
        return cls(kind, body, "*" in marks, "&" in marks)

    def holds(self, response: Response) -> bool:
        """Whether the engine's answer is the expected one."""
        if self.kind == "!":
            return not response.ok and bool(re.search(self.body, response.text, FLAGS))
        if not response.ok:
            return False
        if not self.kind:
            negated = self.body.startswith("!")
            pattern = self.body[1:] if negated else self.body
            return bool(re.fullmatch(pattern, response.text, FLAGS)) != negated
        wanted, words = self.body.lower().split(), response.text.lower().split()
        if self.kind == "=":
            return sorted(wanted) == sorted(words)
        return set(wanted) <= set(words) if self.kind == "+" else not set(wanted) & set(words)

    def __str__(self) -> str:
        return f"#?{self.kind} [{self.body}]"


@dataclass
class Step:
    """One command of a file; a test if it has an expectation."""

    line: int
    command: str
    number: str = ""
    expectation: Expectation | None = None
    timeout: float | None = None
    requires: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Result:
    """One judged test; a set-up line shows up here only if it failed."""

    line: int
    command: str
    expected: str
    got: str
    verdict: Verdict
    seconds: float = 0.0


def parse(path: Path) -> list[Step]:
    """Read a regression file. Raises `TstError` for a line that makes no sense."""
    steps: list[Step] = []
    timeout: float | None = None
    requires: list[str] = []
    for number, raw in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        line = raw.strip()
        try:
            if line.startswith("#?"):
                _attach(steps, Expectation.parse(line))
            elif line.startswith("#@"):
                name, value = line[2:].split()
                if name == "timeout":
                    timeout = float(value)
                elif name == "require":
                    requires.append(value)
                else:
                    raise ValueError(f"unknown directive `{name}`")
            elif command := line.partition("#")[0].strip():
                test = NUMBERED.match(command)
                steps.append(Step(number, test[2] if test else command, test[1] if test else "",
                                  None, timeout, list(requires)))
                if test:
                    timeout, requires = None, []
        except ValueError as error:
            raise TstError(f"{path}:{number}: {error}") from None
    return steps


def _attach(steps: list[Step], expectation: Expectation) -> None:
    if not steps or not steps[-1].number or steps[-1].expectation:
        raise ValueError("expectation without a numbered command before it")
    steps[-1].expectation = expectation


def run(steps: list[Step], engine: Engine, only: re.Pattern | None = None) -> Iterator[Result]:
    """Send the commands to the engine and judge its answers, as they come.

    An engine that fails as a program fails every test from there on.
    """
    failure: EngineError | None = None
    for step in steps:
        selected = not only or bool(only.search(f"{step.number} {step.command}"))
        if failure is None:
            try:
                result = _run_step(step, engine, selected)
            except EngineError as error:
                failure = error
                result = _gone(step, str(error))
        else:
            result = _gone(step, f"engine is gone ({failure})") if step.expectation else None
        if result and (selected or not step.number):
            yield result


def _run_step(step: Step, engine: Engine, selected: bool) -> Result | None:
    expectation = step.expectation
    if not all(engine.lists(name) for name in step.requires):
        got = "needs " + ", ".join(step.requires)
        return _result(step, got, Verdict.SKIPPED) if expectation else None
    if not selected and step.command.startswith(PURE_QUERIES):
        return None
    response = engine.send(step.command, step.timeout)
    if expectation is None:
        fine = response.ok or step.number
        return None if fine else _result(step, str(response), Verdict.UNEXPECTED_FAIL)
    if expectation.ignored:
        return _result(step, str(response), Verdict.SKIPPED, response.seconds)
    if expectation.holds(response):
        verdict = Verdict.UNEXPECTED_PASS if expectation.known_fail else Verdict.PASSED
    else:
        verdict = Verdict.KNOWN_FAIL if expectation.known_fail else Verdict.UNEXPECTED_FAIL
    return _result(step, str(response), verdict, response.seconds)


def _gone(step: Step, why: str) -> Result:
    """A crash is news even in a test that is known to fail."""
    return _result(step, why, Verdict.UNEXPECTED_FAIL)


def _result(step: Step, got: str, verdict: Verdict, seconds: float = 0.0) -> Result:
    expected = str(step.expectation) if step.expectation else "success (a set-up line)"
    command = f"{step.number} {step.command}".strip()
    return Result(step.line, command, expected, got, verdict, round(seconds, 3))
