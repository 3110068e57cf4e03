"""3x3 convolutions for training on a CPU without bfloat16: winograd.c, compiled at first use.

Two to three times as fast as torch's direct ones. Gradients are those of the same convolution to within
rounding. Where there is no C compiler, torch does the work."""

import ctypes
import functools
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch import Tensor

SOURCE = Path(__file__).with_name("winograd.c")
FLAGS = ("-O3", "-march=native", "-fopenmp", "-fPIC", "-shared")
CHANNELS = 16  # the kernels take multiples

# Transforms of filters by side of the tiles of outputs; those of inputs and outputs are in winograd.c.
FILTER = {
    3: [[1 / 2, 0, 0], [-1 / 2, -1 / 2, -1 / 2], [-1 / 6, 1 / 6, -1 / 6], [1 / 6, 1 / 3, 2 / 3], [0, 0, 1]],
    4: [[1 / 4, 0, 0], [-1 / 6, -1 / 6, -1 / 6], [-1 / 6, 1 / 6, -1 / 6],
        [1 / 24, 1 / 12, 1 / 6], [1 / 24, -1 / 12, 1 / 6], [0, 0, 1]],
}


def convolve(x: Tensor, weight: Tensor) -> Tensor | None:
    """`conv2d(x, weight, padding=1)` for f32 on a CPU; None where that is not for this module to do."""
    outputs, inputs, *side = weight.shape
    is_ours = (x.device.type == "cpu" and x.dtype == torch.float32 and not torch.is_autocast_enabled("cpu")
               and side == [3, 3] and inputs % CHANNELS == outputs % CHANNELS == 0)
    return Convolution.apply(x, weight) if is_ours and libraries() else None


@functools.cache
def libraries() -> dict[int, ctypes.CDLL]:
    """The compiled kernels by side of the tiles; empty without a compiler."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for tile in FILTER:
            library = Path(folder) / f"winograd-{tile}.so"
            try:
                subprocess.run(["cc", *FLAGS, f"-DTILE={tile}", SOURCE, "-o", library],
                               check=True, capture_output=True, text=True)
                found[tile] = ctypes.CDLL(str(library))
            except (OSError, subprocess.CalledProcessError) as error:
                print(f"training goes slower, for winograd.c was not compiled: {error}", file=sys.stderr)
                return {}
    return found


@functools.cache
def filter_of(tile: int) -> Tensor:
    """The transform of a filter in both directions, [places, 9]."""
    side = torch.tensor(FILTER[tile])
    return torch.kron(side, side)


def cheapest_tile(height: int, width: int) -> int:
    """The side of the tiles with the fewest products for a board."""
    return min(FILTER, key=lambda tile: -(-height // tile) * -(-width // tile) * (tile + 2) ** 2)


class Convolution(torch.autograd.Function):
    """A 3x3 convolution whose points outside are 0."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor) -> Tensor:
        tile = cheapest_tile(*x.shape[2:])
        images = x.permute(0, 2, 3, 1).contiguous()
        ctx.save_for_backward(images, weight)
        ctx.tile = tile
        places = filter_of(tile) @ weight.permute(2, 3, 1, 0).reshape(9, -1)
        return call_convolve(tile, images, places, len(weight))

    @staticmethod
    def backward(ctx, gradient: Tensor) -> tuple[Tensor | None, Tensor | None]:
        images, weight = ctx.saved_tensors
        tile, (outputs, inputs) = ctx.tile, weight.shape[:2]
        gradient = gradient.permute(0, 2, 3, 1).contiguous()
        of_x = of_weight = None
        if ctx.needs_input_grad[0]:
            places = filter_of(tile) @ weight.flip(2, 3).permute(2, 3, 0, 1).reshape(9, -1)
            of_x = call_convolve(tile, gradient, places, inputs)
        if ctx.needs_input_grad[1]:
            threads = torch.get_num_threads()
            shares = torch.zeros(threads, (tile + 2) ** 2, inputs * outputs)
            _call(libraries()[tile].differentiate, images, gradient, shares, images.shape, outputs)
            nine = filter_of(tile).T @ shares.sum(0)
            of_weight = nine.reshape(3, 3, inputs, outputs).permute(3, 2, 0, 1)
        return of_x, of_weight


def call_convolve(tile: int, images: Tensor, places: Tensor, outputs: int) -> Tensor:
    """[n, outputs, height, width], the channels last in memory, from images [n, height, width, inputs]."""
    result = images.new_empty(*images.shape[:3], outputs)
    _call(libraries()[tile].convolve, images, places, result, images.shape, outputs)
    return result.permute(0, 3, 1, 2)


def _call(function, first: Tensor, second: Tensor, result: Tensor, shape: torch.Size, outputs: int) -> None:
    pointers = [ctypes.c_void_p(tensor.data_ptr()) for tensor in (first, second, result)]
    if not function(*pointers, *shape, outputs, torch.get_num_threads()):
        raise MemoryError("winograd.c had no memory")
