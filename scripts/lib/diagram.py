"""A Go board as inline SVG: stones, and what a test expects and engines answered.

Colors and gradients come from the page that holds it, which has them from boards.html.
"""

import re
from dataclasses import asdict, dataclass

from sgfmill.boards import Board
from sgfmill.common import format_vertex

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
VERTEX = re.compile(r"\b[A-HJ-Z](?:1\d|2[0-5]|[1-9])\b", re.IGNORECASE)
UNIT = 20  # from line to line
MARGIN = 26  # from the edge of the picture to the first line: room for coordinates
BARE_MARGIN = 14  # without them


@dataclass(frozen=True)
class Position:
    """Stones on a board, in GTP's vertices; `last` is the last move if the engine told it."""

    width: int
    height: int
    black: list[str]
    white: list[str]
    last: str = ""

    def as_json(self) -> dict:
        """Plain data, from which `Position(**data)` comes back."""
        return asdict(self)

    @classmethod
    def of(cls, board: Board, last: str = "") -> "Position":
        """The stones on a square board."""
        stones = {"b": [], "w": []}
        for color, point in board.list_occupied_points():
            stones[color].append(format_vertex(point))
        return cls(board.side, board.side, stones["b"], stones["w"], last)


class Diagram:
    """Grows by layers: board and stones first, then marks."""

    def __init__(self, position: Position, has_coordinates: bool = True):
        """Coordinates are for pictures that are large enough to read them."""
        self._position = position
        self._has_coordinates = has_coordinates
        self._margin = MARGIN if has_coordinates else BARE_MARGIN
        self._width = UNIT * (position.width - 1) + 2 * self._margin
        self._height = UNIT * (position.height - 1) + 2 * self._margin
        self._parts: list[str] = []
        self._grid()
        for color in ("black", "white"):
            for vertex in getattr(position, color):
                self._circle(vertex, 0.48, f"{color} stone")
        if position.last:
            self._circle(position.last, 0.16, "last")

    def expect(self, text: str, negated: bool) -> "Diagram":
        """Mark the points that an expectation names: wanted, or forbidden."""
        for vertex in vertices(text):
            if negated:
                self._cross(vertex)
            else:
                self._circle(vertex, 0.4, "wanted")
        return self

    def answer(self, vertex: str, letters: str, right: bool) -> "Diagram":
        """Put the letters of the engines that answered so on a point."""
        if self._is_on_board(vertex):
            self._circle(vertex, 0.42, "answer right" if right else "answer wrong")
            self._text(*self._place(vertex), letters, "letter")
        return self

    def svg(self) -> str:
        """The picture. Points off the board are not in it."""
        return (f'<svg class="board" viewBox="0 0 {self._width} {self._height}" role="img" '
                f'aria-label="Go board">{"".join(self._parts)}</svg>')

    def _grid(self) -> None:
        left, right = self._margin, self._width - self._margin
        top, bottom = self._margin, self._height - self._margin
        self._parts.append(f'<rect class="wood" width="{self._width}" height="{self._height}" rx="6"/>')
        columns = range(left, right + 1, UNIT)
        rows = range(top, bottom + 1, UNIT)
        lines = [f"M{x} {top}V{bottom}" for x in columns] + [f"M{left} {y}H{right}" for y in rows]
        self._parts.append(f'<path class="grid" d="{"".join(lines)}"/>')
        for vertex in star_points(self._position.width, self._position.height):
            self._circle(vertex, 0.13, "star")
        if not self._has_coordinates:
            return
        for letter, x in zip(LETTERS, columns):
            self._text(x, self._height - 9, letter, "coordinate")
        for number, y in enumerate(reversed(rows), 1):
            self._text(10, y, str(number), "coordinate")

    def _place(self, vertex: str) -> tuple[int, int]:
        column, row = LETTERS.index(vertex[0]), int(vertex[1:]) - 1
        return self._margin + UNIT * column, self._height - self._margin - UNIT * row

    def _is_on_board(self, vertex: str) -> bool:
        return LETTERS.index(vertex[0]) < self._position.width and int(vertex[1:]) <= self._position.height

    def _circle(self, vertex: str, radius: float, style: str) -> None:
        if self._is_on_board(vertex):
            x, y = self._place(vertex)
            self._parts.append(f'<circle class="{style}" cx="{x}" cy="{y}" r="{radius * UNIT:g}"/>')

    def _cross(self, vertex: str) -> None:
        if self._is_on_board(vertex):
            x, y = self._place(vertex)
            arm = 0.28 * UNIT
            self._parts.append(f'<path class="forbidden" d="M{x - arm} {y - arm}l{2 * arm} {2 * arm}'
                               f'm0 {-2 * arm}l{-2 * arm} {2 * arm}"/>')

    def _text(self, x: int, y: int, text: str, style: str) -> None:
        self._parts.append(f'<text class="{style}" x="{x}" y="{y}">{text}</text>')


def vertices(text: str) -> list[str]:
    """All vertices that a text names, in its order."""
    return [vertex.upper() for vertex in VERTEX.findall(text)]


def star_points(width: int, height: int) -> list[str]:
    """The dots of a square board from 7x7: corners, the center of odd ones, their sides from 13x13."""
    if width != height or width < 7:
        return []
    low = 3 if width < 13 else 4
    lines = [low, width + 1 - low]
    points = [(x, y) for x in lines for y in lines]
    if width % 2:
        middle = (width + 1) // 2
        points.append((middle, middle))
        if width >= 13:
            points += [(middle, y) for y in lines] + [(x, middle) for x in lines]
    return [f"{LETTERS[x - 1]}{y}" for x, y in points]
