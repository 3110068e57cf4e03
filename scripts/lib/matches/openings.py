"""Openings from a file: a line of vertices each, Black first; `#` begins a comment.

    # tengen and a small knight's approach
    E5 G4
    E5, C4, G6
"""

import random
from pathlib import Path

from sgfmill.common import move_from_vertex

from lib.game import Referee, Settings

Opening = tuple[str, ...]


def read(path: Path, size: int) -> dict[int, Opening]:
    """The openings of the file by their line numbers.

    Raises a `ValueError`, with a text for people, for a line that is none, and for a file without
    any; an `OSError` for one that cannot be read.
    """
    found: dict[int, Opening] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is no text file") from None
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].replace(",", " ").split()
        try:
            if words:
                found[number] = vertices(words, size)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
    if not found:
        raise ValueError(f"{path}: no opening in it")
    return found


def vertices(words: list[str], size: int) -> Opening:
    """The words as points of the board, each at most once. Raises a `ValueError` that names one."""
    opening: list[str] = []
    for word in words:
        try:
            point = move_from_vertex(word, size)
        except ValueError:
            point = None
        if point is None:
            raise ValueError(f"`{word[:40]}` is no point of a {size}x{size} board")
        if word.upper() in opening:
            raise ValueError(f"`{word}` is there twice")
        opening.append(word.upper())
    return tuple(opening)


def check(openings: dict[int, Opening], path: Path, settings: Settings, referee: Referee) -> None:
    """Let the referee play them all. Raises a `ValueError` for a move that it refuses."""
    for number, opening in openings.items():
        referee.reset(settings)
        for ply, vertex in enumerate(opening):
            if not referee.accepts("bw"[ply % 2], vertex):
                raise ValueError(f"{path}:{number}: `{vertex}` is illegal, says the referee")


def shuffled(openings: dict[int, Opening], seed: int) -> tuple[Opening, ...]:
    """In an order that depends on the seed: a short match samples the whole file."""
    order = list(openings.values())
    random.Random(f"openings/{seed}").shuffle(order)
    return tuple(order)
