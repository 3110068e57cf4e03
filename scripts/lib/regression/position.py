"""The board on which a test failed, as the engine itself sees it.

An engine is asked for `list_stones` and `query_boardsize` where it lists both, else for
`printsgf`; one that knows neither has no picture.
"""

import re

from sgfmill.boards import Board
from sgfmill.common import format_vertex
from sgfmill.sgf import Sgf_game

from lib.diagram import Position, vertices
from lib.gtp import Engine

REPLY_SECONDS = 10.0


def ask(engine: Engine) -> Position | None:
    """The engine's position; None if it cannot tell. Raises an `EngineError` if it fails at it."""
    if engine.lists("list_stones") and engine.lists("query_boardsize"):
        size = re.findall(r"\d+", _text(engine, "query_boardsize"))
        if len(size) not in (1, 2):
            return None
        black, white = (vertices(_text(engine, f"list_stones {color}")) for color in ("black", "white"))
        last = vertices(_text(engine, "last_move")) if engine.lists("last_move") else []
        return Position(int(size[0]), int(size[-1]), black, white, last[0] if last else "")
    return from_sgf(_text(engine, "printsgf")) if engine.lists("printsgf") else None


def from_sgf(text: str) -> Position | None:
    """The end of the record's main line; None where it is no sound record."""
    try:
        game = Sgf_game.from_string(text)
        board, last = Board(game.get_size()), ""
        for node in game.get_main_sequence():
            board.apply_setup(*node.get_setup_stones())
            color, move = node.get_move()
            if color and move:
                board.play(*move, color)
                last = format_vertex(move)
    except (ValueError, KeyError):
        return None
    return Position.of(board, last)


def _text(engine: Engine, command: str) -> str:
    response = engine.send(command, REPLY_SECONDS)
    return response.text if response.ok else ""
