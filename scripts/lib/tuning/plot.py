"""The values over the iterations, one panel a parameter."""

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # files only

from matplotlib import pyplot

from lib import files
from lib.tuning.journal import Entry
from lib.tuning.spsa import Parameter

ENDINGS = (".svg", ".png", ".pdf")
COLUMNS_MAX = 3
INK, LINE, DIM = "#22242a", "#2277cc", "#a9abb2"


def draw(path: Path, parameters: tuple[Parameter, ...], entries: list[Entry]) -> None:
    """Write the picture; the name's ending, one of `ENDINGS`, chooses the format. Raises a `FileError`."""
    columns = min(COLUMNS_MAX, len(parameters))
    rows = -(-len(parameters) // columns)
    figure, panels = pyplot.subplots(rows, columns, figsize=(4.2 * columns, 2.5 * rows + 0.6),
                                     squeeze=False, layout="constrained")
    games = sum(entry.games for entry in entries)
    figure.suptitle(f"SPSA after {len(entries)} iterations, {games} games; gray: a step around the start",
                    color=INK, fontsize=10)
    for panel in panels.flat[len(parameters):]:
        panel.set_visible(False)
    for panel, parameter in zip(panels.flat, parameters):
        values = [parameter.start, *(entry.values[parameter.name] for entry in entries)]
        panel.axhline(parameter.start, color=DIM, linewidth=1, linestyle=":")
        panel.axhspan(max(parameter.low, parameter.start - parameter.step),
                      min(parameter.high, parameter.start + parameter.step),
                      color=DIM, alpha=0.18, linewidth=0)
        panel.plot(values, color=LINE, linewidth=1.3)
        panel.plot(len(values) - 1, values[-1], "o", color=LINE, markersize=4)
        panel.set_title(f"{parameter.name}: {parameter.start:.4g} → {values[-1]:.4g}", fontsize=9, color=INK)
        panel.tick_params(labelsize=8, colors=INK)
        panel.set_xlim(0, max(1, len(values) - 1))
        panel.spines[["top", "right"]].set_visible(False)
    picture = io.BytesIO()
    try:
        figure.savefig(picture, dpi=110, format=path.suffix[1:],
                       metadata={"Date": None} if path.suffix == ".svg" else None)
    finally:
        pyplot.close(figure)
    files.write(path, picture.getvalue())
