"""Play a match between GTP engines, and report who is how much stronger.

    scripts/match --engine keima --engine gnugo --games 40 --jobs 2 --out games/first

Everything about the match is then in that folder: report.html, report.md, report.json, the games
as SGF, and the log; the same command goes on after a kill, or with more --games.

    scripts/match --a 'target/release/keima --threads 1' --b 'gnugo --mode gtp --seed {seed}' \\
        --size 9 --games 100 --jobs 2 --time 1 --openings 2 --sgf games --json match.json

Games come in pairs with colors swapped; both games of a pair begin with the same opening.
`{seed}` in a command becomes a number that differs in each game. A referee engine checks every
move and scores the end. See scripts/lib/game.py for what loses a game and
scripts/lib/matches/elo.py for the intervals.

All players have the same clock, and the script's own decides: whose flag falls loses. It is
one of --time (seconds a move), --main alone (absolute), --byo --stones (Canadian), --byo
--periods (Japanese byo-yomi), the latter two after --main if given, and --main --increment
(Fischer). See scripts/lib/clock.py for how an engine is told.

Ctrl-C starts no more games, plays out those under way and reports; a second one drops them.
"""

import argparse
import os
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from lib import clock, series
from lib.game import AGREEMENT, Player, Settings
from lib.matches import openings
from lib.matches.sprt import Sprt
from lib.plan import Plan

CLOCK_FLAGS = ("time", "main", "byo", "stones", "periods", "increment")
KEIMA = "target/release/keima"
NAMED = re.compile(r"(?![^=]*\s-)([^=/]+)=(.+)")  # `gnugo --level=1` has no name
PLAIN_NAME = re.compile(r"[\w .,+@()#'-]{1,60}")

# What a bare word stands for in the place of an engine's command: name, program, arguments.
KNOWN = {
    "keima": ("keima", KEIMA, "--threads 1"),
    "gnugo": ("GNU Go", "gnugo", "--mode gtp --chinese-rules --positional-superko --seed {seed}"),
    "pachi": ("Pachi", "pachi", "-e uct -t =2000 threads=1"),
}
OUTSIDE_PATH = "/usr/games"  # where Debian puts GNU Go


@dataclass(frozen=True)
class Outputs:
    """Where the results go; None: nowhere."""

    log: Path | None
    sgf: Path | None
    json: Path | None
    markdown: Path | None
    html: Path | None
    has_row: bool  # a row for scripts/strength.md on standard output


@dataclass(frozen=True)
class Match:
    """All that the command line asks for."""

    plan: Plan
    settings: Settings
    sprt: Sprt | None
    is_two_game: bool  # the margins of a pair are added
    anchor: str | None
    jobs: int
    cluster: str | None
    opening_file: Path | None
    outputs: Outputs


class UsageError(Exception):
    """The command line makes no match; the text says why, to a person."""


def from_command_line(words: list[str] | None = None) -> Match:
    """The match that the command line describes. Exits with status 2 where it makes none."""
    parser = parser_of_match()
    options = parser.parse_args(words)
    try:
        return build(options)
    except (ValueError, UsageError) as error:
        parser.exit(2, f"{error}\n")  # the usage, of twenty lines, would hide it


def build(options: argparse.Namespace) -> Match:
    """Flags to a match. Raises `UsageError` or `ValueError`."""
    check_numbers(options)
    players = engines(options)
    control = clock.from_flags(**{flag: getattr(options, flag) for flag in CLOCK_FLAGS})
    plies, opening_file = opening_source(options.openings)
    found = ()
    if opening_file:
        try:
            found = openings.shuffled(openings.read(opening_file, options.size), options.seed)
        except OSError as error:
            raise UsageError(f"cannot read {opening_file}: {error.strerror}") from None
    sprt = Sprt(*options.sprt, options.alpha, options.beta) if options.sprt else None
    if sprt and len(players) != 2:
        raise UsageError("--sprt is for two engines")
    if options.two_game and (sprt or options.games % 2):
        raise UsageError("--two-game needs an even number of --games, and goes without --sprt")
    if options.anchor and options.anchor not in (player.name for player in players):
        raise UsageError(f"--anchor {options.anchor}: no engine has this name")
    default_komi = 0.0 if options.two_game else 7.5
    settings = Settings(
        size=options.size, komi=default_komi if options.komi is None else options.komi,
        referee=options.referee or default_referee(players), rules=options.rules, time=control,
        grace=options.grace, opening_plies=plies, moves_max=options.max_moves,
        playouts=options.playouts)
    plan = Plan(players, options.games, options.seed, options.gauntlet, found)
    return Match(plan, settings, sprt, options.two_game, options.anchor, options.jobs,
                 options.cluster, opening_file, outputs(options))


def check_numbers(options: argparse.Namespace) -> None:
    """Raises `UsageError` for a number that makes no sense."""
    for flag, lowest in (("games", 1), ("size", 2), ("max_moves", 0), ("playouts", 0)):
        if getattr(options, flag) < lowest:
            raise UsageError(f"--{flag.replace('_', '-')} has to be at least {lowest}")
    if options.size > 25:
        raise UsageError("--size: GTP's boards end at 25")
    if options.grace < 0:
        raise UsageError("--grace has to be at least 0")


def engines(options: argparse.Namespace) -> tuple[Player, ...]:
    """All players, with names that differ. Raises `UsageError`."""
    if options.engine and (options.a or options.b):
        raise UsageError("use --engine for all engines, or --a and --b for two")
    if options.engine:
        named = (NAMED.fullmatch(text.strip()) for text in options.engine)
        players = [player(match[2], match[1].strip()) if match else player(text)
                   for match, text in zip(named, options.engine)]
    elif options.a and options.b:
        players = [player(options.a, options.name_a), player(options.b, options.name_b)]
    else:
        raise UsageError("name two or more engines: --engine NAME=CMD for each, or --a and --b")
    if len(players) < 2:
        raise UsageError("a match takes two engines at least")
    return tuple(distinct(players))


def player(command: str, name: str | None = None) -> Player:
    """A player from a command or a word of `KNOWN`. Raises `UsageError`."""
    command = command.strip()
    if command in KNOWN:
        known_name, program, arguments = KNOWN[command]
        name, command = name or known_name, f"{located(program)} {arguments}"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"engine `{command}`: {error}") from None
    if not words:
        raise UsageError("an engine needs a command")
    name = name or os.path.basename(words[0])
    if not PLAIN_NAME.fullmatch(name):
        raise UsageError(f"`{name}` is no name for an engine: letters, digits, spaces and .,+@()#'-")
    return Player(name, command)


def located(program: str) -> str:
    """The program, by its path where the search path does not have it."""
    beside = f"{OUTSIDE_PATH}/{program}"
    return beside if not shutil.which(program) and os.path.exists(beside) else program


def distinct(players: list[Player]) -> list[Player]:
    """Equal names get a letter each, a, b, c and so on."""
    names = [one.name for one in players]
    seen: dict[str, int] = {}
    result = []
    for one in players:
        count = seen[one.name] = seen.get(one.name, -1) + 1
        is_alone = names.count(one.name) == 1
        result.append(one if is_alone else Player(f"{one.name}-{chr(ord('a') + count)}", one.command))
    if len({one.name for one in result}) < len(result):
        raise UsageError("the engines need names that differ")
    return result


def default_referee(players: tuple[Player, ...]) -> str:
    """The program of the first player if that is a keima, else the one built here."""
    program = shlex.split(players[0].command)[0]
    is_keima = os.path.basename(program).startswith("keima")
    return f"{shlex.quote(program if is_keima else KEIMA)} --threads 1"


def opening_source(text: str) -> tuple[int, Path | None]:
    """Random plies, or a file. Raises `UsageError`."""
    if text.isdecimal():
        return int(text), None
    if not os.path.isfile(text):
        raise UsageError(f"--openings {text}: neither a number of plies nor a file")
    return 0, Path(text)


def outputs(options: argparse.Namespace) -> Outputs:
    """The places of the results: those that were named, and the usual ones in --out."""
    folder = options.out

    def place(named: Path | None, name: str) -> Path | None:
        return named or (folder / name if folder else None)

    return Outputs(
        log=place(options.log, "log.jsonl"), sgf=place(options.sgf, "games"),
        json=place(options.json, "report.json"), markdown=place(None, "report.md"),
        html=place(options.html, "report.html"), has_row=options.markdown)


def parser_of_match() -> argparse.ArgumentParser:
    """The flags with their help."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument_group("engines").add_argument
    add("--engine", metavar="[NAME=]CMD", action="append",
        help=f"an engine, two or more times; the words {', '.join(KNOWN)} are commands too")
    add("--a", metavar="CMD", help="the same as a first --engine")
    add("--b", metavar="CMD", help="and as a second one")
    add("--name-a", metavar="NAME", help="default: the program's name")
    add("--name-b", metavar="NAME")
    add("--gauntlet", action="store_true",
        help="the first engine plays each other one; default: all play all")
    add("--referee", metavar="CMD",
        help=f"an engine that knows the rules, or `{AGREEMENT}` of the players; default: the first "
             f"player if it is a keima, else {KEIMA}, with one thread")

    add = parser.add_argument_group("games").add_argument
    add("--games", type=int, default=100, help="of each two engines that meet; default: 100")
    add("--size", type=int, default=9, help="default: 9")
    add("--komi", type=float, help="default: 7.5, with --two-game 0")
    add("--rules", default="chinese", help="sent to engines that list kata-set-rules; default: chinese")
    add("--openings", metavar="PLIES|FILE", default="0",
        help="random plies to begin with, or a file with the vertices of an opening in each line")
    add("--seed", type=int, default=1, help="chooses the openings, and what {seed} becomes")
    add("--two-game", action="store_true",
        help="each pair is a match, without komi: the margins of its two games are added")
    add("--max-moves", type=int, default=0, help="default: three times the points")

    add = parser.add_argument_group("budget of the players").add_argument
    add("--time", metavar="S", type=float, help="seconds per move")
    add("--main", metavar="S", type=float, help="main time, instead of --time")
    add("--byo", metavar="S", type=float, help="seconds per period after it")
    add("--stones", metavar="N", type=int, help="Canadian: moves per period")
    add("--periods", metavar="N", type=int, help="byo-yomi: number of periods")
    add("--increment", metavar="S", type=float, help="Fischer: what a move adds to --main")
    add("--grace", metavar="S", type=float, default=0.0, help="overrun forgiven per move")
    add("--playouts", metavar="N", type=int, default=0,
        help="a move, for engines that list kata-set-param; others have it in their commands")

    add = parser.add_argument_group("where it runs").add_argument
    series.add_flags(add, "games at a time; engines disturb each other if there are more threads "
                          "than cores")

    add = parser.add_argument_group("statistics").add_argument
    add("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"),
        help="end as soon as it is clear which of these differences is nearer to the truth")
    add("--alpha", metavar="P", type=float, default=0.05, help="risk of a wrong yes; default: 0.05")
    add("--beta", metavar="P", type=float, default=0.05, help="risk of a wrong no; default: 0.05")
    add("--anchor", metavar="NAME", help="the engine with Elo 0; default: the last one")

    add = parser.add_argument_group("results").add_argument
    add("--out", metavar="DIR", type=Path,
        help="all of the following there: log.jsonl, games, report.html, report.md, report.json")
    add("--log", metavar="FILE", type=Path,
        help="add each finished game there; the same command goes on where it was killed")
    add("--sgf", metavar="DIR", type=Path, help="write the games there")
    add("--html", metavar="FILE", type=Path, help="write a report with plots there, in one file")
    add("--json", metavar="FILE", type=Path, help="write settings, summary and games there")
    add("--markdown", action="store_true", help="end with a row for scripts/strength.md")
    return parser
