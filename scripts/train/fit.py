"""Training: a folder that holds the checkpoint, the log and the options of one run.

    checkpoint.pt  everything that going on needs
    log.jsonl      losses of training, and measures on the held-out positions by size
    run.json       the options
"""

import argparse
import contextlib
import copy
import json
import math
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from train import data, loss, optimizer
from train.boards import Size
from train.model import Net
from train.prepare import HELD_OUT, TRAIN

LOG_STEPS = 50
HELD_OUT_POSITIONS = 2048  # of each size, and of all others together, at each evaluation
HELD_OUT_BATCH = 256
# Over this part of a run the norms go from batch norm to batch renorm: not before the running statistics
# have settled, and no further than the statistics of board sizes differ.
RENORM_FROM, RENORM_TO = 0.1, 0.4

# Options that a run keeps when it goes on.
FIXED = ("architecture", "stages", "batch", "rate", "rate_end", "warm_up", "decay", "clip", "average",
         "ratio_max", "shift_max", "seed", "start", "optimizer")

# Options that a network does not tell of.
PLACES = ("--out", "--threads", "--save-minutes")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this step."""
    parser.add_argument("architecture", help="blocks and channels, like b4c32 or b6c64")
    parser.add_argument("--stage", dest="stages", action="append", required=True, metavar="N:MIX",
                        help="samples and mix of sizes, like 2.4M:9=2,13=1,other=0.1; may be repeated")
    parser.add_argument("--start", type=Path, metavar="RUN", help="begin with the weights of another run")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--optimizer", choices=optimizer.NAMES, default="muon")
    parser.add_argument("--rate", type=float, default=0.015, help="largest learning rate")
    parser.add_argument("--rate-end", type=float, default=0.02, help="part of it at the end of the cosine")
    parser.add_argument("--warm-up", type=int, default=100, metavar="STEPS")
    parser.add_argument("--decay", type=float, default=0.02, help="weight decay")
    parser.add_argument("--clip", type=float, default=5.0, help="largest norm of the gradient")
    parser.add_argument("--average", type=float, default=0.999, help="decay of the average of the weights")
    parser.add_argument("--ratio-max", type=float, default=2.0, help="limit of the batch renorm (1: batch norm)")
    parser.add_argument("--shift-max", type=float, default=1.0, help="limit of the batch renorm (0: batch norm)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--precision", choices=["auto", "bf16", "f32"], default="auto",
                        help="bf16 is several times slower where the processor lacks it (default: auto)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu",
                        help="of torch (default: %(default)s)")
    parser.add_argument("--threads", type=int, help="of torch (default: OMP_NUM_THREADS, or all cores)")
    parser.add_argument("--save-minutes", type=float, default=5.0)
    parser.add_argument("--evaluate-samples", type=int, default=100_000, metavar="N")


class Run:
    """State of a training run."""

    def __init__(self, folder: Path, shards: Path, options: argparse.Namespace):
        self.folder, self.options = folder, options
        self.fixed = {name: str(value) if isinstance(value, Path) else value
                      for name in FIXED for value in [getattr(options, name)]}
        self.train = data.pools(shards, TRAIN)
        self.held_out = data.pools(shards, HELD_OUT)
        stages = [data.Stage.parse(text) for text in options.stages]
        self.named = {size for stage in stages for size in stage.shares}
        self.schedule = data.Schedule(
            {size: len(pool) for size, pool in self.train.items()}, stages, options.batch, options.seed)
        torch.manual_seed(options.seed)
        self.net = Net(options.architecture).to(options.device, memory_format=torch.channels_last)
        if options.start:
            self.net.load_state_dict(load(options.start)["average"])
        self.average = copy.deepcopy(self.net).eval()
        # With the statistics of the norms.
        self.weights, self.averages = (list(net.state_dict().values()) for net in (self.net, self.average))
        self.optimizer = optimizer.Optimizer(self.net, options.optimizer, options.decay)
        self.bfloat16 = options.precision == "bf16" or (
            options.precision == "auto"
            and (options.device != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()))
        self.step = 0
        self.seconds = 0.0
        self.interrupted = False

    def resume(self) -> None:
        """Go on from the checkpoint if there is one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / "log.jsonl"
        lines = []
        if (self.folder / "checkpoint.pt").exists():
            state = load(self.folder)
            if changed := [name for name in FIXED if state["options"][name] != self.fixed[name]]:
                raise SystemExit(f"{self.folder} was begun with another {', '.join(changed)}")
            if state["sizes"] != self._sizes():
                raise SystemExit(f"{self.folder} was begun with other positions")
            self.net.load_state_dict(state["net"])
            self.average.load_state_dict(state["average"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step, self.seconds = state["step"], state["seconds"]
            lines = [line for line in log.read_text().splitlines(keepends=True)
                     if json.loads(line)["step"] <= self.step]
        log.write_text("".join(lines))
        (self.folder / "run.json").write_text(json.dumps(self.fixed, indent=1) + "\n")

    def save(self) -> None:
        """Write the checkpoint."""
        state = {
            "options": self.fixed, "command": command(sys.argv[1:]), "sizes": self._sizes(), "step": self.step,
            "seconds": self.seconds,
            "samples": self.samples, "net": self.net.state_dict(), "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        unfinished = self.folder / "checkpoint.unfinished"
        torch.save(state, unfinished)
        unfinished.replace(self.folder / "checkpoint.pt")

    def _sizes(self) -> dict[str, int]:
        return {str(size): len(pool) for size, pool in self.train.items()}

    @property
    def samples(self) -> int:
        """Samples seen."""
        return self.step * self.options.batch

    def fit(self) -> None:
        """Train to the end, or until SIGINT or SIGTERM."""
        handlers = {number: signal.signal(number, self._interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        bar = tqdm(total=len(self.schedule) * self.options.batch, initial=self.samples, unit="", unit_scale=True,
                   disable=None)
        start = saved = time.monotonic()
        seconds_before = self.seconds
        recent: list[dict[str, Tensor]] = []
        every = max(1, self.options.evaluate_samples // self.options.batch)
        with contextlib.closing(data.ahead(self._batch, range(self.step, len(self.schedule)))) as batches:
            for batch in batches:
                recent.append(self._learn(batch))
                self.step += 1
                self.seconds = seconds_before + time.monotonic() - start
                bar.update(self.options.batch)
                if self.step % LOG_STEPS == 0:
                    means = {name: torch.stack([losses[name] for losses in recent]).mean().item() for name in recent[0]}
                    bar.set_postfix({name: f"{value:.3f}" for name, value in means.items()})
                    self._log(train=means)
                    recent = []
                if self.step % every == 0 or self.step == len(self.schedule):
                    self._log(held_out=self.measure())
                if self.interrupted or time.monotonic() - saved > 60 * self.options.save_minutes:
                    self.save()
                    saved = time.monotonic()
                if self.interrupted:
                    break
        bar.close()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if self.interrupted:
            raise SystemExit(f"saved at {self.samples} samples; the same command goes on from there")
        self.save()

    def _interrupt(self, *_: Any) -> None:
        self.interrupted = True

    def _batch(self, step: int) -> data.Batch:
        size, rows, turns = self.schedule.step(step)
        return self.train[size].rows(rows).turned(turns)

    def _learn(self, batch: data.Batch) -> dict[str, Tensor]:
        """One step of the optimizer; the parts of the loss."""
        options, done = self.options, self.step / len(self.schedule)
        progress = min(1.0, max(0.0, (done - RENORM_FROM) / (RENORM_TO - RENORM_FROM)))
        self.net.train()
        self.net.renorm(options.ratio_max**progress, options.shift_max * progress)
        losses = loss.Answer(self.net, batch, self.bfloat16).losses()
        loss.total(losses).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), options.clip)
        self.optimizer.step(rate(self.step, len(self.schedule), options))
        with torch.no_grad():
            part = 1 - min(options.average, (1 + self.step) / (10 + self.step))
            torch._foreach_lerp_(self.averages, self.weights, part)
        return {name: value.detach() for name, value in losses.items()}

    def measure(self) -> dict[str, dict[str, float]]:
        """Means of the measures on held-out positions by size, of all sizes that no stage names together,
        of the averaged weights in f32."""
        by_size = {str(size): [pool] for size, pool in sorted(self.held_out.items()) if size in self.named}
        if other := [pool for size, pool in sorted(self.held_out.items()) if size not in self.named]:
            by_size["other"] = other
        return {size: measure(self.average, pools) for size, pools in by_size.items()}

    def _log(self, **values: Any) -> None:
        line = {"step": self.step, "samples": self.samples, "seconds": round(self.seconds, 1),
                "rate": rate(self.step, len(self.schedule), self.options), **values}
        with open(self.folder / "log.jsonl", "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")


def command(arguments: list[str]) -> str:
    """The command of a run as its network states it: without what only says where and how fast."""
    kept, rest = [], iter(arguments)
    for argument in rest:
        name, equals, _ = argument.partition("=")
        if name not in PLACES:
            kept.append(argument)
        elif not equals:
            next(rest, None)
    return shlex.join(["scripts/train/train", *kept])


def rate(step: int, steps: int, options: argparse.Namespace) -> float:
    """The learning rate: linear warm-up and a cosine over the whole run."""
    cosine = 0.5 + 0.5 * math.cos(math.pi * min(1.0, step / steps))
    part = options.rate_end + (1 - options.rate_end) * cosine
    return options.rate * part * min(1.0, (step + 1) / max(1, options.warm_up))


@torch.no_grad()
def measure(net: Net, pools: list[data.Pool]) -> dict[str, float]:
    """Means of the measures over positions spread evenly over each pool."""
    parts = []
    for pool in pools:
        rows = np.unique(np.linspace(0, len(pool) - 1, -(-HELD_OUT_POSITIONS // len(pools))).astype(int))
        parts += [loss.Answer(net, pool.rows(rows[i : i + HELD_OUT_BATCH]), bfloat16=False).measures()
                  for i in range(0, len(rows), HELD_OUT_BATCH)]
    return {name: round(torch.cat([part[name] for part in parts]).nanmean().item(), 5) for name in parts[0]}


def load(folder: Path) -> dict[str, Any]:
    """The checkpoint of a run."""
    return torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)


def run(folder: Path, shards: Path, options: argparse.Namespace) -> None:
    """Train, or go on."""
    if options.threads:
        torch.set_num_threads(options.threads)
    state = Run(folder, shards, options)
    state.resume()
    state.fit()
