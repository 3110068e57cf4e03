"""The report on a terminal: results as they come, then tables, differences and changes."""

from lib.regression.compare import Change, Changes, Difference
from lib.regression.results import Run, SuiteRun
from lib.regression.runner import Result, Verdict

NEWS = (Verdict.UNEXPECTED_FAIL, Verdict.UNEXPECTED_PASS)


def news(engine: str, suite: str, result: Result) -> str:
    """A test that did not end as expected, in three lines."""
    fault = f" ({result.fault})" if result.fault else ""
    return (f"{result.verdict.value} {suite}:{result.line}: {label(result)}  [{engine}]\n"
            f"    expected: {result.expected}\n"
            f"    got:      {_short(result.got, 160)}{fault}")


def label(result: Result) -> str:
    """Number and command of a test."""
    return f"{result.number} {result.command}".strip()


def summary(run: Run) -> str:
    """A row for each suite, a column for each engine, and a row of totals if there are several suites."""
    rows = [["suite", *(engine.name for engine in run.engines)]]
    rows += [[suite, *(cell(run.find(engine.name, suite)) for engine in run.engines)]
             for suite in run.suites]
    if len(run.suites) > 1:
        rows.append(["total", *(cell(run.total(engine.name)) for engine in run.engines)])
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join(lines)


def cell(run: SuiteRun) -> str:
    """`20/23 pass, 2 FAIL, 1 crash, 3.4 s`: right answers, and all that is remarkable."""
    totals, faults = run.totals, run.faults
    parts = [f"{run.passed}/{run.judged} pass"]
    parts += [f"{totals[verdict.value]} {verdict.value}" for verdict in Verdict
              if verdict is not Verdict.PASSED and totals[verdict.value]]
    parts += [f"{run.set_up_failures} set-up FAIL"] if run.set_up_failures else []
    parts += [f"{count} {fault}" for fault, count in sorted(faults.items())]
    return ", ".join([*parts, f"{run.seconds:.1f} s"])


def difference_lines(differences: list[Difference], engines: int) -> str:
    """The tests on which engines differ; empty if there is one engine only."""
    if engines < 2:
        return ""
    if not differences:
        return "The engines pass and fail the same tests."
    lines = [f"The engines differ on {_tests(len(differences))}:"]
    for difference in differences:
        some = next(iter(difference.results.values()))
        answers = ", ".join(f"{engine} {result.verdict.value} {_short(result.got)}"
                            for engine, result in difference.results.items())
        lines.append(f"  {difference.suite}:{some.line}: {label(some)}  {some.expected}  {answers}")
    return "\n".join(lines)


def change_lines(changes: Changes) -> str:
    """What is new since the earlier run."""
    other = [f"{count} {what}" for count, what in
             ((changes.added, "only in this run"), (changes.removed, "only in that one")) if count]
    counts = ", ".join([f"{_tests(changes.compared)} compared", *other])
    lines = [f"Against the run of {changes.date} ({counts}):"]
    for heading, found in (("newly failing", changes.newly_failing),
                           ("newly passing", changes.newly_passing)):
        lines.append(f"  {heading}: {len(found)}")
        lines += [f"    {_change(change)}" for change in found]
    return "\n".join(lines)


def _change(change: Change) -> str:
    now, before = change.now, change.before
    was = f"{before.verdict.value} {_short(before.got)} -> " if before else ""
    return (f"{change.suite}:{now.line}: {label(now)}  {now.expected}  "
            f"{was}{now.verdict.value} {_short(now.got)}  [{change.engine}]")


def _tests(count: int) -> str:
    return f"{count} test" + "s" * (count != 1)


def _short(text: str, length_max: int = 60) -> str:
    """A text in one line."""
    line = " ".join(text.split()) or "(nothing)"
    return line if len(line) <= length_max else line[:length_max - 3] + "..."
