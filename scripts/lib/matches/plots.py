"""The plots of a match, each as the text of an SVG that goes into a page."""

import io
import math

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from lib.matches.elo import Interval, interval, signed
from lib.matches.sprt import CELLS, Sprt
from lib.matches.standings import Standings
from lib.matches.tally import Tally

COLORS = ("#1f7a5c", "#d1603d", "#3b6ea8", "#c99a2e", "#8059a5", "#4b8f98", "#a8546e", "#6b7280")
INK, FAINT, GRID = "#22302b", "#6b7a74", "#e3e8e5"
WIDTH = 8.6  # inches, as are all heights below
POINTS_MAX = 150  # of a curve
SECONDS_MIN = 1e-3  # shorter moves go into the first bar
STYLE = {
    "svg.fonttype": "none", "svg.hashsalt": "keima", "font.family": "sans-serif", "font.size": 11,
    "text.color": INK, "axes.labelcolor": FAINT, "axes.edgecolor": "#b9c4be",
    "xtick.color": FAINT, "ytick.color": FAINT, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": GRID, "axes.axisbelow": True,
    "legend.frameon": False,
}


def colors(standings: Standings) -> dict[str, str]:
    """A color for each engine, the same in all plots."""
    return {player.name: COLORS[index % len(COLORS)]
            for index, player in enumerate(standings.plan.players)}


def elo_bars(standings: Standings) -> str:
    """A bar for each engine's Elo above the anchor, with its interval; arrows lead to infinity."""
    ratings = standings.ratings()
    ends = [value for elo in ratings.values() for value in (elo.mean, elo.low, elo.high)
            if math.isfinite(value)]
    reach = max(100.0, *map(abs, ends))
    reach *= 1.35 if all(map(math.isfinite, _ends(ratings))) else 1.8  # room for the arrows

    def draw(axes) -> None:
        for row, (name, elo) in enumerate(ratings.items()):
            low, mean, high = (max(-reach, min(reach, value))
                               for value in (elo.low, elo.mean, elo.high))
            color = colors(standings)[name]
            axes.barh(row, mean, height=0.56, color=color, alpha=0.85)
            if elo.low < elo.high:
                axes.plot([low, high], [row, row], color=INK, linewidth=1.6, solid_capstyle="butt")
                for end, marker, value in ((low, "<", elo.low), (high, ">", elo.high)):
                    axes.plot(end, row, "|" if math.isfinite(value) else marker, color=INK,
                              markersize=11 if math.isfinite(value) else 7, markeredgewidth=1.6)
            axes.annotate(_rating(elo), (high if mean >= 0 else low, row),
                          xytext=(10 if mean >= 0 else -10, 0), textcoords="offset points",
                          va="center", ha="left" if mean >= 0 else "right", fontweight="bold")
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_yticks(range(len(ratings)), ratings, color=INK, fontsize=12)
        axes.tick_params(axis="y", length=0)
        axes.invert_yaxis()
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
        axes.set_xlim(min(-0.25, min(0.0, *ends) * 1.5 / reach) * reach, reach)
        if any(elo.mean < 0 for elo in ratings.values()):
            axes.set_xlim(-reach, reach)
        axes.set_xlabel(f"Elo above {standings.anchor}, 95 % interval")

    return _svg(draw, 0.9 + 0.55 * len(ratings))


def score_over_games(standings: Standings) -> str:
    """The share of points so far after each game; of two engines with its interval."""
    tallies = standings.tallies()

    def draw(axes) -> None:
        if len(tallies) == 1:
            _curve_with_band(axes, tallies[0], colors(standings)[tallies[0].name])
        else:
            for name, color in colors(standings).items():
                scores = [score if tally.name == name else 1 - score for tally in tallies
                          if name in (tally.name, tally.opponent)
                          for _, score in _scores(tally)]
                numbers = [number for tally in tallies if name in (tally.name, tally.opponent)
                           for number, _ in _scores(tally)]
                order = np.argsort(numbers)
                running = np.cumsum(np.array(scores)[order]) / np.arange(1, len(scores) + 1)
                axes.plot(np.array(numbers)[order], running, color=color, linewidth=2, label=name)
            axes.legend(ncols=4, loc="lower left", bbox_to_anchor=(0, 1.0))
        axes.axhline(0.5, color=FAINT, linewidth=1, linestyle="--")
        axes.set_ylim(-0.02, 1.02)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(f"{tallies[0].unit} played" if len(tallies) == 1 else "number of the game")
        axes.set_ylabel("share of points")

    return _svg(draw, 3.3)


def move_times(standings: Standings) -> str:
    """How long the moves of each engine took, on a logarithmic axis."""
    seconds = {name: _seconds(standings, name) for name in colors(standings)}
    known = [value for values in seconds.values() for value in values] or [SECONDS_MIN]
    shortest = max(SECONDS_MIN, min(known))
    steps = np.geomspace(shortest, 1.01 * max(*known, 10 * shortest), 45)

    def draw(axes) -> None:
        for name, values in seconds.items():
            if values:
                axes.hist(np.maximum(values, shortest), steps, color=colors(standings)[name],
                          weights=np.full(len(values), 1 / len(values)), alpha=0.55,
                          histtype="stepfilled", label=f"{name} ({np.median(values):.2g} s)")
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} s"))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
        axes.set_xlabel("time of a move as the clock saw it (in brackets: the median)")
        axes.set_ylabel("share of the moves")
        if any(seconds.values()):
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4)

    return _svg(draw, 3.1)


def pair_bars(tally: Tally) -> str:
    """How many pairs of games scored 0 to 2 points."""
    counts = tally.summary()["pairs"]

    def draw(axes) -> None:
        shades = ("#b9472a", "#e0a08c", "#c9d1cd", "#8cc4ae", "#1f7a5c")
        bars = axes.bar(CELLS, counts, color=shades, width=0.72)
        axes.bar_label(bars, padding=2, color=INK)
        axes.grid(axis="x", visible=False)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
        axes.margins(y=0.15)
        axes.set_xlabel(f"points of {tally.name} in a pair of games")
        axes.set_ylabel("pairs")

    return _svg(draw, 2.7)


def sprt_path(test: Sprt, ratios: list[float]) -> str:
    """The log-likelihood ratio after each pair, between its bounds."""
    low, high = test.bounds

    def draw(axes) -> None:
        axes.plot(range(len(ratios) + 1), [0.0, *ratios], color=COLORS[2], linewidth=2)
        for bound, label, color in ((high, f"yes: {test.elo1:+g} Elo", COLORS[0]),
                                    (low, f"no: {test.elo0:+g} Elo", COLORS[1])):
            axes.axhline(bound, color=color, linewidth=1.4, linestyle="--")
            axes.annotate(label, (0, bound), xytext=(4, 4), textcoords="offset points", color=color)
        axes.set_ylim(min(low, *ratios, 0) - 0.8, max(high, *ratios, 0) + 0.8)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("pairs of games")
        axes.set_ylabel("log-likelihood ratio")

    return _svg(draw, 2.9)


def _svg(draw, height: float) -> str:
    """A figure with what `draw` puts on its axes, as an SVG without the XML's head."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    whole = text.getvalue()
    return whole[whole.index("<svg"):]


def _ends(ratings: dict[str, Interval]) -> list[float]:
    return [value for elo in ratings.values() for value in (elo.low, elo.high)]


def _rating(elo: Interval) -> str:
    """A rating beside its bar."""
    if elo.low == elo.high:
        return "0"
    if math.isfinite(elo.mean):
        return signed(elo).partition(" ")[0]
    return f"above {elo.low:+.0f}" if elo.mean > 0 else f"below {elo.high:+.0f}"


def _curve_with_band(axes, tally: Tally, color: str) -> None:
    pairs = tally.pairs()
    lengths = np.unique(np.linspace(1, len(pairs), min(len(pairs), POINTS_MAX)).astype(int))
    shares = [interval(pairs[:length]) for length in lengths if pairs]
    games = [sum(map(len, pairs[:length])) for length in lengths if pairs]
    if not games:
        return
    axes.fill_between(games, [one.low for one in shares], [one.high for one in shares], color=color,
                      alpha=0.18, linewidth=0, label="95 % interval")
    axes.plot(games, [one.mean for one in shares], color=color, linewidth=2.2, label=tally.name)
    axes.set_xlim(0, games[-1] * 1.02)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2)


def _scores(tally: Tally) -> list[tuple[int, float]]:
    """The number of each game that counts, and the first engine's points in it."""
    scores = [(record.number, tally.score(record)) for record in tally.records]
    return [(number, score) for number, score in scores if score is not None]


def _seconds(standings: Standings, name: str) -> list[float]:
    """Wall seconds of all moves of an engine."""
    return [value for record in standings.records for color, player in
            (("b", record.black), ("w", record.white)) if player == name
            for value in record.efforts[color].seconds]
