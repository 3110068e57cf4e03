"""The engine as the source of a network's inputs, so that training and play can never differ.

`keima net planes` reads games as JSON lines and writes for each listed position its record: 19
little-endian f32 (the globals), then 22 planes as bits, plane by plane, row by row from the top, the
lowest bit first, padded to whole bytes at the end.
"""

import json
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from train.boards import GLOBALS, PLANES, Size


@dataclass(frozen=True)
class Game:
    """A game from the empty board, Black first, and the positions wanted of it: each is the number of
    moves played before. A move is y * width + x from the top left corner, width * height a pass."""

    size: Size
    komi: float
    moves: Sequence[int]
    positions: Sequence[int]

    def line(self) -> str:
        """As `keima net planes` reads it."""
        return json.dumps({
            "size": [self.size.width, self.size.height], "komi": self.komi,
            "moves": [int(move) for move in self.moves],
            "positions": [int(position) for position in self.positions],
        }) + "\n"


def inputs(command: Sequence[str], games: Iterable[Game], size: Size) -> tuple[np.ndarray, np.ndarray]:
    """Globals [n, 19] and packed planes [n, bytes] of all listed positions of games of one size."""
    games = list(games)
    lines = "".join(game.line() for game in games)
    output = subprocess.run(
        [*command, "net", "planes"], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
    count = sum(len(game.positions) for game in games)
    records = np.frombuffer(output, np.uint8)
    length = 4 * GLOBALS + size.plane_bytes
    if len(records) != count * length:
        raise ValueError(f"{len(records)} bytes instead of {count} records of {length}")
    records = records.reshape(count, length)
    return records[:, : 4 * GLOBALS].copy().view("<f4"), records[:, 4 * GLOBALS :].copy()


def unpack(packed: np.ndarray, size: Size) -> np.ndarray:
    """Planes [n, 22, points] of 0 and 1 from their bits."""
    bits = np.unpackbits(packed, axis=1, count=PLANES * size.points, bitorder="little")
    return bits.reshape(len(packed), PLANES, size.points)
