"""Boards and their pictures."""

import unittest

from lib.diagram import Diagram, Position, star_points, vertices

BOARD = Position(9, 9, ["A1", "C3"], ["D4"], "D4")


class Pictures(unittest.TestCase):
    """The drawing of a board."""

    def test_stones_and_marks(self):
        svg = Diagram(BOARD).expect("E5|F6", negated=False).expect("G7", negated=True) \
            .answer("H8", "A", right=False).answer("T19", "B", right=True).svg()
        for piece, count in (('class="black stone"', 2), ('class="white stone"', 1), ('class="last"', 1),
                             ('class="wanted"', 2), ('class="forbidden"', 1), ('class="answer wrong"', 1),
                             ('class="answer right"', 0), ('class="star"', 5)):
            with self.subTest(piece=piece):
                self.assertEqual(svg.count(piece), count)
        # A1 is at the lower left.
        self.assertIn('<circle class="black stone" cx="26" cy="186"', svg)

    def test_star_points(self):
        self.assertEqual([len(star_points(size, size)) for size in (5, 7, 9, 13, 18, 19)], [0, 5, 5, 9, 4, 9])
        self.assertEqual(star_points(9, 13), [])

    def test_without_coordinates(self):
        svg = Diagram(BOARD, has_coordinates=False).svg()
        self.assertNotIn("<text", svg)
        self.assertIn('<circle class="black stone" cx="14" cy="174"', svg)

    def test_vertices(self):
        self.assertEqual(vertices("1 (a1|Q16) t19 I5 B26 PASS"), ["A1", "Q16", "T19"])


if __name__ == "__main__":
    unittest.main()
