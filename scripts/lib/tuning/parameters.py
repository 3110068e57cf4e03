"""What is tuned: words of the command line, completed by what the engine says.

A word is `NAME`, `NAME:STEP` or `NAME:STEP:LOW:HIGH`. The start comes from a file or is the
engine's own value (`kata-get-param`). keima tells a range when it refuses a value out of it. The
step defaults to a fifth of the start, or a fiftieth of the range where the start is 0.
"""

import json
import math
import re
from pathlib import Path

from lib import files
from lib.gtp import Engine
from lib.tuning.spsa import Parameter

RANGE = re.compile(r"must be from (\S+) to (\S+)")
OUT_OF_ANY_RANGE = 1e300


class ParameterError(Exception):
    """A parameter that cannot be tuned; the text names it and says why."""


def read(words: list[str], engine: Engine, starts: dict[str, float]) -> tuple[Parameter, ...]:
    """The parameters of the command line. Raises `ParameterError`; an `EngineError` as the engine does."""
    parameters = tuple(_read(word, engine, starts) for word in words)
    names = [parameter.name for parameter in parameters]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"{name} is named twice")
    for name in starts.keys() - names:
        raise ParameterError(f"{name} has a start but is not tuned; put it into the engine's own command")
    return parameters


def _read(word: str, engine: Engine, starts: dict[str, float]) -> Parameter:
    name, *numbers = word.split(":")
    try:
        numbers = [_finite(number) for number in numbers]
    except ValueError:
        numbers = [0.0]
    if not name or len(numbers) not in (0, 1, 3) or numbers and numbers[0] <= 0:
        raise ParameterError(f"`{word}` is not NAME, NAME:STEP or NAME:STEP:LOW:HIGH with a positive step")
    start = starts[name] if name in starts else _start(name, engine)
    low, high = numbers[1:] or _range(name, engine)
    if not low <= start <= high or low == high:
        raise ParameterError(f"{name} cannot start at {start:g} in {low:g} to {high:g}")
    step = numbers[0] if numbers else abs(start) / 5 or (high - low) / 50
    return Parameter(name, start, min(step, (high - low) / 2), low, high)


def _start(name: str, engine: Engine) -> float:
    response = engine.send(f"kata-get-param {name}")
    try:
        if response.ok:
            return _finite(response.text)
    except ValueError:
        pass
    raise ParameterError(f"the engine tells no number for {name}: {response}")


def _range(name: str, engine: Engine) -> tuple[float, float]:
    response = engine.send(f"kata-set-param {name} {OUT_OF_ANY_RANGE:g}")
    told = RANGE.search(response.text)
    if response.ok or not told:
        raise ParameterError(f"the engine tells no range for {name}; give one: {name}:STEP:LOW:HIGH")
    return _finite(told[1]), _finite(told[2])


def read_starts(path: Path | None) -> dict[str, float]:
    """Values from a file as `--params` reads it. Raises `ParameterError`."""
    if path is None:
        return {}
    try:
        data = json.loads(path.read_text("utf-8"))
        return {name: _finite(value) for name, value in data.items()}
    except OSError as error:
        raise ParameterError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError):
        raise ParameterError(f"{path} is no JSON object of names and numbers") from None


def write_values(path: Path, values: dict[str, float]) -> None:
    """Write values as `--params` reads them, with six digits. Raises a `FileError`."""
    rounded = {name: float(f"{value:.6g}") for name, value in values.items()}
    files.write(path, json.dumps(rounded, indent=1) + "\n")


def _finite(text: str | float) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("not finite")
    return value
