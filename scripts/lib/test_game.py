"""Games between fake engines: every way to lose, records, CPU time."""

import json
import tempfile
import unittest
from dataclasses import asdict, replace
from pathlib import Path

from lib.clock import System, TimeControl
from lib.game import AGREEMENT, Pairing, Player, Record, Settings, play_game
from lib.series import Dropped
from lib.testing import FAKE

SETTINGS = Settings(size=5, komi=7.5, referee=FAKE)
FIFTH = TimeControl(System.CANADIAN, 0, 0.2, 1)  # of a second, per move


def play(black: str = "", white: str = "", settings: Settings = SETTINGS) -> Record:
    """A game between two fake engines with these arguments."""
    return play_game(pairing(f"{FAKE} {black}", f"{FAKE} {white}"), settings)


def pairing(black: str, white: str = FAKE, **more) -> Pairing:
    """A game between these commands."""
    return Pairing(1, Player("A", black), Player("B", white), "seed", **more)


class Games(unittest.TestCase):
    """Results and their reasons."""

    def test_two_passes_end_the_game(self):
        record = play("--moves 2", "--moves 1")
        self.assertEqual(record.moves, [("b", "A1"), ("w", "B1"), ("b", "C1"), ("w", "pass"),
                                        ("b", "pass")])
        self.assertEqual((record.result, record.reason), ("B+1.5", ""))
        self.assertEqual(record.claims, {"b": "B+1.5", "w": "B+1.5"})
        self.assertEqual([len(effort.seconds) for effort in record.efforts.values()], [3, 2])

    def test_faults_lose_with_their_reason(self):
        rows = [
            ("die", "B+Forfeit", "crash: engine died at `genmove w`"),
            ("garble", "B+Forfeit", "garbage: engine printed 'Segmentation"),
            ("wrong_id", "B+Forfeit", "garbage: engine answered id 999"),
            ("occupied", "B+Forfeit", "illegal move: A1"),
            ("banana", "B+Forfeit", "garbage: genmove answered `banana`"),
            ("error", "B+Forfeit", "refusal: `genmove w` answered `? no idea`"),
            ("resign", "B+Resign", ""),
        ]
        for fault, result, reason in rows:
            with self.subTest(fault=fault):
                record = play(white=f"--fault {fault} --at 2")
                self.assertEqual(record.result, result)
                self.assertIn(reason, record.reason)
                self.assertEqual(len(record.moves), 3)

    def test_programs_that_are_no_engines_lose(self):
        rows = [
            ("no-such-engine", "crash: cannot start"),
            ("false", "crash: engine died at"),
            ("sh -c 'exec >&-; sleep 9'", "crash: engine died at .*its output is closed"),
            ("sh -c 'exec <&-; sleep 9'", "crash: engine died at"),
            ("yes", "garbage: engine printed 'y'"),
        ]
        for command, reason in rows:
            with self.subTest(command=command):
                record = play_game(pairing(command), SETTINGS)
                self.assertEqual((record.result, record.moves), ("W+Forfeit", []))
                self.assertRegex(record.reason, reason)

    def test_hang(self):
        settings = replace(SETTINGS, time=FIFTH, patience=0.2)
        record = play("--fault hang", settings=settings)
        self.assertEqual(record.result, "W+Forfeit")
        self.assertIn("hang: no answer in time to `genmove b`", record.reason)

    def test_overrun(self):
        settings = replace(SETTINGS, time=FIFTH)
        record = play("--fault slow --at 2 --sleep 0.3", settings=settings)
        self.assertEqual((record.result, len(record.moves)), ("W+Time", 2))
        self.assertIn("time: ", record.reason)
        patient = replace(settings, grace=1.0)
        self.assertEqual(play("--fault slow --at 2 --sleep 0.3", settings=patient).result, "B+1.5")

    def test_refusing_a_legal_move_loses(self):
        record = play(white="--refuse A1")
        self.assertEqual(record.result, "B+Forfeit")
        self.assertIn("refusal: `play b A1` answered `? illegal move`", record.reason)

    def test_a_failing_referee_voids_the_game(self):
        for referee, reason in (("no-such-engine", "cannot start"), (f"{FAKE} --score maybe", "maybe")):
            record = play(settings=replace(SETTINGS, referee=referee))
            self.assertEqual((record.result, record.winner), ("Void", None))
            self.assertIn(reason, record.reason)

    def test_too_long_a_game_is_void(self):
        record = play(settings=replace(SETTINGS, moves_max=4))
        self.assertEqual((record.result, record.reason), ("Void", "too long: 4 moves"))

    def test_whoever_only_passes_holds_nobody_up(self):
        record = play("--moves 0", "--moves 99")
        self.assertEqual((len(record.moves), record.result), (52, "B+1.5"))

    def test_cpu_time_counts_children(self):
        shell = f"sh -c '{FAKE} --fault burn --sleep 0.2; true'"
        efforts = play_game(pairing(shell), SETTINGS).efforts
        self.assertGreater(efforts["b"].cpu, 0.15)
        self.assertLess(efforts["w"].cpu, 0.1)

    def test_drop(self):
        asked = iter([False, False, True])
        with self.assertRaises(Dropped):
            play_game(pairing(FAKE), SETTINGS, lambda: next(asked))

    def test_opening_depends_on_the_seed_only(self):
        settings = replace(SETTINGS, size=9, opening_plies=3)
        record = play("--moves 0", "--moves 0", settings)
        self.assertEqual(record.moves, play("--moves 0", "--moves 0", settings).moves)
        self.assertEqual([color for color, _ in record.moves], ["b", "w", "b", "w", "b"])
        self.assertEqual([vertex for _, vertex in record.moves[3:]], ["pass", "pass"])

    def test_given_opening(self):
        opening = ("C3", "D4", "E5")
        record = play_game(pairing(FAKE, opening=opening), SETTINGS)
        self.assertEqual(record.moves[:4], [("b", "C3"), ("w", "D4"), ("b", "E5"), ("w", "A1")])
        self.assertEqual(record.opening_plies, 3)
        record = play_game(pairing(FAKE, opening=("C3", "C3")), SETTINGS)
        self.assertEqual((record.result, record.reason), ("Void", "opening: w C3 is illegal"))

    def test_playouts_are_told_to_those_who_listen(self):
        with tempfile.TemporaryDirectory() as folder:
            for knows, count in (("--knows kata-set-param", 1), ("", 0)):
                log = Path(folder) / f"log{count}"
                play(f"--log {log} {knows}", settings=replace(SETTINGS, playouts=50))
                self.assertEqual(log.read_text("utf-8").count("kata-set-param maxPlayouts 50"), count)

    def test_record_survives_json(self):
        record = play("--fault banana --at 2")
        self.assertEqual(Record.from_dict(json.loads(json.dumps(asdict(record)))), record)


class Agreements(unittest.TestCase):
    """Games without a referee."""

    def result(self, black: str = "", white: str = "") -> tuple[str, str]:
        record = play(black, white, replace(SETTINGS, referee=AGREEMENT))
        return record.result, record.reason

    def test_counts(self):
        rows = [
            ("B+1.5", "B+1.5", "B+1.5", ""),
            ("B+7.5", "b+3.5", "B+3.5", ""),
            ("0", "Jigo", "0", ""),
            ("W+2", "cannot", "W+2", ""),
            ("B+1.5", "W+0.5", "Void", "disagreement: B+1.5 and W+0.5"),
            ("B+1.5", "0", "Void", "disagreement: B+1.5 and 0"),
            ("what", "ever", "Void", "disagreement: no player can count"),
        ]
        for black, white, *expected in rows:
            with self.subTest(black=black, white=white):
                self.assertEqual([*self.result(f"--score {black}", f"--score {white}")], expected)

    def test_moves(self):
        self.assertEqual(self.result(white="--fault occupied --at 2"),
                         ("B+Forfeit", "illegal move: A1"))
        result, reason = self.result(white="--refuse A1")
        self.assertEqual(result, "Void")
        self.assertIn("disagreement: refusal: `play b A1`", reason)

    def test_random_plies(self):
        settings = replace(SETTINGS, referee=AGREEMENT, opening_plies=4)
        self.assertEqual(play(settings=settings).opening_plies, 4)


if __name__ == "__main__":
    unittest.main()
