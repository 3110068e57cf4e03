"""Tune parameters of an engine by games against itself (SPSA).

    scripts/tune --engine 'target/release/keima --threads 1 --playouts 500' --size 9 \\
        --iterations 500 --jobs 2 --out tuned.json rave_equivalence:300 prior_policy:50

Each iteration, all values are moved up or down by chance, once so and once the other way round;
the two play a pair of games; the values then move towards the winner. A parameter is NAME,
NAME:STEP or NAME:STEP:LOW:HIGH: STEP is a change that should just be felt in the games, by
default a fifth of the start; LOW and HIGH are asked of keima. See scripts/lib/tuning/spsa.py.

The games of an iteration are played --jobs at a time, or on the workers of a --cluster: then --pairs
should give all of them something to do.

After each iteration the values are written to --out, which `keima --params` reads, a picture of
their way to --plot, and the iteration to --state: the same command goes on where it was
interrupted or killed. What comes out deserves a match against the start (scripts/match).
"""

import argparse
import shlex
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from lib import files
from lib.files import FileError
from lib.game import AGREEMENT
from lib.gtp import Engine, EngineError
from lib.log import LogError
from lib.series import PoolError, add_flags, open_pool, positive
from lib.tuning import parameters, plot
from lib.tuning.duel import Duel, Outcome, TunedGames, make_settings, with_params
from lib.tuning.journal import Entry, Journal
from lib.tuning.parameters import ParameterError
from lib.tuning.spsa import Spsa

# Most games of a tuning are fair, or it is worth nothing.
FAULTY_MIN, FAULTY_SHARE = 6, 0.5


class TuneError(Exception):
    """The tuning cannot go on; the text says why."""


def main() -> int:
    options = parse_arguments()
    try:
        check_outputs(options)
        optimizer = make_optimizer(options)
        with Journal(options.state, describe(optimizer, options)) as journal:
            try:
                with open_pool(TunedGames(options.settings), options.jobs, options.cluster) as pool:
                    tune(optimizer, Duel(options.engine, options.pairs, pool), journal, options)
            except KeyboardInterrupt:
                print(f"interrupted after {len(journal.entries)} iterations; the same command goes on",
                      file=sys.stderr)
                return 130
            report(optimizer, journal, options)
    except (ParameterError, EngineError, FileError, LogError, PoolError, TuneError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--engine", metavar="CMD", required=True,
        help="gets `--params FILE`, in the place of {params} if it has that; {seed} becomes a number")
    add("--start", metavar="FILE", type=Path, help="values to start from; default: the engine's own")
    add("--iterations", metavar="N", type=positive, default=500, help="default: 500")
    add("--pairs", metavar="N", type=positive, default=1, help="pairs of games in an iteration (default 1)")
    add_flags(add, "games at a time, at most those of an iteration")
    add("--first-move", metavar="STEPS", type=float, default=0.2,
        help="how far a clean win moves the values at first (default 0.2); with a simulated loss of "
             "six Elo a squared step, 0.2 was best for 1,000 iterations, 0.4 for 200")
    add("--size", type=int, default=9, help="default: 9")
    add("--komi", type=float, default=7.5, help="default: 7.5")
    add("--rules", default="chinese", help="default: chinese")
    add("--time", metavar="S", type=float, help="seconds per move, if the command sets no playouts")
    add("--openings", metavar="PLIES", type=int, default=2, help="random plies to begin with (default 2)")
    add("--referee", metavar="CMD", help="default: the engine's program with one thread")
    add("--seed", type=int, default=1, help="of the tries and the openings")
    add("--out", metavar="FILE", type=Path, default=Path("tuned.json"), help="default: tuned.json")
    add("--plot", metavar="FILE", type=Path, help="default: --out with the ending .svg")
    add("--state", metavar="FILE", type=Path, help="default: --out with the ending .state")
    add("parameters", metavar="NAME[:STEP[:LOW:HIGH]]", nargs="+")
    options = parser.parse_args()
    options.plot = options.plot or options.out.with_suffix(".svg")
    options.state = options.state or options.out.with_suffix(".state")
    if options.first_move <= 0:
        parser.error("--first-move has to be positive")
    if not 2 <= options.size <= 25 or options.openings < 0:
        parser.error("--size has to be from 2 to 25, --openings at least 0")
    if len({options.out, options.plot, options.state}) < 3:
        parser.error("--out, --plot and --state have to be three files")
    try:
        words = shlex.split(options.engine)
        if not words:
            parser.error("--engine needs a command")
        options.settings = make_settings(
            size=options.size, komi=options.komi, rules=options.rules, time=options.time,
            openings=options.openings,
            referee=options.referee or f"{shlex.quote(words[0])} --threads 1")
    except ValueError as error:
        parser.error(str(error))
    return options


def check_outputs(options: argparse.Namespace) -> None:
    """Find out before the games whether the files can be written. Raises `FileError` or `TuneError`."""
    if options.plot.suffix not in plot.ENDINGS:
        raise TuneError(f"--plot {options.plot} has to end with one of {', '.join(plot.ENDINGS)}")
    for path in (options.out, options.plot, options.state):
        files.check_writable(path)


def make_optimizer(options: argparse.Namespace) -> Spsa:
    """Ask the engine for what the command line leaves open. Raises what goes wrong.

    It and the referee have to start, or every game would be lost.
    """
    command = options.engine.replace("{params}", "").replace("{seed}", "1")
    starts = parameters.read_starts(options.start)
    with Engine(command) as engine:
        found = parameters.read(options.parameters, engine, starts)
    if options.settings.referee != AGREEMENT:
        with Engine(options.settings.referee) as engine:
            engine.send("name")
    optimizer = Spsa(found, options.iterations, options.seed, options.first_move)
    with tempfile.TemporaryDirectory(prefix="tune-") as folder:
        path = Path(folder) / "start.json"
        parameters.write_values(path, optimizer.start())
        with Engine(with_params(options.engine, path).replace("{seed}", "1")) as engine:
            engine.send("name")
    return optimizer


def describe(optimizer: Spsa, options: argparse.Namespace) -> dict:
    """What must not change while a tuning goes on."""
    return {"engine": options.engine, "settings": asdict(options.settings), "pairs": options.pairs,
            "optimizer": asdict(optimizer)}


def tune(optimizer: Spsa, duel: Duel, journal: Journal, options: argparse.Namespace) -> None:
    """Do the iterations that are left."""
    done = len(journal.entries)
    games = sum(entry.games for entry in journal.entries)
    # None: a bar only on a terminal.
    with tqdm(total=optimizer.iterations, initial=done, unit="iteration", disable=None) as bar:
        for k in range(done, optimizer.iterations):
            values = journal.entries[-1].values if journal.entries else optimizer.start()
            outcome = duel.play(*optimizer.tries(k, values), seed_of(options.seed, k))
            check_faults(journal, outcome)
            values = optimizer.update(k, values, outcome.result)
            journal.add(Entry(k, values, outcome.result, outcome.games, len(outcome.faults)))
            parameters.write_values(options.out, values)
            if k % 20 == 0:
                plot.draw(options.plot, optimizer.parameters, journal.entries)
            games += outcome.games
            bar.set_postfix_str(", ".join([f"{games} games", *(
                f"{name} {value:.4g}" for name, value in list(values.items())[:3])]), refresh=False)
            bar.update()


def seed_of(seed: int, iteration: int) -> int:
    """Another seed for the games of each iteration."""
    return 100_000 * seed + iteration


def check_faults(journal: Journal, outcome: Outcome) -> None:
    """Raise `TuneError` if the games are mostly crashes and the like."""
    faults = sum(entry.faults for entry in journal.entries) + len(outcome.faults)
    games = sum(entry.games for entry in journal.entries) + outcome.games
    if outcome.faults and faults >= FAULTY_MIN and faults > FAULTY_SHARE * (faults + games):
        raise TuneError(f"{faults} of {faults + games} games do not count, the last one: {outcome.faults[-1]}")


def report(optimizer: Spsa, journal: Journal, options: argparse.Namespace) -> None:
    """The last picture, and a table of where the values went."""
    values = journal.entries[-1].values
    parameters.write_values(options.out, values)
    plot.draw(options.plot, optimizer.parameters, journal.entries)
    games, faults = (sum(getattr(entry, name) for entry in journal.entries) for name in ("games", "faults"))
    width = max(len(parameter.name) for parameter in optimizer.parameters)
    print(f"{'parameter':{width}}  {'start':>10}  {'now':>10}  {'steps':>6}")
    for parameter in optimizer.parameters:
        now = values[parameter.name]
        steps = (now - parameter.start) / parameter.step
        print(f"{parameter.name:{width}}  {parameter.start:10.4g}  {now:10.4g}  {steps:+6.2f}")
    print(f"{len(journal.entries)} iterations, {games} games" + (f", {faults} faults" if faults else ""))
    print(f"values: {options.out}, picture: {options.plot}")
    tuned = with_params(options.engine, options.out)
    start = options.engine.replace("{params}", "")
    if options.start:
        start = with_params(options.engine, options.start)
    print("Now play it against the start, in games that it was not tuned on:\n"
          f"    scripts/match --a {shlex.quote(tuned)} --b {shlex.quote(start)} "
          f"--size {options.size} --openings {options.openings} --seed {options.seed + 1} --games 200")
