"""The exported network in plain numpy, written apart from model.py: what the file means."""

from collections.abc import Mapping

import numpy as np

Tensors = Mapping[str, np.ndarray]
POOL_MIDDLE = 14.0


def forward(tensors: Tensors, planes: np.ndarray, globals_: np.ndarray,
            ranges: list[np.ndarray] | None = None) -> dict[str, np.ndarray]:
    """Raw outputs for one position: policy (logits of the points, then of a pass), value (3 logits), score
    (4 numbers), ownership (-1 .. 1), from planes [height, width, 22] and globals [19], seen from the side
    to move. `ranges` collects the largest value of each channel that goes into the convolutions of blocks."""
    tensors = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    seen = [] if ranges is None else ranges
    trunk = _conv(planes.astype(np.float32), tensors["stem.weight"]) + globals_ @ tensors["stem_bias.weight"]
    block = 0
    while f"blocks.{block}.first.weight" in tensors:
        trunk = trunk + _block(tensors, f"blocks.{block}.", trunk, seen)
        block += 1
    trunk = _activate(tensors, "norm", trunk)
    return {"policy": _policy(tensors, trunk), **_value(tensors, trunk)}


def _block(tensors: Tensors, name: str, trunk: np.ndarray, seen: list[np.ndarray]) -> np.ndarray:
    x = _activate(tensors, name + "before", trunk)
    middle = _conv(x, tensors[name + "first.weight"])
    if name + "pooled.weight" in tensors:
        pooled = _activate(tensors, name + "pooled_norm", _conv(x, tensors[name + "pooled.weight"]))
        middle = middle + _pool(pooled) @ tensors[name + "pooled_bias.weight"]
    middle = _activate(tensors, name + "between", middle)
    seen += [x.max((0, 1)), middle.max((0, 1))]
    return _conv(middle, tensors[name + "second.weight"])


def _policy(tensors: Tensors, trunk: np.ndarray) -> np.ndarray:
    pooled = _pool(_activate(tensors, "policy.pooled_norm", _conv(trunk, tensors["policy.pooled.weight"])))
    points = _conv(trunk, tensors["policy.points.weight"]) + pooled @ tensors["policy.pooled_bias.weight"]
    logits = _conv(_activate(tensors, "policy.norm", points), tensors["policy.logits.weight"])
    return np.append(logits.ravel(), pooled @ tensors["policy.pass.weight"])


def _value(tensors: Tensors, trunk: np.ndarray) -> dict[str, np.ndarray]:
    points = _activate(tensors, "value.norm", _conv(trunk, tensors["value.points.weight"]))
    mean, d = points.mean((0, 1)), _by_size(points)
    pooled = np.concatenate([mean, mean * d / 10, mean * (d * d / 100 - 0.1)])
    hidden = np.maximum(pooled @ tensors["value.hidden.weight"] + tensors["value.hidden.bias"], 0)
    return {
        "value": hidden @ tensors["value.value.weight"] + tensors["value.value.bias"],
        "score": hidden @ tensors["value.score.weight"] + tensors["value.score.bias"],
        "ownership": np.tanh(_conv(points, tensors["value.ownership.weight"])).ravel(),
    }


def _conv(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Cross-correlation of [height, width, in] with [rows, columns, in, out], zero beyond the edge."""
    height, width, _ = x.shape
    rows, columns, _, outputs = weight.shape
    padded = np.pad(x, ((rows // 2, rows // 2), (columns // 2, columns // 2), (0, 0)))
    total = np.zeros((height, width, outputs), np.float32)
    for row in range(rows):
        for column in range(columns):
            total += padded[row : row + height, column : column + width] @ weight[row, column]
    return total


def _activate(tensors: Tensors, name: str, x: np.ndarray) -> np.ndarray:
    return np.maximum(x * tensors[name + ".scale"] + tensors[name + ".bias"], 0)


def _by_size(x: np.ndarray) -> np.float32:
    return np.float32((x.shape[0] * x.shape[1]) ** 0.5 - POOL_MIDDLE)


def _pool(x: np.ndarray) -> np.ndarray:
    mean = x.mean((0, 1))
    return np.concatenate([mean, mean * _by_size(x) / 10, x.max((0, 1))])
