"""The GTP client against an engine that behaves and one that does not."""

import os
import tempfile
import unittest
from pathlib import Path

from lib.gtp import Engine, EngineDied, EngineGarbage, EngineTimeout, absolute_words
from lib.testing import FAKE


class GoodEngine(unittest.TestCase):
    """Answers of all shapes."""

    def test_answers(self):
        with Engine(FAKE) as engine:
            self.assertEqual(engine.send("name").text, "Fake")
            self.assertEqual(engine.send("echo a|b").text, "a\nb")
            self.assertTrue(engine.send("boardsize 9").ok)
            unknown = engine.send("no_such_thing")
            self.assertEqual((unknown.ok, unknown.text), (False, "unknown command"))
            self.assertEqual(str(unknown), "? unknown command")

    def test_lists(self):
        with Engine(FAKE) as engine:
            self.assertTrue(engine.lists("genmove"))
            self.assertFalse(engine.lists("gen"))

    def test_close_ends_the_process(self):
        with Engine(FAKE) as engine:
            pid = engine.pid
        with self.assertRaises(ProcessLookupError):
            os.kill(pid, 0)


class BadEngine(unittest.TestCase):
    """Each way of failing has its exception, with a text that names it."""

    def test_cannot_start(self):
        with self.assertRaisesRegex(EngineDied, "cannot start"):
            Engine("./no/such/engine")
        with self.assertRaisesRegex(EngineDied, "cannot start"):
            Engine("'unbalanced")

    def test_dies(self):
        with Engine(FAKE) as engine:
            with self.assertRaisesRegex(EngineDied, "`die`.*exit status 1.*out of luck"):
                engine.send("die")
            with self.assertRaises(EngineDied):
                engine.send("name")

    def test_hangs(self):
        with Engine(FAKE) as engine:
            with self.assertRaisesRegex(EngineTimeout, "`hang`"):
                engine.send("hang", timeout=0.2)

    def test_prints_garbage(self):
        with Engine(FAKE) as engine:
            with self.assertRaisesRegex(EngineGarbage, "Segmentation fault"):
                engine.send("garble")
        with Engine(FAKE) as engine:
            with self.assertRaisesRegex(EngineGarbage, "id 999"):
                engine.send("wrong_id")

    def test_endless_output_is_cut(self):
        with Engine("yes =1") as engine:
            with self.assertRaises((EngineGarbage, EngineDied)):  # whichever limit is met first
                engine.send("name")


class Words(unittest.TestCase):
    """Engine commands work from another folder."""

    def test_existing_paths_become_absolute(self):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            name = os.path.join(os.path.basename(folder), "x")
            Path(name).touch()
            self.assertEqual(absolute_words([name, "gnugo", "no/x"]),
                             [os.path.abspath(name), "gnugo", "no/x"])


if __name__ == "__main__":
    unittest.main()
