"""Run regression suites (.tst) with one or more GTP engines, side by side.

    scripts/regress gtp-tests/regression/*.tst
    scripts/regress --engine target/release/keima --engine gnu='gnugo --mode gtp' \\
        --jobs 2 --time-limit 20 --html report.html suite.tst

The form of the suites is described in scripts/lib/regression/suite.py. Each suite gets a fresh
engine, which runs in the suite's folder; where one crashes, hangs or prints garbage, the test
fails for that reason and a fresh engine goes on.

The results are compared with the last run of the same engines (by name) and suites, which is
kept in .regress; with --json FILE, FILE is written and what stood there before is the last run;
--baseline FILE names another one.

Exit status: 0 if nothing failed unexpectedly; 1 if something did; 3 if something did that passed
in the last run; 2 if a suite, an engine or a file of the command line is no good. Ctrl-C tells
what is done so far and writes nothing.
"""

import argparse
import os
import re
import sys
import time
from contextlib import closing
from datetime import datetime, timezone
from functools import partial
from pathlib import Path

from tqdm import tqdm

from lib import files, venv
from lib.files import FileError
from lib.gtp import Engine, EngineError
from lib.regression import compare, page, results, suite, table
from lib.regression.results import EngineInfo, ResultsError, Run, SuiteRun
from lib.regression.runner import Runner, Verdict, run_all
from lib.series import positive

RECORDS = venv.ROOT / ".regress"
STATUS_FAILS, STATUS_BAD_INPUT, STATUS_WORSE, STATUS_INTERRUPTED = 1, 2, 3, 130


def main() -> int:
    options = parse_arguments()
    try:
        suites = [suite.read(path) for path in options.suites]
        engines = [probe(name, command) for name, command in name_engines(options.engine)]
        baseline = prepare_files(options, [engine.name for engine in engines])
    except (suite.SuiteError, EngineError, FileError, ResultsError) as error:
        print(error, file=sys.stderr)
        return STATUS_BAD_INPUT
    date = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
    run = Run(date, engines, [])
    try:
        play(run, suites, options)
    except KeyboardInterrupt:  # what is half done is no record to compare with
        print(f"interrupted; so far:\n{table.summary(run)}")
        return STATUS_INTERRUPTED
    changes = compare.changes(run, baseline) if baseline else None
    differences = compare.differences(run)
    texts = [table.summary(run), table.difference_lines(differences, len(engines)),
             table.change_lines(changes) if changes else ""]
    print("\n\n".join(text for text in texts if text))
    try:
        if options.json:
            run.write(options.json)
        if options.html:
            files.write(options.html, page.render(run, changes, differences))
    except FileError as error:
        print(error, file=sys.stderr)
        return STATUS_BAD_INPUT
    if changes and changes.is_worse:
        return STATUS_WORSE
    return 0 if all(part.is_clean for part in run.runs) else STATUS_FAILS


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--engine", metavar="[NAME=]CMD", action="append",
        help="may be given several times; default: target/release/keima. "
             "The name is the program's if none is given")
    add("--jobs", metavar="N", type=positive, default=1, help="suites at a time (default 1)")
    add("--time-limit", "--timeout", metavar="S", type=float, default=60.0,
        help="seconds for one answer (default 60); `#@ timeout S` in a suite wins for its test")
    add("--only", metavar="RE", type=pattern, help="count only the tests whose number and command match")
    add("--json", metavar="FILE", type=Path, help="write all results here")
    add("--html", metavar="FILE", type=Path, help="write a page for people here")
    add("--baseline", metavar="FILE", type=Path, help="the JSON file of the run to compare with")
    add("suites", metavar="FILE.tst", type=Path, nargs="+")
    options = parser.parse_args()
    options.engine = options.engine or ["target/release/keima"]
    if not all(word.strip() for word in options.engine):
        parser.error("--engine needs a command")
    if options.time_limit <= 0:
        parser.error("--time-limit has to be positive")
    options.suites = list(dict.fromkeys(options.suites))
    return options


def pattern(text: str) -> re.Pattern:
    """A regular expression of the command line."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"`{text}` is no regular expression: {error}") from None


def name_engines(words: list[str]) -> list[tuple[str, str]]:
    """Names and commands; a name that comes again gets a number."""
    named: dict[str, str] = {}
    for word in words:
        given = re.match(r"([\w.+-]+)=(.*\S.*)", word)
        name, command = given.groups() if given else ("", word)
        name = base = name or os.path.basename(command.split()[0])
        count = 1
        while name in named:
            count += 1
            name = f"{base}-{count}"
        named[name] = command
    return list(named.items())


def probe(name: str, command: str) -> EngineInfo:
    """What the engine calls itself. Raises an `EngineError` if there is no such program.

    One that starts and then fails is a matter of the tests, each of which tells of it.
    """
    with closing(Engine(command)) as engine:
        try:
            answers = [engine.send(question) for question in ("name", "version")]
        except EngineError:
            return EngineInfo(name, command)
    return EngineInfo(name, command, " ".join(answer.text for answer in answers if answer.ok))


def prepare_files(options: argparse.Namespace, names: list[str]) -> Run | None:
    """Check that the reports can be written, before the work; the run to compare with, if any."""
    if not options.json:
        options.json = results.default_path(RECORDS, names, options.suites)
        try:
            files.check_writable(options.json)
        except FileError as error:  # nobody asked for the file
            print(f"{error}: the next run will have nothing to compare with", file=sys.stderr)
            options.json = None
    for path in (options.json, options.html):
        if path:
            files.check_writable(path)
    if options.baseline:
        return Run.read(options.baseline)
    return Run.read(options.json) if options.json and options.json.is_file() else None


def play(run: Run, suites: list[suite.Suite], options: argparse.Namespace) -> None:
    """Fill in the results, and tell of news as they come."""
    start = time.monotonic()
    runners = {}
    for tests in suites:
        for engine in run.engines:
            process = partial(Engine, engine.command, tests.path.parent, options.time_limit)
            runner = Runner(engine.name, process, tests, options.only)
            runners[runner] = SuiteRun(engine.name, str(tests.path))
    run.runs = list(runners.values())
    failed = 0
    # None: a bar only on a terminal.
    with closing(run_all(list(runners), options.jobs)) as events, \
            tqdm(total=sum(len(runner.suite.tests) for runner in runners), unit="test",
                 disable=None) as bar:
        for runner, result in events:
            part = runners[runner]
            if result is None:
                part.seconds = runner.seconds
                continue
            part.results.append(result)
            failed += result.verdict is Verdict.UNEXPECTED_FAIL
            bar.update(bool(result.number))
            bar.set_postfix(FAIL=failed, refresh=False)
            if result.verdict in table.NEWS:
                bar.write(table.news(part.engine, part.suite, result))
    run.seconds = round(time.monotonic() - start, 3)
