"""Batches from shards. Which positions a step sees, and how they are turned, is a function of the seed
and the step alone, so a run that goes on from a checkpoint sees what it would have seen."""

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from train.boards import SYMMETRIES, Size, symmetries
from train.engine import unpack

ARRAYS = ("globals", "planes", "policy_index", "policy_prob", "win", "lead", "owner", "owned")


@dataclass(frozen=True)
class Batch:
    """Positions of one size, from the view of the side to move."""

    size: Size
    planes: np.ndarray  # u8 [n, height, width, 22]
    globals: np.ndarray  # f32 [n, 19]
    moves: np.ndarray  # i64 [n, k]
    odds: np.ndarray  # f32 [n, k], their sum is 1
    win: np.ndarray  # f32 [n], NaN where unknown
    lead: np.ndarray  # f32 [n], points, NaN where unknown
    owner: np.ndarray  # f32 [n, points], -1 the opponent's .. 1 own, NaN where unknown

    def turned(self, turns: np.ndarray) -> "Batch":
        """Each position turned by its symmetry."""
        sources, targets = symmetries(self.size)
        n, points = len(turns), self.size.points
        from_ = sources[turns, :points]
        planes = self.planes.reshape(n, points, -1)[np.arange(n)[:, None], from_]
        return Batch(
            self.size, planes.reshape(self.planes.shape), self.globals,
            np.take_along_axis(targets[turns], self.moves, axis=1), self.odds, self.win, self.lead,
            np.take_along_axis(self.owner, from_, axis=1))


class Pool:
    """All positions of one size and part."""

    def __init__(self, size: Size, folders: list[Path]):
        self.size = size
        self.shards = [{name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in ARRAYS}
                       for folder in sorted(folders)]
        self.bounds = np.cumsum([0] + [len(shard["win"]) for shard in self.shards])
        self.width = max(shard["policy_index"].shape[1] for shard in self.shards)

    def __len__(self) -> int:
        return int(self.bounds[-1])

    def rows(self, wanted: np.ndarray) -> Batch:
        """The positions of these rows, not turned."""
        wanted = np.asarray(wanted)
        order = np.argsort(wanted, kind="stable")
        cuts = np.searchsorted(wanted[order], self.bounds)
        pieces = [
            {name: self._wide(name, shard[name][wanted[order[a:b]] - start]) for name in ARRAYS}
            for shard, start, a, b in zip(self.shards, self.bounds, cuts[:-1], cuts[1:]) if b > a
        ]
        back = np.argsort(order)
        return self._batch({name: np.concatenate([piece[name] for piece in pieces])[back]
                            for name in ARRAYS})

    def _wide(self, name: str, values: np.ndarray) -> np.ndarray:
        """Moves of probability 0 where a shard has fewer than another one."""
        if not name.startswith("policy"):
            return values
        return np.pad(values, ((0, 0), (0, self.width - values.shape[1])))

    def _batch(self, rows: dict[str, np.ndarray]) -> Batch:
        size, n = self.size, len(rows["win"])
        planes = unpack(rows["planes"], size).transpose(0, 2, 1)
        odds = rows["policy_prob"].astype(np.float32)
        owner = np.stack([rows["owner"] & 15, rows["owner"] >> 4], axis=2).reshape(n, -1)
        owner = owner[:, : size.points] / np.float32(7.5) - 1
        owner[~rows["owned"]] = np.nan
        return Batch(
            size, np.ascontiguousarray(planes).reshape(n, size.height, size.width, -1),
            rows["globals"], rows["policy_index"].astype(np.int64),
            odds / odds.sum(axis=1, keepdims=True), rows["win"], rows["lead"], owner)


def pools(folder: Path, part: str) -> dict[Size, Pool]:
    """The pools of a part by size."""
    return {size: Pool(size, list(path.iterdir()))
            for path in (folder / part).iterdir() for size in [Size.parse(path.name)]}


@dataclass(frozen=True)
class Stage:
    """So many samples of sizes by their share; `None` stands for all sizes that no stage names, which
    share by their number of positions."""

    samples: int
    shares: dict[Size | None, float]

    @staticmethod
    def parse(text: str) -> "Stage":
        """Read `2.4M:9=2,13=1,other=0.1`: samples (k and M are understood) and shares by size; `rest` is
        another word for `other`."""
        samples, _, mix = text.partition(":")
        factor = {"k": 10**3, "M": 10**6}.get(samples[-1], 1)
        shares = {}
        for part in mix.split(","):
            size, _, share = part.partition("=")
            shares[None if size in ("other", "rest") else Size.parse(size)] = float(share or 1)
        return Stage(round(float(samples.rstrip("kM")) * factor), shares)


class Schedule:
    """The whole run: the size of each step and which of its positions it takes."""

    def __init__(self, sizes: dict[Size, int], stages: list[Stage], batch: int, seed: int):
        self.batch, self.seed = batch, seed
        self.order = sorted(sizes)
        self.counts = [sizes[size] for size in self.order]
        rng = np.random.default_rng([seed, 0])
        named = {size for stage in stages for size in stage.shares}
        steps = []
        for stage in stages:
            odds = np.array([stage.shares.get(size, 0.0) for size in self.order])
            rest = np.array([0 if size in named else sizes[size] for size in self.order], float)
            if None in stage.shares and rest.any():
                odds += stage.shares[None] * rest / rest.sum()
            if missing := [str(size) for size in stage.shares if size and size not in sizes]:
                raise ValueError(f"there are no positions of {', '.join(missing)}")
            steps.append(rng.choice(len(odds), size=stage.samples // batch, p=odds / odds.sum()))
        self.sizes = np.concatenate(steps)
        self.before = np.zeros(len(self.sizes), np.int64)  # steps of the same size before
        for i in range(len(self.order)):
            own = self.sizes == i
            self.before[own] = np.arange(own.sum())
        self._epochs: dict[tuple[int, int], np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.sizes)

    def step(self, step: int) -> tuple[Size, np.ndarray, np.ndarray]:
        """Size, rows and symmetries of a step."""
        size = int(self.sizes[step])
        places = self.before[step] * self.batch + np.arange(self.batch)
        epochs, places = np.divmod(places, self.counts[size])
        rows = np.empty(self.batch, np.int64)
        for epoch in np.unique(epochs):
            rows[epochs == epoch] = self._epoch(size, int(epoch))[places[epochs == epoch]]
        turns = np.random.default_rng([self.seed, 1, step]).integers(SYMMETRIES, size=self.batch)
        return self.order[size], rows, turns

    def _epoch(self, size: int, epoch: int) -> np.ndarray:
        """The order in which the positions of a size come in one pass over them."""
        if (size, epoch) not in self._epochs:
            self._epochs.pop((size, epoch - 2), None)
            rng = np.random.default_rng([self.seed, 2, size, epoch])
            self._epochs[size, epoch] = rng.permutation(self.counts[size])
        return self._epochs[size, epoch]


def ahead(make: Callable[[int], Batch], steps: range, depth: int = 4) -> Iterator[Batch]:
    """The results of `make` for these steps, made by a thread that runs a few of them ahead."""
    ready: queue.Queue = queue.Queue(depth)
    stop = threading.Event()

    def put(item: object) -> None:
        while not stop.is_set():
            try:
                return ready.put(item, timeout=0.1)
            except queue.Full:
                continue

    def work() -> None:
        try:
            for step in steps:
                if stop.is_set():
                    return
                put(make(step))
            put(None)
        except BaseException as error:  # for the consumer to raise
            put(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()
