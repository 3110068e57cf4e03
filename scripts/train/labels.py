"""The files of labelled games (format: shared/teacher/README.md) and which positions to learn from.

Beyond that format: `width` and `height` may stand in place of `size`, the number of stored moves is
that of the array, and `white_win`, `white_lead8` and ownership may be missing.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from train.boards import Size
from train.engine import Game


@dataclass(frozen=True)
class Labels:
    """A file, row by row a position, with all labels turned to the side to move."""

    size: Size
    starts: np.ndarray  # first row of each game, and the number of rows
    komi: np.ndarray
    moves: np.ndarray
    policy_index: np.ndarray
    policy_prob: np.ndarray
    win: np.ndarray  # NaN where missing, like the lead
    lead: np.ndarray
    owner_row: np.ndarray  # row of `owner`, -1 without ownership
    owner: np.ndarray  # two points a byte, the first one low: 0 the opponent's .. 15 own

    @staticmethod
    def read(file: Path) -> "Labels":
        """Load a `.npz`."""
        data = np.load(file)
        size = (Size(int(data["width"]), int(data["height"])) if "width" in data
                else Size(int(data["size"]), int(data["size"])))
        count = len(data["move"])
        starts = np.append(data["game_start"].astype(np.int64), count)
        turn = np.arange(count) - np.repeat(starts[:-1], np.diff(starts))
        white = turn % 2 == 1
        missing = np.full(count, np.nan, np.float32)
        win = data["white_win"] / np.float32(65535) if "white_win" in data else missing
        lead = data["white_lead8"] / np.float32(8) if "white_lead8" in data else missing
        owner_row = np.full(count, -1, np.int64)
        owner = np.zeros((0, (size.points + 1) // 2), np.uint8)
        if "own_pos" in data:
            positions, owner = data["own_pos"].astype(np.int64), data["own4"]
            owner_row[positions] = np.arange(len(positions))
            owner = np.where(white[positions, None], owner, 255 - owner)  # 15 - x in both halves
        return Labels(
            size, starts, data["komi_half"] / 2, data["move"], data["policy_index"],
            data["policy_prob"], np.where(white, win, 1 - win).astype(np.float32),
            np.where(white, lead, -lead).astype(np.float32), owner_row, owner)

    def games(self, rows: np.ndarray) -> list[Game]:
        """The games of these ascending rows."""
        bounds = np.searchsorted(rows, self.starts)
        return [
            Game(self.size, float(komi), self.moves[start:end].tolist(), (rows[a:b] - start).tolist())
            for komi, start, end, a, b in zip(
                self.komi, self.starts[:-1], self.starts[1:], bounds[:-1], bounds[1:])
            if b > a
        ]

    def thinned(self, one_in: int, rng: np.random.Generator) -> np.ndarray:
        """Rows of one position out of each so many neighbours of a game, with ownership if there is one."""
        chosen = []
        for start, end in zip(self.starts[:-1], self.starts[1:]):
            first = start - rng.integers(one_in)  # so that no turn is always the first of its group
            for a in range(first, end, one_in):
                group = np.arange(max(a, start), min(a + one_in, end))
                if len(group):
                    owned = group[self.owner_row[group] >= 0]
                    chosen.append(rng.choice(owned if len(owned) else group))
        return np.array(chosen, np.int64)
