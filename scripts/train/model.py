"""The network of src/net/model.rs as torch modules; its outputs are those of src/net/plain.rs.

Convolutions have no bias. Every norm is followed by a rectifier and is a batch renorm (S. Ioffe, Batch
Renormalization, 2017): its output is the one of the running statistics, which the export folds into
scale and bias, also in training, where a batch has one board size and other statistics than the mix.
"""

import re

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from train import winograd
from train.boards import GLOBALS, PLANES

POOL_MIDDLE = 14.0
NO_RESULT = 2
NO_RESULT_LOGIT = -10.0


def multiple_of_16(channels: float) -> int:
    """Kernels are full with these."""
    return max(16, 16 * round(channels / 16))


class Norm(nn.Module):
    """Batch renorm and rectifier."""

    MOMENTUM = 0.02
    EPSILON = 1e-3

    def __init__(self, channels: int):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels))
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))
        self.ratio_max, self.shift_max = 1.0, 0.0  # of batch and running statistics; 1, 0: batch norm

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return F.relu_(F.batch_norm(x, self.mean, self.variance, self.scale, self.bias, eps=self.EPSILON))
        with torch.no_grad():
            mean, variance = statistics(x)
            deviation = (self.variance + self.EPSILON).sqrt()
            ratio = ((variance + self.EPSILON).sqrt() / deviation).clamp(1 / self.ratio_max, self.ratio_max)
            shift = ((mean - self.mean) / deviation).clamp(-self.shift_max, self.shift_max)
            self.mean.lerp_(mean, self.MOMENTUM)
            self.variance.lerp_(variance, self.MOMENTUM)
        return F.relu_(F.batch_norm(x, None, None, self.scale * ratio, self.scale * shift + self.bias,
                                    training=True, eps=self.EPSILON))

    def folded(self) -> tuple[Tensor, Tensor]:
        """Scale and bias of the exported norm."""
        scale = self.scale / (self.variance + self.EPSILON).sqrt()
        return scale, self.bias - scale * self.mean


def statistics(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mean and variance of each channel, by sums over points: ten times as fast as `var_mean`."""
    points = x.permute(0, 2, 3, 1).reshape(-1, x.shape[1]).float()
    mean = points.mean(0)
    return mean, ((points * points).mean(0) - mean * mean).clamp(min=0)


class Conv(nn.Conv2d):
    """A convolution that keeps the size, without a bias."""

    def __init__(self, inputs: int, outputs: int, side: int):
        super().__init__(inputs, outputs, side, padding=side // 2, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        fast = winograd.convolve(x, self.weight) if self.training else None
        return super().forward(x) if fast is None else fast


def conv(inputs: int, outputs: int, side: int = 3) -> nn.Conv2d:
    """A convolution that keeps the size."""
    layer = Conv(inputs, outputs, side)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    return layer


def linear(inputs: int, outputs: int, bias: bool = False) -> nn.Linear:
    """A product with a matrix."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.normal_(layer.weight, std=inputs**-0.5)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def by_size(x: Tensor) -> float:
    """How far the board is from the middle size."""
    return (x.shape[2] * x.shape[3]) ** 0.5 - POOL_MIDDLE


def mean_of_points(x: Tensor) -> Tensor:
    """Mean of each channel, in f32."""
    return x.mean((2, 3), dtype=torch.float32)


def pool(x: Tensor) -> Tensor:
    """Mean, mean by size and maximum of each channel."""
    mean = mean_of_points(x)
    return torch.cat([mean, mean * (by_size(x) / 10), x.amax((2, 3)).float()], dim=1)


def pool_value(x: Tensor) -> Tensor:
    """Mean, and mean by size and by its square, of each channel."""
    mean, d = mean_of_points(x), by_size(x)
    return torch.cat([mean, mean * (d / 10), mean * (d * d / 100 - 0.1)], dim=1)


def add_to_points(x: Tensor, bias: Tensor) -> Tensor:
    """Add a number to each channel."""
    return x + bias.to(x.dtype)[:, :, None, None]


class Block(nn.Module):
    """A residual block, with `pooled` channels that give the others a bias."""

    def __init__(self, channels: int, pooled: int, depth: int):
        super().__init__()
        regular = channels - pooled
        self.before = Norm(channels)
        self.first = conv(channels, regular)
        if pooled:
            self.pooled = conv(channels, pooled)
            self.pooled_norm = Norm(pooled)
            self.pooled_bias = linear(3 * pooled, regular)
        self.between = Norm(regular)
        self.second = conv(regular, channels)
        with torch.no_grad():
            self.second.weight *= depth**-0.5  # the sum of all blocks is as large as one

    def forward(self, trunk: Tensor, seen: list[Tensor] | None = None) -> Tensor:
        x = self.before(trunk)
        middle = self.first(x)
        if hasattr(self, "pooled"):
            pooled = pool(self.pooled_norm(self.pooled(x)))
            with torch.autocast(x.device.type, enabled=False):
                middle = add_to_points(middle, self.pooled_bias(pooled))
        middle = self.between(middle)
        if seen is not None:
            seen += [x, middle]
        return trunk + self.second(middle)


class PolicyHead(nn.Module):
    """Logits of the points and, last, of a pass."""

    def __init__(self, channels: int, head: int):
        super().__init__()
        self.points = conv(channels, head, 1)
        self.pooled = conv(channels, head, 1)
        self.pooled_norm = Norm(head)
        self.pooled_bias = linear(3 * head, head)
        self.norm = Norm(head)
        self.logits = conv(head, 1, 1)
        # `pass` is a keyword of Python
        self.add_module("pass", linear(3 * head, 1))

    def forward(self, points: Tensor, pooled: Tensor) -> Tensor:
        pooled = pool(self.pooled_norm(pooled))
        points = self.norm(add_to_points(points, self.pooled_bias(pooled)))
        return torch.cat([self.logits(points).flatten(1), self.get_submodule("pass")(pooled)], dim=1)


class ValueHead(nn.Module):
    """Logits of win, loss and no result; score, its spread, lead, variance in time; ownership."""

    def __init__(self, channels: int, head: int):
        super().__init__()
        self.points = conv(channels, head, 1)
        self.norm = Norm(head)
        self.hidden = linear(3 * head, 2 * head, bias=True)
        self.value = linear(2 * head, 3, bias=True)
        self.score = linear(2 * head, 4, bias=True)
        self.ownership = conv(head, 1, 1)
        with torch.no_grad():
            for row in [1, 3]:  # nothing is learned for them
                self.score.weight[row] = 0
            self.value.weight[NO_RESULT] = 0
            self.value.bias[NO_RESULT] = NO_RESULT_LOGIT

    def forward(self, points: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        points = self.norm(points)
        hidden = F.relu(self.hidden(pool_value(points)))
        return self.value(hidden), self.score(hidden), torch.tanh(self.ownership(points).flatten(1))


class Net(nn.Module):
    """A network named by its blocks and channels, like b4c32. Every second block pools."""

    def __init__(self, architecture: str):
        super().__init__()
        match = re.fullmatch(r"b([1-9]\d*)c([1-9]\d*)", architecture)
        if not match or int(match[2]) % 16 or int(match[2]) < 32:
            raise ValueError(f"{architecture!r} is no b<blocks>c<channels>, channels a multiple of 16 from 32")
        blocks, channels = int(match[1]), int(match[2])
        head = 16 * -(-channels // 48)  # at least a third
        self.architecture = architecture
        self.stem = conv(PLANES, channels)
        self.stem_bias = linear(GLOBALS, channels)
        self.blocks = nn.ModuleList(
            Block(channels, multiple_of_16(channels / 3) if i % 2 else 0, blocks) for i in range(blocks))
        self.norm = Norm(channels)
        self.policy = PolicyHead(channels, head)
        self.value = ValueHead(channels, head)

    def forward(self, planes: Tensor, globals_: Tensor,
                seen: list[Tensor] | None = None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Policy [n, points + 1], value [n, 3], score [n, 4], ownership [n, points] from planes
        [n, 22, height, width] and globals [n, 19]. `seen` collects the inputs of the convolutions of
        the blocks."""
        device = planes.device.type
        with torch.autocast(device, enabled=False):
            bias = self.stem_bias(globals_)
        trunk = add_to_points(self.stem(planes), bias)
        for block in self.blocks:
            trunk = block(trunk, seen)
        trunk = self.norm(trunk)
        policy, pooled, value = self.policy.points(trunk), self.policy.pooled(trunk), self.value.points(trunk)
        with torch.autocast(device, enabled=False):
            value, score, ownership = self.value(value.float())
            return self.policy(policy.float(), pooled.float()), value, score, ownership

    def renorm(self, ratio_max: float, shift_max: float) -> None:
        """How far the statistics of a batch may lie from the running ones in all norms."""
        for module in self.modules():
            if isinstance(module, Norm):
                module.ratio_max, module.shift_max = ratio_max, shift_max
