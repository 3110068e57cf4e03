#!/usr/bin/env python3
"""The project's virtual environment: `.venv`, made from scripts/requirements.txt at first use.

A program that needs packages begins with `venv.enter()`: it starts itself again in the
environment, which is built first where it is missing or older than the requirements.
A folder of programs with packages of their own (scripts/train) passes its `Environment`.
From a shell, `scripts/lib/venv.py ARGS...` runs the environment's Python with ARGS.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Environment:
    """A folder and the requirements that it is built from."""

    folder: Path
    requirements: Path

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.folder / "bin" / "python"

    def run(self, arguments: list[str]) -> None:
        """Become the environment's Python with these arguments."""
        self._ensure()
        os.execv(self.python, [str(self.python), *arguments])

    def _ensure(self) -> None:
        """Build the environment unless its stamp says that it holds these very requirements."""
        stamp = self.folder / "requirements.sha256"
        wanted = hashlib.sha256(self.requirements.read_bytes()).hexdigest()
        with open(self.requirements, encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two programs started at once build it once
            if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted and self.python.exists():
                return
            print(f"Setting up {self.folder.name} (once) ...", file=sys.stderr)
            shutil.rmtree(self.folder, ignore_errors=True)
            pip = [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
            try:
                # stdout stays the program's own: whatever pip says goes to stderr.
                subprocess.run([sys.executable, "-m", "venv", self.folder], check=True, stdout=sys.stderr)
                subprocess.run([*pip, "-r", self.requirements], check=True, stdout=sys.stderr)
            except subprocess.CalledProcessError as error:
                sys.exit(f"cannot set up {self.folder}: {error}\n"
                         "It needs Python's venv module (Debian: apt-get install python3-venv) "
                         "and a package index that pip can reach.")
            stamp.write_text(wanted, encoding="utf-8")


COMMON = Environment(ROOT / ".venv", ROOT / "scripts" / "requirements.txt")


def enter(environment: Environment = COMMON) -> None:
    """Continue the running program inside the environment; no effect if it is there already."""
    if Path(sys.prefix).resolve() != environment.folder.resolve():
        environment.run(sys.argv)


if __name__ == "__main__":
    COMMON.run(sys.argv[1:])
