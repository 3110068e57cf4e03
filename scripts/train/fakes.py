"""Files of labelled games without sense, and a stand-in for the engine, for tests."""

import argparse
import sys
from pathlib import Path

import numpy as np

from train.boards import Size

# Knows no captures: planes 0 (the board), 1 and 2 (stones), 9 (the last move), global 5 (komi).
ENGINE = '''
import json, struct, sys
assert sys.argv[1:] == ["net", "planes"]
for line in sys.stdin:
    game = json.loads(line)
    width, height = game["size"]
    points = width * height
    for position in game["positions"]:
        moves, bits = game["moves"][:position], (1 << points) - 1
        for i, move in enumerate(moves):
            if move < points:
                bits |= 1 << ((1 if (position - i) % 2 == 0 else 2) * points + move)
        if moves and moves[-1] < points:
            bits |= 1 << (9 * points + moves[-1])
        numbers = [0.0] * 19
        numbers[5] = game["komi"] / 20 * (1 if position % 2 else -1)
        sys.stdout.buffer.write(struct.pack("<19f", *numbers) + bits.to_bytes((22 * points + 7) // 8, "little"))
'''


def engine(folder: Path) -> Path:
    """A program that does what `keima net planes` would, more or less."""
    program = folder / "engine"
    program.write_text(f"#!{sys.executable}\n{ENGINE}")
    program.chmod(0o755)
    return program


def labelled(file: Path, size: Size, games: int, seed: int, stored: int = 6) -> None:
    """Games of distinct points at random with labels at random, and ownership at each fourth position."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, size.points, games)
    n = int(lengths.sum())
    own_pos = np.arange(0, n, 4)
    policy = rng.random((n, stored))
    np.savez(
        file, width=size.width, height=size.height,
        game_start=np.cumsum(np.append(0, lengths[:-1])).astype(np.uint32),
        komi_half=rng.integers(-15, 31, games).astype(np.int8),
        move=np.concatenate([rng.permutation(size.points + 1)[:length] for length in lengths]).astype(np.uint16),
        white_win=rng.integers(65536, size=n).astype(np.uint16),
        white_lead8=rng.integers(-200, 200, n).astype(np.int16),
        policy_index=np.array([rng.permutation(size.points + 1)[:stored] for _ in range(n)], np.uint16),
        policy_prob=(-np.sort(-policy) / policy.sum(1, keepdims=True) * 65535).astype(np.uint16),
        own_pos=own_pos.astype(np.uint32),
        own4=rng.integers(256, size=(len(own_pos), (size.points + 1) // 2)).astype(np.uint8))


def played(file: Path, size: Size, games: int, seed: int, stored: int = 8) -> None:
    """The same as `keima selfplay` writes it: labels, with ownership, at one position in four."""
    labelled(file, size, games, seed, stored)
    arrays = dict(np.load(file))
    position = np.arange(int(seed) % 4, len(arrays["move"]), 4)
    for name in ("white_win", "white_lead8", "policy_index", "policy_prob"):
        arrays[name] = arrays[name][position]
    arrays["own4"] = np.random.default_rng(seed).integers(
        256, size=(len(position), (size.points + 1) // 2)).astype(np.uint8)
    for name in ("width", "height", "own_pos"):
        del arrays[name]
    np.savez(file, **arrays | {
        "size": np.array([size.width, size.height], np.uint8), "position": position.astype(np.uint32),
        "komi_half": arrays["komi_half"].astype(np.int16)})


def prepared(folder: Path, sizes: list[Size]) -> argparse.Namespace:
    """Two files of games of each size, and the options to prepare them."""
    for size in sizes:
        for number in range(2):
            labelled(folder / f"t{size}-{number}.npz", size, 4, number)
    return argparse.Namespace(
        positions=folder, files="*.npz", engine=engine(folder), one_in=3, held_out=16, jobs=1)
