"""Games as SGF files."""

from pathlib import Path

from sgfmill import sgf
from sgfmill.common import move_from_vertex

from lib import files
from lib.game import Record, Settings


def to_sgf(record: Record, settings: Settings) -> bytes:
    """The whole game, each generated move with its wall time as a comment."""
    game = sgf.Sgf_game(settings.size)
    root = game.get_root()
    root.set("PB", record.black)
    root.set("PW", record.white)
    root.set("KM", settings.komi)
    root.set("RE", record.result)
    root.set("GN", f"game {record.number}")
    if settings.rules:
        root.set("RU", settings.rules)
    if settings.time:
        root.set("TM", settings.time.main)
        if settings.time.overtime:
            root.set("OT", settings.time.overtime)
    seconds = {color: iter(effort.seconds) for color, effort in record.efforts.items()}
    node = root
    for index, (color, vertex) in enumerate(record.moves):
        node = game.extend_main_sequence()
        node.set_move(color, move_from_vertex(vertex, settings.size))
        if index < record.opening_plies:
            node.set("C", "random opening")
        else:
            node.set("C", f"{next(seconds[color]):.3f} s")
    if record.reason:
        node.add_comment_text(f"{record.result}: {record.reason}")
    return game.serialise()


def write(record: Record, settings: Settings, folder: Path) -> None:
    """Write the game into the folder as `game-0001.sgf`. Raises a `FileError`."""
    files.write(folder / f"game-{record.number:04}.sgf", to_sgf(record, settings))
