"""From the checkpoint of a run to NAME.safetensors and NAME.check.jsonl.

Tensors: convolutions [rows, columns, in, out] and matrices [in, out], the output fastest, f32 or f16;
norms folded into `scale` and `bias`, f32; `ranges.K`, f32: the largest value of each channel that goes into
the first (K = 2i) and the second (2i + 1) convolution of block i. The metadata's `sha256` is `digest`.
"""

import argparse
import hashlib
import json
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import nn

from train import check, data, fit
from train.forward import forward
from train.model import Net, Norm
from train.prepare import TRAIN

FORMAT = "keima-net-1"
FEATURES = "katago-7"
RANGE_POSITIONS = 512
# torch and numpy add in another order; both are f32.
TOLERANCE = 2e-3


def add_arguments(parser: argparse.ArgumentParser, inputs: bool) -> None:
    """Options of this step; with `inputs` also those that it shares with prepare."""
    if inputs:
        parser.add_argument("--positions", type=Path, required=True, help="folder of .npz files, for the checks")
        parser.add_argument("--engine", type=Path, required=True, help="the program keima")
    parser.add_argument("--out", type=Path, default=Path("."), help="folder (default: %(default)s)")
    parser.add_argument("--name", required=True, help="of the network and its files")
    parser.add_argument("--trained-on", default="", help="a sentence about the data, kept in the file")
    parser.add_argument("--half", action="store_true", help="weights as f16 (norms, biases and ranges stay f32)")


def run(folder: Path, shards: Path, options: argparse.Namespace) -> None:
    """Write both files."""
    state = fit.load(folder)
    net = Net(state["options"]["architecture"])
    net.load_state_dict(state["average"])
    net.eval()
    if options.half:  # all that follows is of the rounded weights
        for weight in net.parameters():
            weight.data = weight.data.half().float() if weight.ndim > 1 else weight.data
    positions = data.pools(shards, TRAIN)
    tensors = weights(net, options.half) | ranges(net, positions)
    compare(net, tensors, positions)
    sizes = ", ".join(f"{count} of {size}" for size, count in sorted(state["sizes"].items()))
    metadata = {
        "format": FORMAT, "name": options.name, "features": FEATURES, "architecture": net.architecture,
        "trained_on": (f"{state['samples']} samples of these positions: {sizes}; {state['seconds'] / 60:.0f} minutes. "
                       + options.trained_on).strip(),
        "command": state["command"],
        "sha256": digest(tensors),
    }
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / f"{options.name}.safetensors"
    save_file(tensors, file, metadata)
    file.chmod(0o644)
    check.write(options.out / f"{options.name}.check.jsonl", tensors, shards, options.positions, options.engine)


def weights(net: Net, half: bool = False) -> dict[str, np.ndarray]:
    """All tensors but the ranges."""
    tensors = {}
    for name, module in net.named_modules():
        if isinstance(module, Norm):
            scale, bias = module.folded()
            tensors |= {f"{name}.scale": _array(scale), f"{name}.bias": _array(bias)}
        elif isinstance(module, nn.Conv2d):
            tensors[f"{name}.weight"] = _array(module.weight.permute(2, 3, 1, 0), half)
        elif isinstance(module, nn.Linear):
            tensors[f"{name}.weight"] = _array(module.weight.T, half)
            if module.bias is not None:
                tensors[f"{name}.bias"] = _array(module.bias)
    return tensors


@torch.no_grad()
def ranges(net: Net, pools: Mapping, positions: int = RANGE_POSITIONS) -> dict[str, np.ndarray]:
    """`ranges.K` over some training positions of all sizes, two at least of each."""
    total = sum(len(pool) for pool in pools.values())
    most: list[torch.Tensor] = []
    for batch in _some(pools, lambda pool: max(2, round(positions * len(pool) / total))):
        seen: list[torch.Tensor] = []
        net(*_inputs(batch), seen)
        largest = [x.amax((0, 2, 3)) for x in seen]
        most = [torch.maximum(a, b) for a, b in zip(most, largest)] if most else largest
    return {f"ranges.{k}": _array(values) for k, values in enumerate(most)}


@torch.no_grad()
def compare(net: Net, tensors: Mapping[str, np.ndarray], pools: Mapping) -> None:
    """Raise unless the tensors in plain numpy give the outputs of the net for positions of all sizes."""
    for batch in _some(pools, lambda _: 4):
        outputs = [output.numpy() for output in net(*_inputs(batch))]
        for i in range(len(batch.win)):
            plain = forward(tensors, batch.planes[i], batch.globals[i])
            for ours, theirs in zip(plain.values(), outputs):
                if not np.allclose(ours, theirs[i], rtol=TOLERANCE, atol=TOLERANCE):
                    raise ValueError(f"the exported tensors differ by {np.abs(ours - theirs[i]).max()} on {batch.size}")


def digest(tensors: Mapping[str, np.ndarray]) -> str:
    """SHA-256 in hex over the tensors sorted by name (by code point). Of each, in this order: the name in
    UTF-8; a zero byte; each dimension as a little-endian u64, the first one first (their number is not
    hashed, nor the type); the values as they lie in the file, row-major and little-endian."""
    total = hashlib.sha256()
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name])
        total.update(name.encode() + b"\0" + struct.pack(f"<{tensor.ndim}Q", *tensor.shape))
        total.update(tensor.astype(tensor.dtype.newbyteorder("<")).tobytes())
    return total.hexdigest()


def _some(pools: Mapping, count: Callable[[data.Pool], int]) -> Iterator[data.Batch]:
    """So many positions of each pool, evenly spread."""
    for pool in pools.values():
        yield pool.rows(np.unique(np.linspace(0, len(pool) - 1, count(pool)).astype(int)))


def _inputs(batch: data.Batch) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.from_numpy(batch.planes).float().permute(0, 3, 1, 2), torch.from_numpy(batch.globals)


def _array(tensor: torch.Tensor, half: bool = False) -> np.ndarray:
    return np.ascontiguousarray(tensor.detach().numpy().astype(np.float16 if half else np.float32))
