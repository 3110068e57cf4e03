"""One game between two GTP engines, with a third one as referee or by agreement.

`play_game` is a plain function from a pairing and settings to a record: it starts fresh engines,
leaves nothing behind and shares nothing, so that games can run side by side, on any machine.

A player that crashes, hangs, prints garbage, moves illegally, refuses a legal move or
oversteps its time loses the game, with the reason in the record. A game whose referee
fails, whose players do not agree, or that is longer than `moves_max`, has no result (`Void`)
and counts for nobody. Reasons read `kind: details`, so that a match can count the kinds.
"""

import random
import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from sgfmill.boards import Board
from sgfmill.common import format_vertex, move_from_vertex

from lib.clock import Clock, TimeControl, Wording
from lib.cpu import cpu_seconds
from lib.gtp import Engine, EngineError, Response
from lib.series import Dropped

OTHER = {"b": "w", "w": "b"}
REPLY_SECONDS = 60.0  # for commands that should be quick
GENMOVE_SECONDS = 600.0  # for a move where no time control is set
AGREEMENT = "agreement"  # in the place of a referee's command: the players have to agree
SCORE = re.compile(r"[BW]\+\d+(\.\d+)?|0|Draw|Jigo", re.IGNORECASE)


@dataclass(frozen=True)
class Player:
    """An engine that takes part."""

    name: str
    command: str


@dataclass(frozen=True)
class Pairing:
    """A game to be played: all that differs between the games of a match."""

    number: int  # from 1; games 1 and 2, 3 and 4 and so on are a pair with one opening
    black: Player
    white: Player
    seed: str = ""  # chooses the random plies
    opening: tuple[str, ...] = ()  # vertices, Black first, in the place of random plies


@dataclass(frozen=True)
class Settings:
    """What is the same in all games of a match."""

    size: int
    komi: float
    referee: str  # its command, or `AGREEMENT`
    rules: str = ""
    time: TimeControl | None = None
    grace: float = 0.0
    patience: float = 10.0  # seconds past the limit that tell a slow engine from a hanging one
    opening_plies: int = 0
    moves_max: int = 0  # 0: three times the number of points
    playouts: int = 0  # a move, for players that can be told; 0: their own


@dataclass
class Effort:
    """What a player spent on its own moves; opening plies are not among them."""

    seconds: list[float] = field(default_factory=list)
    cpu: float = 0.0  # all that the engine used since its set-up, the opponent's turns included


@dataclass
class Record:
    """A finished game. `result` is as in SGF's RE; `reason` explains anything but a score."""

    number: int
    black: str
    white: str
    moves: list[tuple[str, str]] = field(default_factory=list)
    opening_plies: int = 0
    result: str = "Void"
    reason: str = ""
    efforts: dict[str, Effort] = field(default_factory=lambda: {"b": Effort(), "w": Effort()})
    claims: dict[str, str] = field(default_factory=dict)  # the final score as the players see it

    @property
    def winner(self) -> str | None:
        """The winner's color; None after a draw or without result."""
        return self.result[0].lower() if self.result[1:2] == "+" else None

    def margin(self, size: int) -> float | None:
        """Points by which Black won; all of the board where the game was not counted."""
        if self.winner is None:
            return None if self.result == "Void" else 0.0
        points = self.result[2:]
        margin = float(points) if points[0].isdigit() else float(size**2)
        return margin if self.winner == "b" else -margin

    @classmethod
    def from_dict(cls, data: dict) -> "Record":
        """The inverse of `dataclasses.asdict`, also after a way through JSON."""
        return cls(**data | {
            "moves": [(color, vertex) for color, vertex in data["moves"]],
            "efforts": {color: Effort(**effort) for color, effort in data["efforts"].items()}})


class Loss(Exception):
    """A player has lost by its own fault; `how` is `Forfeit` or `Time`."""

    def __init__(self, color: str, how: str, reason: str):
        super().__init__(reason)
        self.color, self.how = color, how


class Refused(Loss):
    """A player has refused a move of the other one."""


class Resigned(Exception):
    """A player gives up."""

    def __init__(self, color: str):
        super().__init__()
        self.color = color


class NoResult(Exception):
    """The game cannot be decided; the text says why."""


def play_game(pairing: Pairing, settings: Settings,
              is_dropped: Callable[[], bool] = lambda: False) -> Record:
    """Play one game; `is_dropped` is asked before each move.

    Raises `Dropped` where it says so.
    """
    record = Record(pairing.number, pairing.black.name, pairing.white.name)
    with ExitStack() as stack:
        try:
            judge = Agreement(settings) if settings.referee == AGREEMENT else Referee(settings, stack)
            seats = {color: Seat(color, player, settings, record.efforts[color], stack)
                     for color, player in (("b", pairing.black), ("w", pairing.white))}
            play_opening(record, judge, seats, pairing, settings)
            play_on(record, judge, seats, settings, is_dropped)
            record.claims = {color: seat.final_score() for color, seat in seats.items()}
            record.result = judge.final_score(record.claims)
        except Resigned as resigned:
            record.result = f"{OTHER[resigned.color].upper()}+Resign"
        except Loss as loss:
            if isinstance(loss, Refused) and settings.referee == AGREEMENT:
                record.reason = f"disagreement: {loss}"  # nobody knows who is right
            else:
                record.result = f"{OTHER[loss.color].upper()}+{loss.how}"
                record.reason = str(loss)
        except NoResult as no_result:
            record.reason = str(no_result)
    return record


@dataclass(frozen=True)
class Games:
    """Games as pieces of work (`lib.series.Work`); a task is a `Pairing`."""

    settings: Settings

    sources = ("clock.py", "cpu.py", "game.py", "gtp.py", "series.py")

    def do(self, pairing: Pairing, is_dropped: Callable[[], bool]) -> Record:
        """Play the game."""
        return play_game(pairing, self.settings, is_dropped)

    def lost(self, pairing: Pairing, count: int) -> Record:
        """It has no result."""
        return Record(pairing.number, pairing.black.name, pairing.white.name,
                      reason=f"worker lost: {count} times with this game")


def play_opening(record: Record, judge: "Judge", seats: dict[str, "Seat"], pairing: Pairing,
                 settings: Settings) -> None:
    """Place the stones of the opening, or `opening_plies` random ones, in turn."""
    plies = len(pairing.opening) or settings.opening_plies
    color = "b"
    for vertex in pairing.opening or random_points(settings.size, pairing.seed):
        if len(record.moves) == plies:
            break
        if judge.accepts(color, vertex):
            for seat in seats.values():
                seat.play(color, vertex)
            record.moves.append((color, vertex))
            color = OTHER[color]
        elif pairing.opening:
            raise NoResult(f"opening: {color} {vertex} is illegal")
    record.opening_plies = len(record.moves)


def random_points(size: int, seed: str) -> list[str]:
    """All points in random order, without those on the two outer lines of a large board."""
    edge = 2 if size >= 7 else 0
    lines = range(edge, size - edge)
    points = [format_vertex((row, column)) for row in lines for column in lines]
    random.Random(seed).shuffle(points)
    return points


def play_on(record: Record, judge: "Judge", seats: dict[str, "Seat"],
            settings: Settings, is_dropped: Callable[[], bool]) -> None:
    """Let the players move until two passes."""
    moves_max = settings.moves_max or 3 * settings.size**2
    color = "w" if len(record.moves) % 2 else "b"
    passes = 0
    while passes < 2:
        if len(record.moves) >= moves_max:
            raise NoResult(f"too long: {moves_max} moves")
        if is_dropped():
            raise Dropped
        vertex = seats[color].genmove()
        if not judge.accepts(color, vertex):
            raise Loss(color, "Forfeit", f"illegal move: {vertex}")
        record.moves.append((color, vertex))
        seats[OTHER[color]].play(color, vertex)
        passes = passes + 1 if vertex == "pass" else 0
        color = OTHER[color]


def set_up(send, lists, settings: Settings) -> None:
    """Bring an engine to the start of a game."""
    send(f"boardsize {settings.size}")
    send("clear_board")
    if settings.rules and lists("kata-set-rules"):
        send(f"kata-set-rules {settings.rules}")
    send(f"komi {settings.komi:g}")


class Referee:
    """The engine that knows the rules. Its failures void the game."""

    def __init__(self, settings: Settings, stack: ExitStack):
        try:
            self._engine = stack.enter_context(Engine(settings.referee, timeout=2 * REPLY_SECONDS))
            self.reset(settings)
        except EngineError as error:
            raise NoResult(f"referee: {error}") from None

    def reset(self, settings: Settings) -> None:
        """Back to the empty board."""
        set_up(self._demand, self._engine.lists, settings)

    def accepts(self, color: str, vertex: str) -> bool:
        """Play the move; false if it is illegal."""
        return self._send(f"play {color} {vertex}").ok

    def final_score(self, _claims: dict[str, str]) -> str:
        """The result of the finished game, in SGF's words."""
        score = self._demand("final_score").text
        if not SCORE.fullmatch(score):
            raise NoResult(f"referee: final_score says `{score}`")
        return in_words_of_sgf(score)

    def _demand(self, command: str) -> Response:
        response = self._send(command)
        if not response.ok:
            raise NoResult(f"referee: `{command}` answered `{response}`")
        return response

    def _send(self, command: str) -> Response:
        try:
            return self._engine.send(command)
        except EngineError as error:
            raise NoResult(f"referee: {error}") from None


class Agreement:
    """No referee: stones go on empty points, and all else is what both players say.

    A move that the other player refuses, and a game that they count for different winners, has no
    result. Where they differ only in the margin, the smaller one counts; where just one of them
    can count, its word does.
    """

    def __init__(self, settings: Settings):
        self._board = Board(settings.size)

    def accepts(self, color: str, vertex: str) -> bool:
        """Put the stone on the board; false if there is one already."""
        move = move_from_vertex(vertex, self._board.side)
        try:
            if move:
                self._board.play(*move, color)
        except ValueError:
            return False
        return True

    def final_score(self, claims: dict[str, str]) -> str:
        """The result that both players can live with, in SGF's words."""
        scores = [in_words_of_sgf(claim) for claim in claims.values() if SCORE.fullmatch(claim)]
        if not scores:
            raise NoResult("disagreement: no player can count")
        if len({score[0] for score in scores}) > 1:
            raise NoResult(f"disagreement: {claims['b']} and {claims['w']}")
        return min(scores, key=lambda score: float(score.partition("+")[2] or 0))


Judge = Referee | Agreement


def in_words_of_sgf(score: str) -> str:
    """`B+3.5`, or `0` for a draw."""
    return score.capitalize() if "+" in score else "0"


class Seat:
    """A player at the board, with its clock. Its failures lose the game."""

    def __init__(self, color: str, player: Player, settings: Settings, effort: Effort,
                 stack: ExitStack):
        self.color = color
        self._size = settings.size
        self._grace = settings.grace
        self._patience = settings.patience
        self._effort = effort
        self._clock = Clock(settings.time) if settings.time else None
        self._wording: Wording | None = None  # how it was told of the clock; None: it was not
        try:
            self._engine = stack.enter_context(Engine(player.command, timeout=REPLY_SECONDS))
            set_up(self._demand, self._engine.lists, settings)
            if settings.playouts and self._engine.lists("kata-set-param"):
                self._tell(f"kata-set-param maxPlayouts {settings.playouts}")
            if settings.time:
                self._wording = self._announce(settings.time)
        except EngineError as error:
            raise Loss(color, "Forfeit", f"{error.kind}: {error}") from None
        self._cpu_start = cpu_seconds(self._engine.pid) or 0.0

    def play(self, color: str, vertex: str) -> None:
        """Tell it a move that the referee has accepted."""
        command = f"play {color} {vertex}"
        response = self._tell(command)
        if not response.ok:
            raise Refused(self.color, "Forfeit", f"refusal: `{command}` answered `{response}`")

    def genmove(self) -> str:
        """Its next move: a vertex or `pass`."""
        limit = GENMOVE_SECONDS
        if self._clock:
            limit = self._clock.limit + self._grace
            if self._wording and self._engine.lists("time_left"):
                self._tell(f"time_left {self.color} {self._clock.time_left(self._wording)}")
        response = self._demand(f"genmove {self.color}", limit + self._patience)
        self._effort.seconds.append(response.seconds)
        cpu = cpu_seconds(self._engine.pid)
        if cpu is not None:
            self._effort.cpu = cpu - self._cpu_start
        if self._clock and not self._clock.spend(response.seconds, self._grace):
            reason = f"time: {response.seconds:.2f} s for a move, allowed {limit:.2f}"
            raise Loss(self.color, "Time", reason)
        return self._vertex(response.text)

    def final_score(self) -> str:
        """What it thinks of the end, empty if it does not say; no reason to lose any more."""
        try:
            return self._engine.send("final_score").text if self._engine.lists("final_score") else ""
        except EngineError:
            return ""

    def _announce(self, control: TimeControl) -> Wording | None:
        """Tell it of its clock in the first way that it accepts; None if it accepts none."""
        return next((wording for wording in control.wordings(self._engine.lists)
                     if self._tell(wording.settings).ok), None)

    def _vertex(self, text: str) -> str:
        if text.lower() == "resign":
            raise Resigned(self.color)
        try:
            return format_vertex(move_from_vertex(text, self._size))
        except ValueError:
            raise Loss(self.color, "Forfeit", f"garbage: genmove answered `{text[:40]}`") from None

    def _tell(self, command: str, timeout: float | None = None) -> Response:
        """Send what an engine may refuse: some know no fractions of seconds, or no time at all.

        Its clock runs all the same.
        """
        try:
            return self._engine.send(command, timeout)
        except EngineError as error:
            raise Loss(self.color, "Forfeit", f"{error.kind}: {error}") from None

    def _demand(self, command: str, timeout: float | None = None) -> Response:
        """Send what no engine may refuse."""
        response = self._tell(command, timeout)
        if not response.ok:
            raise Loss(self.color, "Forfeit", f"refusal: `{command}` answered `{response}`")
        return response
