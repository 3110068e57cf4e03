"""The files of labelled games and which positions to learn from.

Two formats are read: that of shared/teacher/README.md, where all positions have labels, and that of
`keima selfplay` (README.md), where those in `position` have. In the first, `width` and `height` may stand
in place of `size`, and `white_win`, `white_lead8` and ownership may be missing. The number of stored moves
is that of the array.
"""

from collections.abc import Mapping
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
    labelled: np.ndarray  # bool, whether a row has labels
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
        size = _size(data)
        count = len(data["move"])
        starts = np.append(data["game_start"].astype(np.int64), count)
        turn = np.arange(count) - np.repeat(starts[:-1], np.diff(starts))
        white = turn % 2 == 1
        positions = data["position"].astype(np.int64) if "position" in data else np.arange(count)

        def spread(labels: np.ndarray, missing: float = 0) -> np.ndarray:
            """The labels of all rows from those of the labelled ones."""
            rows = np.full((count, *labels.shape[1:]), missing, labels.dtype)
            rows[positions] = labels
            return rows

        missing = np.full(len(positions), np.nan, np.float32)
        win = spread(data["white_win"] / np.float32(65535) if "white_win" in data else missing, np.nan)
        lead = spread(data["white_lead8"] / np.float32(8) if "white_lead8" in data else missing, np.nan)
        owner_row = np.full(count, -1, np.int64)
        owner = np.zeros((0, (size.points + 1) // 2), np.uint8)
        if "own4" in data:
            owned = data["own_pos"].astype(np.int64) if "own_pos" in data else positions
            owner_row[owned] = np.arange(len(owned))
            owner = np.where(white[owned, None], data["own4"], 255 - data["own4"])  # 15 - x in both halves
        return Labels(
            size, starts, data["komi_half"] / 2, data["move"], spread(np.ones(len(positions), bool)),
            spread(data["policy_index"]), spread(data["policy_prob"]), np.where(white, win, 1 - win).astype(np.float32),
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
        """Rows of one labelled position out of each so many neighbours of a game, with ownership if there
        is one."""
        chosen = []
        for start, end in zip(self.starts[:-1], self.starts[1:]):
            first = start - rng.integers(one_in)  # so that no turn is always the first of its group
            for a in range(first, end, one_in):
                group = np.arange(max(a, start), min(a + one_in, end))
                group = group[self.labelled[group]]
                if len(group):
                    owned = group[self.owner_row[group] >= 0]
                    chosen.append(rng.choice(owned if len(owned) else group))
        return np.array(chosen, np.int64)


def _size(data: Mapping[str, np.ndarray]) -> Size:
    """A side, or width and height, in one array or two."""
    sides = [int(data["width"]), int(data["height"])] if "width" in data else np.ravel(data["size"]).tolist()
    return Size(sides[0], sides[-1])
