"""Plays a match from the command line to its reports: the program behind scripts/match."""

import sys
from contextlib import ExitStack, closing

from tqdm import tqdm

from lib import files
from lib.files import FileError
from lib.game import AGREEMENT, Games, NoResult, Player, Record, Referee
from lib.gtp import Engine, EngineError
from lib.log import LogError
from lib.matches import openings, options, records, report, strength
from lib.matches.log import MatchLog
from lib.matches.options import Match, Outputs
from lib.matches.standings import Standings
from lib.plan import seeded
from lib.series import PoolError, Series, open_pool


class Failure(Exception):
    """The match cannot be played; the text says why, to a person."""


def main() -> int:
    """The exit status: 0 where all was played, 1 where some games are missing, 2 after an error."""
    match = options.from_command_line()
    try:
        return run(match)
    except (Failure, FileError, LogError, PoolError) as error:
        print(error, file=sys.stderr)
        return 2


def run(match: Match) -> int:
    """Play what is not played yet, and report."""
    prepare(match.outputs)
    versions = probe_all(match)
    standings = Standings(match.plan, match.sprt, match.settings.size * match.is_two_game,
                          match.anchor)
    with closing(MatchLog(match.outputs.log, match.plan, match.settings)) as log:
        for record in log.records.values():
            standings.add(record)
            save(record, match)
        if log.records:
            print(f"{len(log.records)} games were in {match.outputs.log}", file=sys.stderr)
        if not standings.is_complete():
            play(match, log, standings)
    tell(match, standings, versions)
    return 0 if standings.is_complete() else 1


def prepare(outputs: Outputs) -> None:
    """See that all results can be written. Raises a `FileError`."""
    for path in (outputs.json, outputs.markdown, outputs.html, outputs.sgf and outputs.sgf / "x"):
        if path:
            files.check_writable(path)


def probe_all(match: Match) -> dict[str, str]:
    """Name and version of each engine by its player's name, once all engines and openings are seen.

    Raises `Failure` for an engine that does not start: better now than in every game.
    """
    if match.settings.referee != AGREEMENT:
        probe(Player("referee", match.settings.referee))
        check_openings(match)
    return {player.name: probe(seeded(player, 0, 0), match.settings.playouts)
            for player in match.plan.players}


def probe(player: Player, playouts: int = 0) -> str:
    """Name and version of an engine; tells if it cannot be told its playouts. Raises `Failure`."""
    try:
        with Engine(player.command) as engine:
            answers = [engine.send(command) for command in ("name", "version")]
            if playouts and not engine.lists("kata-set-param"):
                print(f"note: {player.name} cannot be told of playouts; its command sets its strength",
                      file=sys.stderr)
    except EngineError as error:
        raise Failure(f"{player.name}: {error}") from None
    return " ".join(answer.text for answer in answers if answer.ok and answer.text)


def check_openings(match: Match) -> None:
    """Let the referee play the opening file. Raises `Failure` for an illegal move."""
    if match.opening_file:
        try:
            found = openings.read(match.opening_file, match.settings.size)
            with ExitStack() as stack:
                referee = Referee(match.settings, stack)
                openings.check(found, match.opening_file, match.settings, referee)
        except (NoResult, OSError, ValueError) as error:
            raise Failure(str(error)) from None


def play(match: Match, log: MatchLog, standings: Standings) -> None:
    """Play the games that the log lacks, tell of each, and survive Ctrl-C."""
    todo = [pairing for pairing in match.plan.pairings() if pairing.number not in log.records]
    # None: a bar only on a terminal.
    bar = tqdm(total=len(match.plan), initial=len(log.records), unit="game", disable=None,
               dynamic_ncols=True)
    with open_pool(Games(match.settings), match.jobs, match.cluster) as pool, bar:
        series = Series(pool)
        with series.takes_interrupts(), closing(series.results(todo)) as games:
            for record in games:
                log.append(record)
                standings.add(record)
                save(record, match)
                bar.write(describe(record))
                bar.set_postfix_str(standings.score(), refresh=False)
                bar.update()
                if standings.is_complete():
                    break  # a verdict: games under way do not count any more


def save(record: Record, match: Match) -> None:
    """The game as a file, if that is wanted. Raises a `FileError`."""
    if match.outputs.sgf:
        records.write(record, match.settings, match.outputs.sgf)


def describe(record: Record) -> str:
    """A line about a finished game."""
    reason = f" ({record.reason})" if record.reason else ""
    return (f"game {record.number}: {record.black} - {record.white}  "
            f"{record.result}{reason}, {len(record.moves)} moves")


def tell(match: Match, standings: Standings, versions: dict[str, str]) -> None:
    """The report on standard output and in files. Raises a `FileError`."""
    print(report.text(standings))
    if match.outputs.has_row and len(match.plan.players) == 2:
        a, b = match.plan.players
        opponent = f"{versions[b.name]} {strength.arguments(b.command)}".rstrip()
        print(strength.row(standings.tallies()[0], a, opponent, match.settings, match.plan.games))
    data = report.data(match, standings, versions)
    for path, write in ((match.outputs.json, report.to_json), (match.outputs.markdown, report.to_markdown),
                        (match.outputs.html, to_html)):
        if path:
            files.write(path, write(data, standings))


def to_html(data: dict, standings: Standings) -> str:
    """The page with plots. Its packages take a second to load, so only where it is wanted."""
    from lib.matches import page  # pylint: disable=import-outside-toplevel

    return page.to_html(data, standings)
