"""What the tests of several programs need."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

SCRIPTS = Path(__file__).resolve().parents[1]
FAKE_PROGRAM = SCRIPTS / "lib" / "fake_engine.py"
FAKE = f"{sys.executable} {FAKE_PROGRAM}"  # the command of a GTP engine


def load(name: str) -> ModuleType:
    """A program of scripts/ as a module: a process of its own would only cost time."""
    loader = importlib.machinery.SourceFileLoader(name, str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
