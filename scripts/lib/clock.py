"""Clocks by the rules of keima's own (src/search/time.rs), in the four systems of online play.

Absolute: main time and no more. Canadian, the one that GTP's `time_settings` knows: main time,
then periods of so many moves each; a fixed time per move is its special case of no main time and
one move. Byo-yomi: main time, then so many periods; a move that ends within one gives it back
whole. Fischer: main time that grows with every move.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

CHOICES = ("--time, --main, [--main] --byo --stones (Canadian), [--main] --byo --periods (byo-yomi), "
           "--main --increment (Fischer)")


class System(StrEnum):
    """A time system, by its name in `kgs-time_settings` and `kata-time_settings`."""

    ABSOLUTE = "absolute"
    CANADIAN = "canadian"
    BYO_YOMI = "byoyomi"
    FISCHER = "fischer"


@dataclass(frozen=True)
class Wording:
    """One way to tell an engine of its clock: the command, and how `time_left` has to follow it."""

    settings: str
    by_name: bool  # the engine is told the system, not the nearest Canadian clock
    fractions: bool  # it takes fractions of seconds


@dataclass(frozen=True)
class TimeControl:
    """What both players have at the start, in seconds."""

    system: System
    main: float = 0.0
    period: float = 0.0  # length of a period; Fischer: what a move adds
    count: int = 0  # Canadian: moves of a period; byo-yomi: number of periods

    def wordings(self, lists: Callable[[str], bool]) -> Iterator[Wording]:
        """Ways to tell an engine that lists such commands, the best first.

        `kata-time_settings` knows all systems and fractions, `kgs-time_settings` all but Fischer.
        For `time_settings` byo-yomi and Fischer become a Canadian clock of one move per period,
        which never allows more than the true one once the main time is over. Whoever accepts
        settings with fractions is taken to accept them in `time_left` as well.
        """
        main, period = _number(self.main), _number(self.period)
        fractions = self.main % 1 > 0 or self.period % 1 > 0
        named = f"{self.system} {main}"
        if self.period:
            named += f" {period}"
        if self.count:
            named += f" {self.count}"
        if lists("kata-time_settings"):
            yield Wording(f"kata-time_settings {named}", by_name=True, fractions=True)
        if lists("kgs-time_settings") and self.system is not System.FISCHER:
            yield Wording(f"kgs-time_settings {named}", by_name=True, fractions=fractions)
        stones = self.count if self.system is System.CANADIAN else int(self.period > 0)
        yield Wording(f"time_settings {main} {period} {stones}", by_name=False, fractions=fractions)

    @property
    def overtime(self) -> str:
        """SGF's OT text."""
        period = _number(self.period)
        return {System.ABSOLUTE: "", System.CANADIAN: f"{self.count}/{period} Canadian",
                System.BYO_YOMI: f"{self.count}x{period} byo-yomi",
                System.FISCHER: f"{period} fischer"}[self.system]

    def __str__(self) -> str:
        """For people: `0.5 s a move`, `60 s`, `60 s + 5x10 byo-yomi`."""
        if (self.system, self.main, self.count) == (System.CANADIAN, 0, 1):
            return f"{_number(self.period)} s a move"
        main = f"{_number(self.main)} s" if self.main else ""
        return " + ".join(part for part in (main, self.overtime) if part)


class Clock:
    """What one player has left: seconds, and the moves or periods that go with them.

    `count` is as the second number of GTP's `time_left`: 0 in main time, else the moves to make in
    `time` (Canadian) or the periods left (byo-yomi).
    """

    def __init__(self, control: TimeControl):
        self.control = control
        self.time, self.count = control.main, 0
        if control.count and control.main == 0:
            self.time, self.count = control.period, control.count

    @property
    def limit(self) -> float:
        """Seconds that the next move may take at most."""
        control = self.control
        match control.system:
            case System.CANADIAN if self.count == 0:
                return self.time + control.period
            case System.BYO_YOMI if self.count == 0:
                return self.time + control.period * control.count
            case System.BYO_YOMI:
                return control.period * self.count
        return self.time

    def spend(self, seconds: float, grace: float = 0.0) -> bool:
        """Take a move's time off; false if it was too much, `grace` forgiven."""
        in_time = seconds <= self.limit + grace
        control = self.control
        left, over = max(0.0, self.time - seconds), max(0.0, seconds - self.time)
        if control.system is System.FISCHER:
            self.time = left + control.period
        elif self.count == 0 and (left > 0 or control.count == 0):
            self.time = left  # the main time goes on, or is all there is
        elif control.system is System.BYO_YOMI:
            # Whole periods that passed are gone; what is left of one comes back.
            gone = int((seconds if self.count else over) // control.period)
            self.time, self.count = control.period, max(1, (self.count or control.count) - gone)
        elif (self.count or control.count) == 1:
            self.time, self.count = control.period, control.count
        else:
            # The move that ends the main time is the first of a period.
            self.time = left if self.count else max(0.0, control.period - over)
            self.count = (self.count or control.count) - 1
        return in_time

    def time_left(self, wording: Wording) -> str:
        """The two numbers of GTP's `time_left` for an engine that was told of its clock so.

        Whole seconds are rounded down, as servers do. A byo-yomi period that was told as a
        Canadian one is for one move, however many are left.
        """
        time = f"{self.time:.3f}" if wording.fractions else str(math.floor(self.time))
        is_period = self.control.system is System.BYO_YOMI and not wording.by_name
        return f"{time} {min(self.count, 1) if is_period else self.count}"


def from_flags(**flags: float | None) -> TimeControl | None:
    """The clock that the flags of scripts/match ask for: those of `CHOICES` without the dashes.

    Raises a `ValueError`, with a text for people, where they do not make a clock.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    for name, value in given.items():
        if not 0 < value < math.inf:
            raise ValueError(f"--{name} has to be positive")
    main, byo = given.get("main", 0.0), given.get("byo", 0.0)
    match sorted(given.keys() - {"main"}):
        case [] if not main:
            return None
        case []:
            return TimeControl(System.ABSOLUTE, main)
        case ["time"] if not main:
            return TimeControl(System.CANADIAN, 0.0, given["time"], 1)
        case ["byo", "stones"]:
            return TimeControl(System.CANADIAN, main, byo, int(given["stones"]))
        case ["byo", "periods"]:
            return TimeControl(System.BYO_YOMI, main, byo, int(given["periods"]))
        case ["increment"] if main:
            return TimeControl(System.FISCHER, main, given["increment"])
    names = " ".join(f"--{name}" for name in given)
    raise ValueError(f"{names} makes no clock; choose one of: {CHOICES}")


def _number(value: float) -> str:
    """Without a needless fraction or exponent."""
    return f"{value:.12g}"
