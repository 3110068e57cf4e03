"""Canadian time, the clock of GTP's `time_settings`: main time, then `stones` moves per period.

A fixed time per move is the special case `TimeControl(0, seconds, 1)`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class TimeControl:
    """Seconds of main time, seconds per overtime period, and moves per period (0: no period)."""

    main: float
    byo: float
    stones: int

    @property
    def is_per_move(self) -> bool:
        """Every move has the same time of its own, so a clock has nothing to tell."""
        return self.main == 0 and self.stones == 1

    @property
    def settings(self) -> str:
        """The GTP command that announces it."""
        return f"time_settings {self.main:g} {self.byo:g} {self.stones}"

    @property
    def overtime(self) -> str:
        """SGF's OT text."""
        return f"{self.stones}/{self.byo:g} Canadian" if self.stones else ""


class Clock:
    """What one player has left."""

    def __init__(self, control: TimeControl):
        self.control = control
        self.main = control.main
        self.byo = control.byo if control.stones else 0.0
        self.stones = control.stones

    @property
    def limit(self) -> float:
        """Seconds that the next move may take at most."""
        return self.main + self.byo

    @property
    def time_left(self) -> str:
        """The numbers of GTP's `time_left`: whole seconds and stones, 0 stones for main time."""
        return f"{int(self.main)} 0" if self.main > 0 else f"{int(self.byo)} {self.stones}"

    def spend(self, seconds: float, grace: float = 0.0) -> bool:
        """Take a move's time off; false if it was too much, `grace` forgiven."""
        in_time = seconds <= self.limit + grace
        over = max(0.0, seconds - self.main)
        self.main = max(0.0, self.main - seconds)
        if self.main == 0 and self.control.stones:
            self.byo = max(0.0, self.byo - over)
            self.stones -= 1
            if self.stones == 0:
                self.byo, self.stones = self.control.byo, self.control.stones
        return in_time
