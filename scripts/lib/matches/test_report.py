"""The reports of a match: what a reader sees, and that a browser shows it."""

import json
import math
import random
import unittest
from unittest import mock

from lib.game import Effort, Record
from lib.matches import options, page, report, strength
from lib.matches.options import Match
from lib.matches.sprt import Sprt
from lib.matches.standings import Standings
from lib.testing import BROWSER, check_page, inked_share

INKED_MIN = 0.02  # of the pixels; a blank page has none


def match(*words: str) -> Match:
    """The match of a command line."""
    return options.from_command_line(["--referee", "r", *words])


def standings_of(match_: Match, winner_of, **more) -> Standings:
    """Standings after all games, whose winners a function of the pairing chooses."""
    standings = Standings(match_.plan, match_.sprt, match_.settings.size * match_.is_two_game)
    chance = random.Random(1)
    for pairing in match_.plan.pairings():
        record = Record(pairing.number, pairing.black.name, pairing.white.name,
                        [("b", "D4"), ("w", f"{'ABCDEFGHJ'[pairing.number % 9]}5"), ("b", "pass"),
                         ("w", "pass")], result=f"{winner_of(pairing)}+3.5", **more)
        record.efforts = {color: Effort([chance.expovariate(5) for _ in range(9)], 1.5) for color in "bw"}
        standings.add(record)
    return standings


def first_wins(pairing) -> str:
    """The engine that comes first in the alphabet."""
    return "B" if pairing.black.name < pairing.white.name else "W"


class Orders(unittest.TestCase):
    """Games count in the order of the plan."""

    def test_prefix(self):
        standings = Standings(match("--a", "a", "--b", "b", "--games", "4").plan)
        for number, counted in ((3, 0), (1, 1), (4, 1), (2, 4)):
            standings.add(Record(number, "a", "b", result="B+1"))
            self.assertEqual(len(standings.records), counted)
        self.assertTrue(standings.is_complete())

    def test_a_verdict_ends_the_count(self):
        asked = match("--a", "a", "--b", "b", "--games", "400", "--sprt", "0", "100")
        standings = standings_of(asked, first_wins)
        self.assertIs(standings.verdict, True)
        self.assertEqual(len(standings.records), 2 * len(standings.ratios))
        self.assertLess(len(standings.records), 60)
        self.assertIn("yes, rather +100 Elo", report.text(standings))

    def test_void_games_leave_their_pairs_out_of_the_test(self):
        standings = Standings(match("--a", "a", "--b", "b", "--games", "4").plan, Sprt(0, 50))
        for number, result in enumerate(("Void", "W+1", "B+1", "W+1"), start=1):
            names = ("a", "b") if number % 2 else ("b", "a")
            standings.add(Record(number, *names, result=result))
        self.assertEqual(standings.tallies()[0].summary()["pairs"], [0, 0, 0, 0, 1])


class Pages(unittest.TestCase):
    """HTML, Markdown and JSON of matches of several kinds."""

    def page(self, match_: Match, standings: Standings) -> str:
        """The page, checked for what all pages have."""
        data = report.data(match_, standings, {player.name: "Engine 1" for player in match_.plan.players})
        json.loads(report.to_json(data, standings))
        self.assertIn(report.headline(standings), report.to_markdown(data, standings))
        text = page.to_html(data, standings)
        check_page(text)
        self.assertNotRegex(text, r"\bnan\b|None")
        return text

    def test_two_engines(self):
        asked = match("--a", "a", "--b", "b", "--games", "12", "--time", "1")
        page = self.page(asked, standings_of(asked, lambda pairing: "BW"[pairing.number % 3 == 0]))
        for text in ("a and b: too close to call", "1 s a move", "Pairs of games", "Time of a move"):
            self.assertIn(text, page)

    def test_several_engines(self):
        asked = match(*(word for name in "abc" for word in ("--engine", f"{name}={name}")), "--games", "8")
        standings = standings_of(asked, first_wins)
        self.assertIn("Encounters", self.page(asked, standings))
        self.assertEqual(list(standings.ratings()), list("abc"))
        self.assertEqual(report.text(standings).count(" against "), 3)

    def test_a_sweep(self):
        asked = match("--a", "a", "--b", "b", "--games", "4")
        standings = standings_of(asked, first_wins)
        self.assertEqual(standings.ratings()["a"].mean, math.inf)
        self.assertIn("+∞", self.page(asked, standings))

    def test_without_games(self):
        for words in (("--sprt", "0", "9"), ("--two-game",)):
            asked = match("--a", "a", "--b", "b", *words)
            self.page(asked, Standings(asked.plan, asked.sprt))

    def test_sequential_test_and_two_game_matches(self):
        asked = match("--a", "a", "--b", "b", "--sprt", "0", "50")
        self.assertIn("Sequential test", self.page(asked, standings_of(asked, first_wins)))
        asked = match("--a", "a", "--b", "b", "--two-game", "--games", "4")
        self.assertEqual(asked.settings.komi, 0.0)
        self.assertIn("+7, +7", self.page(asked, standings_of(asked, first_wins)))

    def test_names_and_reasons_are_no_markup(self):
        asked = match("--engine", "a=a --x '<b>|'", "--engine", "b=b", "--games", "2")
        page = self.page(asked, standings_of(asked, first_wins, reason="crash: <script>"))
        self.assertNotIn("<b>|", page)

    def test_a_machine_without_git(self):
        with mock.patch.dict("os.environ", PATH=""):
            self.assertEqual(strength.commit(), "unknown")

    @unittest.skipUnless(BROWSER, "no Chromium here")
    def test_screenshot(self):
        asked = match("--a", "a", "--b", "b", "--games", "12")
        page = self.page(asked, standings_of(asked, first_wins))
        self.assertGreater(inked_share(page, 1060, 2600), INKED_MIN)


if __name__ == "__main__":
    unittest.main()
