"""Regression files (.tst) in the form of GNU Go and gogui-regress: reading them, and judging answers.

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
between, on an engine that does not list the command. Other comments mean nothing.

A bracket that is not closed, which one of GNU Go's own suites leaves, closes at the end of its line.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from lib.gtp import Response

EXPECTATION = re.compile(r"#\?\s*([=+!-]?)\s*\[(?:(.*)\]\s*([*&]*)|([^\]]*))\s*$")
COMMAND = re.compile(r"(\d*)\s*([A-Za-z][\w-]*(?:\s.*)?)$")
FLAGS = re.IGNORECASE | re.DOTALL


class SuiteError(Exception):
    """A file that cannot be read as a regression suite; the text names file and line."""


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
        kind, body, marks, unclosed = match.groups(default="")
        expectation = cls(kind, body or unclosed.strip(), "*" in marks, "&" in marks)
        if kind in ("", "!"):
            try:
                re.compile(expectation.pattern)
            except re.error as error:
                raise ValueError(f"bad regular expression: {error}") from None
        return expectation

    @property
    def negated(self) -> bool:
        """Whether the answer is to differ from what the body says."""
        return self.kind == "-" or not self.kind and self.body.startswith("!")

    @property
    def pattern(self) -> str:
        """The body without the sign of negation."""
        return self.body if self.kind else self.body.removeprefix("!")

    def holds(self, response: Response) -> bool:
        """Whether the engine's answer is the expected one."""
        if self.kind == "!":
            return not response.ok and bool(re.search(self.pattern, response.text, FLAGS))
        if not response.ok:
            return False
        if not self.kind:
            return bool(re.fullmatch(self.pattern, response.text, FLAGS)) != self.negated
        wanted, words = self.body.lower().split(), response.text.lower().split()
        if self.kind == "=":
            return sorted(wanted) == sorted(words)
        return set(wanted) <= set(words) if self.kind == "+" else not set(wanted) & set(words)

    def __str__(self) -> str:
        return f"#?{self.kind} [{self.body}]" + "*" * self.known_fail


@dataclass
class Step:
    """One command of a file; a test if it has an expectation."""

    line: int
    command: str
    number: str = ""  # unique in its file: the second test 10 is called 10#2
    expectation: Expectation | None = None
    timeout: float | None = None
    requires: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The command word."""
        return self.command.split()[0]


@dataclass(frozen=True)
class Suite:
    """A file that was read. Its commands name files relative to its folder."""

    path: Path
    steps: list[Step]

    @property
    def tests(self) -> list[Step]:
        """The steps that can pass or fail."""
        return [step for step in self.steps if step.expectation]


def read(path: Path) -> Suite:
    """Read a regression file. Raises `SuiteError` if it cannot be read or a line makes no sense."""
    try:
        text = path.read_text("utf-8", "replace")
    except OSError as error:
        raise SuiteError(f"cannot read suite {path}: {error.strerror}") from None
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.take(number, line.strip())
        except ValueError as error:
            raise SuiteError(f"{path}:{number}: {error}") from None
    return Suite(path, reader.steps)


class _Reader:
    """The steps so far, and the directives that wait for their test."""

    def __init__(self):
        self.steps: list[Step] = []
        self._timeout: float | None = None
        self._requires: list[str] = []
        self._uses: dict[str, int] = {}  # how often a test number has come

    def take(self, line: int, text: str) -> None:
        """Read one line; raises `ValueError` if it makes no sense."""
        if text.startswith("#?"):
            if not self.steps or not self.steps[-1].number or self.steps[-1].expectation:
                raise ValueError("expectation without a numbered command before it")
            self.steps[-1].expectation = Expectation.parse(text)
        elif text.startswith("#@"):
            self._directive(text[2:])
        elif command := text.partition("#")[0].strip():
            self._command(line, command)

    def _directive(self, text: str) -> None:
        name, _, value = text.strip().partition(" ")
        if name == "timeout":
            self._timeout = float(value)
        elif name == "require" and value:
            self._requires.append(value.strip())
        else:
            raise ValueError(f"unknown directive `{name}`")

    def _command(self, line: int, text: str) -> None:
        match = COMMAND.match(text)
        if not match:
            raise ValueError(f"this is no GTP command: {text[:60]!r}")
        number, command = match.groups()
        self._uses[number] = uses = self._uses.get(number, 0) + 1
        unique = f"{number}#{uses}" if number and uses > 1 else number
        self.steps.append(Step(line, command, unique, None, self._timeout, list(self._requires)))
        if number:
            self._timeout, self._requires = None, []
