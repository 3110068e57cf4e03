"""Files with results, and how a program ends that cannot write."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lib import files
from lib.files import FileError
from lib.testing import SCRIPTS


class Files(unittest.TestCase):
    """Each test has a folder of its own."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_whole_or_not_at_all(self):
        path = self.folder / "new" / "x"
        files.check_writable(path)
        files.write(path, "one")
        files.write(path, b"two")
        self.assertEqual(path.read_bytes(), b"two")
        self.assertEqual(os.listdir(path.parent), ["x"])

    def test_places_that_are_no_good(self):
        (self.folder / "file").touch()
        for path, why in ((self.folder, "it is a folder"), (self.folder / "file" / "x", ""),
                          (self.folder / "file" / "x" / "y", "")):
            with self.subTest(path=path), self.assertRaisesRegex(FileError, f"^cannot write {path}: {why}"):
                files.check_writable(path)
        with self.assertRaisesRegex(FileError, "^cannot write .*/file/x: Not a directory$"):
            files.write(self.folder / "file" / "x", "")
        self.assertEqual(os.listdir(self.folder), ["file"])

    def test_a_device_stays_one(self):
        full = Path("/dev/full")
        files.check_writable(full)
        with self.assertRaisesRegex(FileError, "^cannot write /dev/full: No space left on device$"):
            files.write(full, "x")
        self.assertTrue(full.is_char_device())


class Programs(unittest.TestCase):
    """What a program says of its output."""

    def test_full_disk(self):
        code = "from lib import program; program.run(lambda: print('x'))"
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "cannot go on: the output: No space left on device\n"))


if __name__ == "__main__":
    unittest.main()
