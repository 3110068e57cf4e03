"""Reference outputs beside an exported network, in the form of shared/nets/reference.jsonl.

Each line is a position and what the tensors of the file give for it in plain f32 (forward.py), policy over
the legal moves and values for White. The engine reproduces them in its tests.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from train import engine
from train.boards import Size
from train.engine import Game
from train.forward import forward
from train.labels import Labels
from train.prepare import HELD_OUT

POSITIONS = 200
SCATTERED = [Size(width, height) for width, height in [(4, 4), (5, 5), (7, 5), (9, 13), (13, 9), (18, 18)]]
COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
RULES = {"ko": "positional", "scoring": "area", "suicide": False, "tax": "none", "button": False}
POINTS_OF_SCORE = 20.0


def write(file: Path, tensors: Mapping[str, np.ndarray], shards: Path, positions: Path, program: Path) -> None:
    """Write the check file, its positions from the files in `positions` that the shards hold out."""
    held_out = {path.name for path in (shards / HELD_OUT).glob("*/*")}
    records = []
    for why, game in games([path for path in sorted(positions.glob("*.npz")) if path.stem in held_out]):
        globals_, packed = engine.inputs([str(program)], [game], game.size)
        planes = engine.unpack(packed, game.size)[0]
        records.append(record(len(records), why, game, planes, globals_[0], tensors))
    file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in records))


def games(files: list[Path]) -> list[tuple[str, Game]]:
    """Games that end in the positions to check, and why these."""
    scattered_each = 3
    chosen = [("scattered", scattered(size, seed)) for size in SCATTERED for seed in range(scattered_each)]
    each = -(-(POSITIONS - len(chosen)) // max(1, len(files)))
    for file in files:
        labels = Labels.read(file)
        rows = np.unique(np.linspace(0, len(labels.moves) - 1, each).astype(np.int64))
        for game in labels.games(rows):
            for position in game.positions:
                chosen.append(("held out", Game(game.size, game.komi, game.moves[:position], [position])))
    return chosen[:POSITIONS]


def scattered(size: Size, seed: int) -> Game:
    """Stones at random on the points of one color of a chequerboard, where none can be captured, with a
    pass somewhere."""
    rng = np.random.default_rng([size.width, size.height, seed])
    points = [p for p in range(size.points) if (p // size.width + p % size.width) % 2 == 0]
    moves = rng.permutation(points)[: rng.integers(1, len(points))].tolist()
    moves.insert(int(rng.integers(len(moves) + 1)), size.points)
    return Game(size, float(rng.choice([-6.5, 0.5, 6.0, 7.0, 7.5, 30.5])), moves, [len(moves)])


def record(number: int, why: str, game: Game, planes: np.ndarray, globals_: np.ndarray,
           tensors: Mapping[str, np.ndarray]) -> dict:
    """A line of the file."""
    size = game.size
    outputs = forward(tensors, planes.T.reshape(size.height, size.width, -1), globals_)
    black = len(game.moves) % 2 == 0
    sign = -1 if black else 1
    can_play = np.append(legal(planes.reshape(-1, size.height, size.width)).ravel(), True)
    logits = np.where(can_play, outputs["policy"], -np.inf).astype(np.float64)
    odds = np.exp(logits - logits.max())
    odds /= odds.sum()
    win = 1 / (1 + np.exp(float(outputs["value"][1] - outputs["value"][0])))
    mean, spread, lead = (float(x) for x in outputs["score"][:3])
    mean, lead = POINTS_OF_SCORE * mean, POINTS_OF_SCORE * lead
    deviation = POINTS_OF_SCORE * float(np.logaddexp(0, spread))
    return {
        "id": number, "why": why, "width": size.width, "height": size.height, "komi": game.komi, "rules": RULES,
        "moves": [f"{'bw'[i % 2]} {vertex(move, size)}" for i, move in enumerate(game.moves)],
        "to_move": "b" if black else "w",
        "policy": [round(float(p), 7) if ok else None for p, ok in zip(odds[:-1], can_play)],
        "policy_pass": round(float(odds[-1]), 7),
        "whiteWin": round(1 - win if black else win, 7), "noResult": 0.0,
        "whiteLead": round(sign * lead, 5), "whiteScoreSelfplay": round(sign * mean, 5),
        "whiteScoreSelfplaySq": round(mean * mean + deviation * deviation, 3),
        "ownership": [round(sign * float(owner), 6) for owner in outputs["ownership"]],
    }


def vertex(move: int, size: Size) -> str:
    """As in GTP."""
    if move == size.points:
        return "pass"
    row, column = divmod(move, size.width)
    return f"{COLUMNS[column]}{size.height - row}"


def legal(planes: np.ndarray) -> np.ndarray:
    """Where the side to move may play, from its planes [22, height, width]: an empty point that is no ko
    (plane 6) and no suicide, for which an empty neighbor, an opponent's chain with one liberty (plane 3) or
    an own one with more will do."""
    own, opponent, one_liberty, ko = (planes[i].astype(bool) for i in (1, 2, 3, 6))
    empty = ~own & ~opponent
    helps = np.pad(empty | (opponent & one_liberty) | (own & ~one_liberty), 1)
    near = helps[:-2, 1:-1] | helps[2:, 1:-1] | helps[1:-1, :-2] | helps[1:-1, 2:]
    return empty & ~ko & near
