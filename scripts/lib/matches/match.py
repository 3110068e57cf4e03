"""Plays a match from the command line to its reports: the program behind scripts/match."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from tqdm import tqdm

from lib.game import AGREEMENT, NoResult, Player, Record, Referee
from lib.gtp import Engine, EngineError
from lib.matches import openings, options, records, report, strength
from lib.matches.log import LogError, MatchLog
from lib.matches.options import Match, Outputs
from lib.matches.standings import Standings
from lib.plan import seeded
from lib.series import Pool, PoolError, Series, Threads


class Failure(Exception):
    """The match cannot be played or reported; the text says why, to a person."""


def main() -> int:
    """The exit status: 0 where all was played, 1 where some games are missing, 2 after an error."""
    match = options.from_command_line()
    try:
        return run(match)
    except (Failure, LogError, PoolError) as error:
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
    """Make the folders of all results, and see that they can be written. Raises `Failure`."""
    files = [outputs.json, outputs.markdown, outputs.html]
    folders = [file.parent for file in files if file] + [outputs.sgf] * bool(outputs.sgf)
    with readable_errors():
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            trial = folder / f".keima-match-{os.getpid()}"
            trial.touch()
            trial.unlink()
        for file in filter(None, files):
            if file.is_dir():
                raise Failure(f"{file} is a folder")


@contextmanager
def readable_errors() -> Iterator[None]:
    """Failures of the file system as a `Failure` with the file and the reason."""
    try:
        yield
    except OSError as error:
        raise Failure(f"cannot write {error.filename or 'a result'}: {error.strerror}") from None


def probe_all(match: Match) -> dict[str, str]:
    """Name and version of each engine by its player's name, once all engines and openings are seen.

    Raises `Failure` for an engine that does not start: better now than in every game.
    """
    try:
        if match.settings.referee != AGREEMENT:
            probe(Player("referee", match.settings.referee))
        check_openings(match)
        return {player.name: probe(player, match.settings.playouts) for player in match.plan.players}
    except (EngineError, NoResult, ValueError) as error:
        raise Failure(str(error)) from None


def probe(player: Player, playouts: int = 0) -> str:
    """Name and version of an engine; tells if it cannot be told its playouts.

    Raises an `EngineError`.
    """
    with Engine(seeded(player, 0, 0).command) as engine:
        answers = [engine.send(command) for command in ("name", "version")]
        if playouts and not engine.lists("kata-set-param"):
            print(f"note: {player.name} cannot be told of playouts; its command sets its strength",
                  file=sys.stderr)
    return " ".join(answer.text for answer in answers if answer.ok and answer.text)


def check_openings(match: Match) -> None:
    """Let the referee play the opening file. Raises a `ValueError` for an illegal move."""
    if match.opening_file and match.settings.referee != AGREEMENT:
        found = openings.read(match.opening_file, match.settings.size)
        with ExitStack() as stack:
            referee = Referee(match.settings, stack)
            openings.check(found, match.opening_file, match.settings, referee)


def play(match: Match, log: MatchLog, standings: Standings) -> None:
    """Play the games that the log lacks, tell of each, and survive Ctrl-C."""
    todo = [pairing for pairing in match.plan.pairings() if pairing.number not in log.records]
    # None: a bar only on a terminal.
    bar = tqdm(total=len(match.plan), initial=len(log.records), unit="game", disable=None,
               dynamic_ncols=True)
    with pool_of(match) as pool, bar:
        series = Series(pool)
        with interrupts(series), closing(series.play(todo)) as games:
            for record in games:
                log.append(record)
                standings.add(record)
                save(record, match)
                bar.write(describe(record))
                bar.set_postfix_str(standings.score(), refresh=False)
                bar.update()
                if standings.is_complete():
                    break  # a verdict: games under way do not count any more


def pool_of(match: Match) -> Pool:
    """Where the games are played. Raises a `PoolError`."""
    if not match.cluster:
        return Threads(match.settings, match.jobs)
    # Dask takes a second to load, so only where it is wanted.
    from lib.cluster import Cluster  # pylint: disable=import-outside-toplevel

    return Cluster(match.cluster, match.settings, match.jobs)


@contextmanager
def interrupts(series: Series) -> Iterator[None]:
    """Ctrl-C goes to the series."""

    def interrupt(*_) -> None:
        os.write(sys.stderr.fileno(), f"\n{series.interrupt()}\n".encode())  # print may be busy
        if series.is_dropping():
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # the third one means it

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def save(record: Record, match: Match) -> None:
    """The game as a file, if that is wanted. Raises `Failure`."""
    folder = match.outputs.sgf
    if folder:
        with readable_errors():
            records.write(record, match.settings, folder)


def describe(record: Record) -> str:
    """A line about a finished game."""
    reason = f" ({record.reason})" if record.reason else ""
    return (f"game {record.number}: {record.black} - {record.white}  "
            f"{record.result}{reason}, {len(record.moves)} moves")


def tell(match: Match, standings: Standings, versions: dict[str, str]) -> None:
    """The report on standard output and in files. Raises `Failure`."""
    print(report.text(standings))
    if match.outputs.has_row and len(match.plan.players) == 2:
        a, b = match.plan.players
        opponent = f"{versions[b.name]} {strength.arguments(b.command)}".rstrip()
        print(strength.row(standings.tallies()[0], a, opponent, match.settings, match.plan.games))
    data = report.data(match, standings, versions)
    for path, write in ((match.outputs.json, report.to_json), (match.outputs.markdown, report.to_markdown),
                        (match.outputs.html, to_html)):
        if path:
            with readable_errors():
                replace_file(path, write(data, standings))


def to_html(data: dict, standings: Standings) -> str:
    """The page with plots. Its packages take a second to load, so only where it is wanted."""
    from lib.matches import page  # pylint: disable=import-outside-toplevel

    return page.to_html(data, standings)


def replace_file(path: Path, text: str) -> None:
    """Write a file as a whole, or leave it as it was."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
