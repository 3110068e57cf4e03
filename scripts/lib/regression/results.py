"""A run of engines through suites: all results in memory, and as the JSON file that a later run reads."""

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from lib import files
from lib.regression.runner import Result, Verdict

FORMAT = "keima regression run 1"


class ResultsError(Exception):
    """A file of results that cannot be read; the text names it and says why."""


@dataclass(frozen=True)
class EngineInfo:
    """An engine that takes part; `version` is its own name and version."""

    name: str
    command: str
    version: str = ""


@dataclass
class SuiteRun:
    """What one engine made of one suite."""

    engine: str
    suite: str
    results: list[Result] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def totals(self) -> Counter:
        """Number of tests by the words of `Verdict`."""
        return Counter(result.verdict.value for result in self.results if result.number)

    @property
    def set_up_failures(self) -> int:
        """Number of set-up lines that failed."""
        return sum(not result.number for result in self.results)

    @property
    def faults(self) -> Counter:
        """Number of crashes, hangs and so on."""
        return Counter(result.fault for result in self.results if result.fault)

    @property
    def passed(self) -> int:
        """Tests with a right answer, expected or not."""
        return sum(result.passed for result in self.results)

    @property
    def judged(self) -> int:
        """Tests with an answer, right or wrong."""
        return sum(bool(result.number) and (result.passed or result.failed) for result in self.results)

    @property
    def is_clean(self) -> bool:
        """Nothing failed unexpectedly."""
        return not self.totals[Verdict.UNEXPECTED_FAIL.value] and not self.set_up_failures

    def find(self, key: tuple[str, str]) -> Result | None:
        """The result of a test."""
        return next((result for result in self.results if result.key == key), None)


@dataclass
class Run:
    """All of it. `runs` holds every suite with every engine, suite by suite."""

    date: str  # for people, in UTC
    engines: list[EngineInfo]
    runs: list[SuiteRun]
    seconds: float = 0.0

    @property
    def suites(self) -> list[str]:
        """The suites in order."""
        return list(dict.fromkeys(run.suite for run in self.runs))

    def find(self, engine: str, suite: str) -> SuiteRun | None:
        """What an engine made of a suite; None if it did not take it."""
        return next((run for run in self.runs if (run.engine, run.suite) == (engine, suite)), None)

    def total(self, engine: str) -> SuiteRun:
        """All suites of an engine as if they were one."""
        runs = [run for run in self.runs if run.engine == engine]
        results = [result for run in runs for result in run.results]
        return SuiteRun(engine, "total", results, round(sum(run.seconds for run in runs), 3))

    def write(self, path: Path) -> None:
        """Write the JSON file, whole or not at all. Raises a `FileError`."""
        runs = [{"engine": run.engine, "suite": run.suite, "seconds": run.seconds,
                 "totals": complete(run.totals), "set_up_failures": run.set_up_failures,
                 "faults": dict(run.faults),
                 "tests": [result.as_json() for result in run.results]} for run in self.runs]
        data = {"format": FORMAT, "date": self.date, "seconds": self.seconds,
                "engines": [asdict(engine) for engine in self.engines],
                "totals": {engine.name: complete(self.total(engine.name).totals)
                           for engine in self.engines},
                "runs": runs}
        files.write(path, json.dumps(data, indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> "Run":
        """Read such a file. Raises `ResultsError`."""
        try:
            data = json.loads(path.read_text("utf-8"))
            if data["format"] != FORMAT:
                raise ValueError(f"format {data['format']!r}")
            runs = [SuiteRun(run["engine"], run["suite"],
                             [Result.from_json(test) for test in run["tests"]], run["seconds"])
                    for run in data["runs"]]
            engines = [EngineInfo(**engine) for engine in data["engines"]]
            return cls(data["date"], engines, runs, data["seconds"])
        except OSError as error:
            raise ResultsError(f"cannot read {path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(f"{path} is not from scripts/regress: {error}") from None


def complete(totals: Counter) -> dict[str, int]:
    """A number for each verdict, in their order."""
    return {verdict.value: totals[verdict.value] for verdict in Verdict}


def default_path(folder: Path, engines: list[str], suites: list[Path]) -> Path:
    """Where a run of these engines and suites is kept for the next one to compare with."""
    what = "\n".join([*engines, "", *(str(suite.resolve()) for suite in suites)])
    return folder / f"{hashlib.sha256(what.encode()).hexdigest()[:12]}.json"
