#!/usr/bin/env python3
"""The project's virtual environment: `.venv`, made from scripts/requirements.txt at first use.

A program that needs packages begins with `venv.enter()`: it starts itself again in the
environment, which is built first where it is missing or older than the requirements.
From a shell, `scripts/lib/venv.py ARGS...` runs the environment's Python with ARGS.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv"
PYTHON = FOLDER / "bin" / "python"
REQUIREMENTS = ROOT / "scripts" / "requirements.txt"


def enter() -> None:
    """Continue the running program inside the environment; no effect if it is there already."""
    if Path(sys.prefix).resolve() != FOLDER.resolve():
        _exec(sys.argv)


def _exec(arguments: list[str]) -> None:
    _ensure()
    os.execv(PYTHON, [str(PYTHON), *arguments])


def _ensure() -> None:
    """Build the environment unless its stamp says that it holds these very requirements."""
    stamp = FOLDER / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    with open(REQUIREMENTS, encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two programs started at once build it once
        if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted and PYTHON.exists():
            return
        print(f"Setting up {FOLDER.name} (once) ...", file=sys.stderr)
        shutil.rmtree(FOLDER, ignore_errors=True)
        pip = [PYTHON, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        try:
            # stdout stays the program's own: whatever pip says goes to stderr.
            subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True, stdout=sys.stderr)
            subprocess.run([*pip, "-r", REQUIREMENTS], check=True, stdout=sys.stderr)
        except subprocess.CalledProcessError as error:
            sys.exit(f"cannot set up {FOLDER.name}: {error}\n"
                     "It needs Python's venv module (Debian: apt-get install python3-venv) "
                     "and a package index that pip can reach.")
        stamp.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    _exec(sys.argv[1:])
