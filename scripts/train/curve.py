"""Learning curves: the measures on held-out positions over the samples, by size, as a PNG."""

import argparse
import json
from pathlib import Path

MEASURES = {
    "kl": "policy: KL from the label (nats)", "top1": "policy: same first move",
    "win": "win probability: mean error", "lead": "lead: mean error (points)",
    "owner": "ownership: mean square error", "winner": "same winner",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this step."""
    parser.add_argument("runs", type=Path, nargs="+", help="folders of runs to draw together")
    parser.add_argument("--out", type=Path, help="the picture (default: curve.png in the first folder)")


def draw(runs: list[Path], out: Path) -> None:
    """Draw the logs of runs."""
    import matplotlib  # only here: it takes a second to load
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(15, 8), layout="constrained")
    for folder in runs:
        lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        lines = [line for line in lines if "held_out" in line]
        for size in sorted({size for line in lines for size in line["held_out"]}):
            for axis, (name, title) in zip(axes.flat, MEASURES.items()):
                axis.plot([line["samples"] for line in lines],
                          [line["held_out"][size][name] for line in lines], label=f"{folder.name} {size}")
                axis.set_title(title)
                axis.set_xlabel("samples")
                axis.grid(alpha=0.3)
                if name in ("kl", "owner"):
                    axis.set_yscale("log")
    axes.flat[0].legend()
    figure.savefig(out, dpi=100)
    pyplot.close(figure)
