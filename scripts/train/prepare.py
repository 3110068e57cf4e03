"""From files of labelled games to shards that training maps into memory.

A shard is a folder `FOLDER/{train,held-out}/WxH/NAME/` of arrays, row by row a position, all of it
from the view of the side to move:

    globals.npy       f32 [n, 19]
    planes.npy        u8 [n, bytes]      22 planes as bits, see engine.py
    policy_index.npy  u16 [n, k]         the likeliest moves
    policy_prob.npy   u16 [n, k]         their probabilities x 65535
    win.npy           f32 [n]            NaN where unknown
    lead.npy          f32 [n]            points, NaN where unknown
    owner.npy         u8 [n, bytes]      two points a byte, low half first: 0 the opponent's .. 15 own
    owned.npy         bool [n]           whether the ownership is known
"""

import argparse
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from tqdm import tqdm

from train import engine
from train.labels import Labels

# Sizes of which `keima selfplay` makes many files; the others are rare.
COMMON = ("s9x9", "s13x13", "s19x19")
HELD_OUT = "held-out"
TRAIN = "train"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this step."""
    parser.add_argument("--positions", type=Path, required=True, help="folder of .npz files")
    parser.add_argument("--files", default="*.npz", help="which of them (default: %(default)s)")
    parser.add_argument("--engine", type=Path, required=True, help="the program keima")
    parser.add_argument("--one-in", type=int, default=4, metavar="K",
                        help="keep one of so many neighbours in a game (default: %(default)s)")
    parser.add_argument("--held-out", type=int, default=16, metavar="N",
                        help="hold out every Nth file of a size, and one at least of a common size (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time (default: %(default)s)")


def run(folder: Path, options: argparse.Namespace) -> None:
    """Write the shards that are not there yet."""
    tasks = [task for task in split(options.positions, options.files, options.held_out)
             if not any(folder.glob(f"*/*/{task[0].stem}"))]
    with ThreadPoolExecutor(options.jobs) as pool:
        done = pool.map(lambda task: shard(folder, *task, options), tasks)
        for _ in tqdm(done, total=len(tasks), desc="shards", disable=None):
            pass


def split(positions: Path, pattern: str, every: int) -> list[tuple[Path, str]]:
    """The files and their part: of each size (the name up to the first dash) the first file, then every
    so many, are held out. More files of a size never move a file from one part to the other. Of the rare
    sizes, with a few small files each, one in so many of all files is held out, by a hash of its name; without any, the first file is."""
    by_size: dict[str, list[Path]] = {}
    parts = []
    for file in sorted(positions.glob(pattern)):
        size = file.stem.partition("-")[0]
        if size.startswith("s") and size not in COMMON:
            parts.append((file, zlib.crc32(file.stem.encode()) % every == 0))
        else:
            by_size.setdefault(size, []).append(file)
    parts += [(file, i % every == 0) for files in by_size.values() for i, file in enumerate(files)]
    is_any = any(is_held_out for _, is_held_out in parts)
    return [(file, HELD_OUT if is_held_out or (i == 0 and not is_any) else TRAIN)
            for i, (file, is_held_out) in enumerate(parts)]


def shard(folder: Path, file: Path, part: str, options: argparse.Namespace) -> None:
    """Write the shard of one file."""
    labels = Labels.read(file)
    rng = np.random.default_rng(zlib.crc32(file.name.encode()))
    rows = labels.thinned(options.one_in, rng)
    globals_, planes = engine.inputs([str(options.engine)], labels.games(rows), labels.size)
    owner_row = labels.owner_row[rows]
    owner = np.zeros((len(rows), labels.owner.shape[1]), np.uint8)
    owner[owner_row >= 0] = labels.owner[owner_row[owner_row >= 0]]
    arrays = {
        "globals": globals_, "planes": planes, "policy_index": labels.policy_index[rows],
        "policy_prob": labels.policy_prob[rows], "win": labels.win[rows], "lead": labels.lead[rows],
        "owner": owner, "owned": owner_row >= 0,
    }
    target = folder / part / str(labels.size) / file.stem
    unfinished = folder / f"{file.stem}.unfinished"
    unfinished.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(unfinished / f"{name}.npy", array)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished.rename(target)
