"""What changed since an earlier run, and on which tests engines differ."""

from dataclasses import dataclass, field

from lib.regression.results import Run, SuiteRun
from lib.regression.runner import Result, Verdict


@dataclass(frozen=True)
class Change:
    """A test whose outcome is another than before.

    `before` is None for a set-up line, which is told only if it fails.
    """

    engine: str
    suite: str
    before: Result | None
    now: Result


@dataclass
class Changes:
    """The tests that both runs have, with another outcome; and how many only one of them has."""

    date: str  # of the earlier run
    newly_failing: list[Change] = field(default_factory=list)
    newly_passing: list[Change] = field(default_factory=list)
    compared: int = 0
    added: int = 0
    removed: int = 0

    @property
    def is_worse(self) -> bool:
        """Something passed before and fails now, and is not marked as known to fail."""
        return any(change.now.verdict is Verdict.UNEXPECTED_FAIL for change in self.newly_failing)


@dataclass(frozen=True)
class Difference:
    """A test that some engines pass and others fail."""

    suite: str
    results: dict[str, Result]  # by engine


def changes(now: Run, before: Run) -> Changes:
    """Compare two runs, engine by name with engine, test by number and command with test."""
    found = Changes(before.date)
    for run in now.runs:
        earlier = before.find(run.engine, run.suite)
        if earlier:
            _compare(run, earlier, found)
        else:
            found.added += run.judged
    return found


def _compare(run: SuiteRun, earlier: SuiteRun, found: Changes) -> None:
    before = {result.key: result for result in earlier.results}
    for result in run.results:
        old = before.get(result.key)
        if old is None and result.number:
            found.added += 1
            continue
        found.compared += bool(result.number)
        if result.failed and (old is None or old.passed):
            found.newly_failing.append(Change(run.engine, run.suite, old, result))
        elif result.passed and old and old.failed:
            found.newly_passing.append(Change(run.engine, run.suite, old, result))
    found.removed += sum(bool(number) for number, _ in before.keys() - {result.key for result in run.results})


def differences(run: Run) -> list[Difference]:
    """The tests on which the engines differ, in the order of the suites."""
    found = []
    for suite in run.suites:
        tests: dict[tuple[str, str], dict[str, Result]] = {}
        for engine in run.engines:
            for result in run.find(engine.name, suite).results:
                if result.number and (result.passed or result.failed):
                    tests.setdefault(result.key, {})[engine.name] = result
        found += [Difference(suite, results) for results in tests.values()
                  if len({result.passed for result in results.values()}) == 2]
    return found
