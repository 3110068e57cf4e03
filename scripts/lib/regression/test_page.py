"""Positions, and the page."""

import unittest
from dataclasses import replace

from lib.diagram import Position
from lib.regression import compare, page, position
from lib.regression.test_compare import run
from lib.testing import BROWSER, check_page, inked_share

INKED_MIN = 0.02  # of the pixels; a blank page has none
BOARD = Position(9, 9, ["A1", "C3"], ["D4"], "D4")


class Positions(unittest.TestCase):
    """Where they come from."""

    def test_sgf(self):
        sgf = "(;SZ[9]AB[ai][cg];W[df](;B[tt];W[])(;B[aa]))"
        self.assertEqual(position.from_sgf(sgf), BOARD)

    def test_captures_are_gone(self):
        sgf = "(;SZ[5]AW[ae]AB[be];B[ad])"
        self.assertEqual(position.from_sgf(sgf).white, [])

    def test_no_sgf(self):
        for text in ("", "(;", "(;SZ[x])", "(;SZ[9];B[zz])", "= ?"):
            with self.subTest(text=text):
                self.assertIsNone(position.from_sgf(text))


class Page(unittest.TestCase):
    """What a reader finds."""

    def test_cards(self):
        now, before = run(a="pass FAIL fail", b="pass pass FAIL"), run(a="FAIL pass fail", b="pass pass fail")
        cards = page.find_cards(now, compare.changes(now, before), compare.differences(now))
        self.assertEqual([(card.test.number, card.tags - {"all"}) for card in cards],
                         [("10", {"better"}), ("20", {"FAIL", "worse", "differ"}), ("30", {"FAIL", "known"})])

    def test_page_stands_alone_and_escapes(self):
        now = run(keima="FAIL FAIL")
        now.runs[0].results[0] = replace(now.runs[0].results[0], got="<script>&", position=BOARD)
        text = page.render(now, None, [])
        self.assertIn("&lt;script&gt;&amp;", text)
        self.assertEqual(text.count('class="board"'), 1)
        check_page(text)
        self.assertNotIn("src=", text)

    @unittest.skipUnless(BROWSER, "no Chromium here")
    def test_screenshot(self):
        now = run(keima="FAIL FAIL")
        now.runs[0].results[0] = replace(now.runs[0].results[0], position=BOARD)
        self.assertGreater(inked_share(page.render(now, None, []), 1060, 1200), INKED_MIN)

    def test_page_of_a_clean_run(self):
        now = run(keima="pass")
        self.assertIn("every test went as expected", page.render(now, compare.changes(now, now), []))


if __name__ == "__main__":
    unittest.main()
