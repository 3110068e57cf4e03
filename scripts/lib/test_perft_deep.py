"""scripts/perft-deep against a stand-in for the engine."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lib.testing import SCRIPTS

PROGRAM = SCRIPTS / "perft-deep"
CASE = {"id": "x", "w": 3, "h": 2, "ko": "positional", "suicide": "multi", "passes": True,
        "setup": ["X..", ".O."], "first": "W", "counts": [1, 7, 30]}
WORDS = "perft --size 3x2 --ko positional --suicide multi --depth 2 --passes --setup X../.O. --first W"


class PerftDeep(unittest.TestCase):
    """Good counts, wrong ones, missing ones, a program that fails."""

    def status(self, shell: str) -> tuple[int, str]:
        """Exit status and output, the engine being a line of shell."""
        with tempfile.TemporaryDirectory() as folder:
            engine, vectors = Path(folder) / "engine", Path(folder) / "v.jsonl"
            engine.write_text(f"#!/bin/sh\n{shell}\n", encoding="utf-8")
            engine.chmod(0o755)
            vectors.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
            done = subprocess.run([sys.executable, PROGRAM, "--engine", str(engine), vectors],
                                  capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_counts(self):
        check_words = f'[ "$*" = "{WORDS}" ] || exit 3; '
        self.assertEqual(self.status(check_words + "echo 0 1; echo 1 7; echo 2 30")[0], 0)
        self.assertEqual(self.status(check_words + "echo 1 7; echo 2 30")[0], 0)

    def test_wrong(self):
        for shell, text in (("echo 1 7; echo 2 31", "depth 2: expected 30, got 31"),
                            ("echo 1 7", "depth 2: expected 30, got nothing"),
                            ("echo oops >&2; exit 3", "exit status 3: oops")):
            status, output = self.status(shell)
            self.assertEqual(status, 1)
            self.assertIn(text, output)


if __name__ == "__main__":
    unittest.main()
