"""The result of a match as text for a terminal, as JSON and as Markdown."""

import json
import math
import shlex
from dataclasses import asdict
from datetime import date

from lib.matches.elo import CONFIDENCE, Interval, signed
from lib.matches.options import Match
from lib.matches.sprt import CELLS
from lib.matches.standings import Standings
from lib.matches.strength import commit
from lib.matches.tally import Tally


def data(match: Match, standings: Standings, versions: dict[str, str]) -> dict:
    """All that is known, as plain data; infinite numbers are None."""
    players = match.plan.players
    result = {
        "date": date.today().isoformat(),
        "commit": commit(),
        "engines": [asdict(player) | {"version": versions[player.name]} for player in players],
        "settings": asdict(match.settings),
        "budget": budget(match),
        "seed": match.plan.seed,
        "games_planned": len(match.plan),
        "two_game": match.is_two_game,
        "anchor": standings.anchor,
        "ratings": [{"name": name, "points": standings.points(name)[0],
                     "games": standings.points(name)[1],
                     "elo": [finite(value) for value in (elo.mean, elo.low, elo.high)]}
                    for name, elo in standings.ratings().items()],
        "encounters": [{"a": tally.name, "b": tally.opponent} | tally.summary()
                       for tally in standings.tallies()],
    }
    if len(players) == 2:  # the form that scripts of others read
        a, b = players
        result |= {"a": asdict(a), "b": asdict(b), "summary": standings.tallies()[0].summary()}
    if match.sprt:
        result["sprt"] = asdict(match.sprt) | {
            "bounds": match.sprt.bounds, "ratios": standings.ratios, "verdict": standings.verdict}
    return result | {"games": [asdict(record) for record in standings.records]}


def budget(match: Match) -> str:
    """What the players have for their moves, for people."""
    playouts = match.settings.playouts
    told = f"{playouts:,} playouts for engines that can be told" if playouts else ""
    return " or ".join(filter(None, [str(match.settings.time or ""), told])) or "their own"


def finite(value: float) -> float | None:
    """JSON knows no infinity."""
    return round(value, 1) if math.isfinite(value) else None


def to_json(report: dict, _standings: Standings) -> str:
    """The data as a JSON file."""
    return json.dumps(report, indent=1, allow_nan=False) + "\n"


def text(standings: Standings) -> str:
    """The report that ends a match."""
    parts = [tally.text() for tally in standings.tallies()]
    if len(standings.plan.players) > 2:
        parts.append(ratings_text(standings))
    if standings.sprt:
        parts.append(sprt_text(standings))
    return "\n".join(parts)


def ratings_text(standings: Standings) -> str:
    """A table of all engines."""
    ratings = standings.ratings()
    width = max(map(len, ratings))
    lines = [f"Elo above {standings.anchor} ({CONFIDENCE:.0%}, Bradley and Terry, pair-aware):"]
    for name, elo in ratings.items():
        points, count = standings.points(name)
        lines.append(f"  {name:<{width}}  {shown(elo):>22}  {points:g} of {count}")
    return "\n".join(lines)


def shown(elo: Interval) -> str:
    """A rating for people; the anchor's has no interval."""
    return "0" if elo.low == elo.high else signed(elo)


def sprt_text(standings: Standings) -> str:
    """How the test stands."""
    low, high = standings.sprt.bounds
    ratio = standings.ratios[-1] if standings.ratios else 0.0
    outcome = {None: "no verdict yet", True: f"yes, rather {standings.sprt.elo1:+g} Elo",
               False: f"no, rather {standings.sprt.elo0:+g} Elo"}[standings.verdict]
    return (f"SPRT {standings.sprt}: {outcome} after {len(standings.ratios)} pairs, "
            f"log-likelihood ratio {ratio:+.2f} in ({low:.2f}, {high:.2f})")


def headline(standings: Standings) -> str:
    """The result in a sentence, no stronger than the numbers allow."""
    tallies = standings.tallies()
    if len(tallies) == 1:
        return comparison(tallies[0])
    ratings = standings.ratings()
    best, *others = ratings
    if ratings[best].low > max(ratings[name].high for name in others):
        return f"{best} is the strongest"
    return f"{best} is ahead, but not beyond doubt"


def comparison(tally: Tally) -> str:
    """Who of two is stronger."""
    share = tally.interval()
    if share.low > 0.5:
        return f"{tally.name} is stronger than {tally.opponent}"
    if share.high < 0.5:
        return f"{tally.opponent} is stronger than {tally.name}"
    return f"{tally.name} and {tally.opponent}: too close to call"


def to_markdown(report: dict, standings: Standings) -> str:
    """The report for a note or a pull request."""
    settings = report["settings"]
    lines = [f"# {headline(standings)}", "",
             f"{report['date']}, {settings['size']}x{settings['size']}, komi {settings['komi']:g}, "
             f"budget of a move: {report['budget']}, commit {report['commit']}.", "",
             f"| engine | version | command | points | Elo above {report['anchor']} |",
             "| --- | --- | --- | --- | --- |"]
    engines = {engine["name"]: engine for engine in report["engines"]}
    for name, elo in standings.ratings().items():
        points, count = standings.points(name)
        lines.append(f"| {name} | {cell(engines[name]['version'])} | {code(engines[name]['command'])} "
                     f"| {points:g} of {count} | {shown(elo)} |")
    lines += ["", "| encounter | won, drawn, lost | share | pairs by points "
              f"{', '.join(CELLS)} | CPU s a move | lost by a fault |",
              "| --- | --- | --- | --- | --- | --- |"]
    for tally in standings.tallies():
        summary = tally.summary()
        pairs = ", ".join(map(str, summary.get("pairs", ["-"])))
        cpu = ", ".join(f"{effort['cpu_per_move']:.3f}" for effort in summary["effort"].values())
        faults = ", ".join(str(sum(kinds.values())) for kinds in summary["faults"].values())
        lines.append(f"| {tally.name} - {tally.opponent} | {', '.join(map(str, tally.outcomes()))} "
                     f"| {tally.interval()} | {pairs} | {cpu} | {faults} |")
    if standings.sprt:
        lines += ["", sprt_text(standings)]
    return "\n".join(lines) + "\n"


def code(command: str) -> str:
    """A command by its program's name, as Markdown code: where it lies is nobody's business."""
    program, *arguments = shlex.split(command)
    return f"`{cell(' '.join([program.rpartition('/')[2], *arguments]))}`"


def cell(content: str) -> str:
    """Text that does not end a cell of a table."""
    return content.replace("|", r"\|")
