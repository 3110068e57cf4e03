"""Board sizes and symmetries. Points are numbered row by row from the top left corner."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

PLANES = 22
GLOBALS = 19
SYMMETRIES = 8


@dataclass(frozen=True, order=True)
class Size:
    """Points a row and a column."""

    width: int
    height: int

    @staticmethod
    def parse(text: str) -> "Size":
        """Read `9` or `9x13`, the width first."""
        width, _, height = text.partition("x")
        return Size(int(width), int(height or width))

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    @property
    def points(self) -> int:
        """Points of the board, which is also the number of a pass."""
        return self.width * self.height

    @property
    def plane_bytes(self) -> int:
        """Bytes of all planes of a position, one bit a point."""
        return (PLANES * self.points + 7) // 8


@lru_cache(maxsize=None)
def symmetries(size: Size) -> tuple[np.ndarray, np.ndarray]:
    """Two tables [8, points + 1]: where the content of each new point comes from, and where each old
    point goes. Bit 0 mirrors top and bottom, bit 1 left and right, bit 2 swaps x and y after that;
    on rectangles, which cannot be swapped, 4 to 7 are 0 to 3 again. A pass stays a pass."""
    points = np.arange(size.points).reshape(size.height, size.width)
    sources = np.empty((SYMMETRIES, size.points + 1), np.int64)
    for number, source in enumerate(sources):
        board = points[::-1] if number & 1 else points
        board = board[:, ::-1] if number & 2 else board
        board = board.T if number & 4 and size.width == size.height else board
        source[:] = np.append(board.ravel(), size.points)
    return sources, np.argsort(sources, axis=1)
