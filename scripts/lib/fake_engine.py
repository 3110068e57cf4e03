#!/usr/bin/env python3
"""A tiny GTP engine for tests, which misbehaves on request.

It fills the board row by row from A1 and passes after `--moves` moves of its own, and up to four
more of them by its `--seed`. With `--score parity` who wins hangs on the number of moves.
`--fault KIND --at N` spoils its Nth genmove; the commands `die`, `hang`, `garble` and
`wrong_id` do so at once. It knows occupied points, no other rule of Go.
"""

import argparse
import sys
import time

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
FAULTS = ("die", "hang", "garble", "wrong_id", "occupied", "banana", "slow", "burn", "resign",
          "error")


class FakeEngine:
    """State and commands; each `do_NAME` returns its answer, `Refusal` makes it a `?`."""

    def __init__(self, options: argparse.Namespace):
        self.options = options
        self.generated = 0
        self.do_boardsize("9")

    def commands(self) -> list[str]:
        own = [name[3:] for name in dir(self) if name.startswith("do_")]
        return own + self.options.knows

    def do_protocol_version(self) -> str:
        return "2"

    def do_name(self) -> str:
        return "Fake"

    def do_version(self) -> str:
        return "1"

    def do_list_commands(self) -> str:
        return "\n".join(self.commands())

    def do_echo(self, *words: str) -> str:
        return " ".join(words).replace("|", "\n")

    def do_boardsize(self, size: str) -> str:
        self.size = int(size)
        return self.do_clear_board()

    def do_clear_board(self) -> str:
        self.moves: list[str] = []
        return ""

    def do_komi(self, _komi: str) -> str:
        return ""

    def do_time_settings(self, *_numbers: str) -> str:
        return ""

    def do_time_left(self, *_words: str) -> str:
        return ""

    def do_play(self, _color: str, vertex: str) -> str:
        vertex = vertex.upper()
        if vertex != "PASS" and vertex in self.moves or vertex == self.options.refuse:
            raise Refusal("illegal move")
        self.moves.append(vertex)
        return ""

    def do_undo(self) -> str:
        if not self.moves:
            raise Refusal("cannot undo")
        self.moves.pop()
        return ""

    def do_genmove(self, color: str) -> str:
        self.generated += 1
        fault = self.options.fault if self.generated == self.options.at else ""
        if fault == "slow":
            time.sleep(self.options.sleep)
        elif fault == "burn":
            end = time.process_time() + self.options.sleep
            while time.process_time() < end:
                pass
        elif fault in ("resign", "banana"):
            return fault
        elif fault == "occupied":
            return next(move for move in self.moves if move != "PASS")
        elif fault == "error":
            raise Refusal("no idea")
        elif fault:
            return getattr(self, "do_" + fault)()
        points = (f"{letter}{row + 1}" for row in range(self.size) for letter in LETTERS[: self.size])
        vertex = next((point for point in points if point not in self.moves), "pass")
        if self.generated > self.options.moves + self.options.seed % 5:
            vertex = "pass"
        self.do_play(color, vertex)
        return vertex

    def do_final_score(self) -> str:
        if self.options.score == "parity":
            return f"{'BW'[len(self.moves) % 2]}+{len(self.moves)}.5"
        return self.options.score

    def do_die(self) -> str:
        sys.exit("out of luck")

    def do_hang(self) -> str:
        time.sleep(3600)
        return ""

    def do_garble(self) -> str:
        print("Segmentation fault, or so", flush=True)
        return ""

    def do_wrong_id(self) -> str:
        print("=999 \n", flush=True)
        return ""


class Refusal(Exception):
    """A failure response."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fault", choices=FAULTS, default="")
    parser.add_argument("--at", type=int, default=1)
    parser.add_argument("--moves", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sleep", type=float, default=0.5)
    parser.add_argument("--score", default="B+1.5")
    parser.add_argument("--refuse", default="", help="a point where play is illegal")
    parser.add_argument("--knows", nargs="+", default=[], help="more commands, which do nothing")
    parser.add_argument("--rejects", nargs="+", default=[], help="commands that always fail")
    parser.add_argument("--log", help="file that gets every command line")
    options = parser.parse_args()
    engine = FakeEngine(options)
    for line in sys.stdin:
        number, name, *words = line.split() if line[0].isdigit() else ["", *line.split()]
        if options.log:
            with open(options.log, "a", encoding="utf-8") as log:
                print(name, *words, file=log)
        if name == "quit":
            print(f"={number} \n", flush=True)
            return
        try:
            if name not in engine.commands():
                raise Refusal("unknown command")
            if name in options.rejects:
                raise Refusal("not so")
            command = getattr(engine, f"do_{name}", lambda *_: "")
            print(f"={number} {command(*words)}\n", flush=True)
        except Refusal as refusal:
            print(f"?{number} {refusal}\n", flush=True)


if __name__ == "__main__":
    main()
