"""What the tests of several programs need."""

import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[1]
FAKE_PROGRAM = SCRIPTS / "lib" / "fake_engine.py"
FAKE = f"{sys.executable} {FAKE_PROGRAM}"  # the command of a GTP engine
