"""The report of a match as one HTML file that needs nothing else: styles, plots and boards inside."""

from collections import Counter
from pathlib import Path

from markupsafe import Markup
from sgfmill.boards import Board
from sgfmill.common import move_from_vertex

from lib.diagram import Diagram, Position
from lib.game import Record
from lib.matches import plots, report
from lib.matches.elo import CONFIDENCE
from lib.matches.sprt import CELLS
from lib.matches.standings import Standings
from lib.matches.tally import Tally
from lib.pages import template

TEMPLATE = Path(__file__).with_name("page.html")
BOARDS_MAX = 10  # drawn: the last games
ROWS_MAX = 2000  # of the table of games; a longer match has them in its log


def to_html(data: dict, standings: Standings) -> str:
    """The page. `data` is `report.data`."""
    tallies = standings.tallies()
    return template(TEMPLATE).render(
        data=data, settings=data["settings"], headline=report.headline(standings),
        cards=cards(standings), colors=plots.colors(standings), confidence=f"{CONFIDENCE:.0%}",
        ratings=rating_rows(data, standings), encounters=[encounter(tally) for tally in tallies],
        endings=endings(tallies), faults=faults(data), warnings=warnings(data),
        sprt=report.sprt_text(standings) if standings.sprt else "", cells=CELLS,
        plots={name: Markup(svg) for name, svg in drawings(standings).items()},
        pictures=[{"record": record, "svg": Markup(board(record, data["settings"]["size"]))}
                  for record in standings.records[-BOARDS_MAX:] if record.moves],
        games=standings.records[:ROWS_MAX], hidden=max(0, len(standings.records) - ROWS_MAX))


def drawings(standings: Standings) -> dict[str, str]:
    """The plots that the match has something for."""
    tallies = standings.tallies()
    found = {"elo": plots.elo_bars(standings), "score": plots.score_over_games(standings),
             "times": plots.move_times(standings)}
    if len(tallies) == 1 and sum(tallies[0].summary().get("pairs", [])):
        found["pairs"] = plots.pair_bars(tallies[0])
    if standings.sprt and standings.ratios:
        found["sprt"] = plots.sprt_path(standings.sprt, standings.ratios)
    return found


def cards(standings: Standings) -> list[tuple[str, str, str]]:
    """The numbers to see first: heading, number, a word on it."""
    tallies = standings.tallies()
    faults = sum(sum(kinds.values()) for tally in tallies
                 for kinds in tally.summary()["faults"].values())
    found = []
    if len(tallies) == 1:
        tally = tallies[0]
        share = tally.interval()
        points, count = standings.points(tally.name)
        found = [
            (f"{tally.name} scores", f"{points:g} of {count}", tally.unit),
            ("share of points", f"{share.mean:.0%}", f"{share.low:.0%} to {share.high:.0%}"),
            ("Elo", report.shown(share.to_elo()).split(" ")[0].replace("inf", "∞"),
             " to ".join(f"{end:+.0f}".replace("inf", "∞") for end in
                         (share.to_elo().low, share.to_elo().high))),
        ]
    else:
        found = [("engines", str(len(standings.plan.players)), f"{len(tallies)} encounters"),
                 ("games", str(len(standings.records)), f"{len(standings.plan)} planned")]
    void = sum(record.result == "Void" for record in standings.records)
    return found + [("lost by a fault", str(faults), f"{void} without result" if void else
                     "crash, hang, time, illegal move")]


def rating_rows(data: dict, standings: Standings) -> list[dict]:
    """A row for each engine, the strongest first."""
    engines = {engine["name"]: engine for engine in data["engines"]}
    efforts = {}
    for tally in standings.tallies():
        for name, effort in tally.summary()["effort"].items():
            efforts.setdefault(name, []).append((effort["moves"], effort["cpu_per_move"]))
    rows = []
    for name, elo in standings.ratings().items():
        points, count = standings.points(name)
        moves = sum(number for number, _ in efforts[name])
        rows.append({"name": name, "version": engines[name]["version"],
                     "command": report.code(engines[name]["command"]).strip("`"),
                     "elo": report.shown(elo).replace("inf", "∞"), "points": points, "count": count,
                     "cpu": sum(number * cpu for number, cpu in efforts[name]) / max(1, moves)})
    return rows


def encounter(tally: Tally) -> dict:
    """A row for two engines that met."""
    won, drawn, lost = tally.outcomes()
    return {"a": tally.name, "b": tally.opponent, "won": won, "drawn": drawn, "lost": lost,
            "count": max(1, won + drawn + lost), "share": str(tally.interval()),
            "pairs": tally.summary().get("pairs"), "margins": tally.summary().get("margins"),
            "distinct": tally.distinct_games(), "games": len(tally.records)}


def endings(tallies: list[Tally]) -> list[tuple[str, int]]:
    """How the games ended, the most frequent first."""
    total: Counter = Counter()
    for tally in tallies:
        total.update(tally.reasons())
    return total.most_common()


def faults(data: dict) -> list[tuple[str, dict[str, int]]]:
    """Each engine's faults by kind, over all its encounters; engines without any are left out."""
    total: dict[str, Counter] = {}
    for one in data["encounters"]:
        for name, kinds in one["faults"].items():
            total.setdefault(name, Counter()).update(kinds)
    return [(name, {kind: count for kind, count in kinds.items() if count})
            for name, kinds in total.items() if sum(kinds.values())]


def warnings(data: dict) -> list[str]:
    """What a reader should know before believing the numbers."""
    found = []
    for one in data["encounters"]:
        played = sum(one["reasons"].values())
        if one["distinct_games"] < played:
            found.append(f"{one['a']} and {one['b']} played only {one['distinct_games']} different "
                         f"games of {played}; use openings, or seeds in their commands.")
        for name, count in one["false_claims"].items():
            if count:
                found.append(f"{name} lost {count} games that it counts as won: it sees dead stones "
                             "otherwise than the referee.")
    return found


def board(record: Record, size: int) -> str:
    """The last position of a game as an SVG, the last move marked."""
    position, last = Board(size), ""
    for color, vertex in record.moves:
        point = move_from_vertex(vertex, size)
        if point:
            position.play(*point, color)
            last = vertex
    return Diagram(Position.of(position, last), has_coordinates=False).svg()
