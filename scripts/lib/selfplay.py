"""Make positions that networks learn from, in batches of `keima selfplay`, here or on a cluster.

    scripts/selfplay --positions 1000000 --jobs 2 --out positions
    scripts/selfplay --positions 1000000 --cluster tcp://HOST:8786 --out /shared/positions \\
        -- --net teacher.safetensors --sizes 9=1

Each batch is a run of its own with its own seed; what follows `--` is told to all of them. Its files
come into --out when it is finished, with the seed in their names. Finished batches are in
--out/log.jsonl: after a kill the same command goes on, and with more --positions it makes more.

On a cluster each worker writes into --out as its machine knows it (from its checkout, if that is no
absolute path): a folder that all machines share, or one on each; the log tells who made what. A
worker that is lost costs only its running batches.

Ctrl-C begins no more batches and finishes those under way; a second one drops them.
"""

import argparse
import ctypes
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from tqdm import tqdm

from lib import files
from lib.files import FileError
from lib.log import Log, LogError
from lib.plan import seed_number
from lib.series import Dropped, PoolError, Series, add_flags, open_pool, positive

POLL_SECONDS = 0.2  # between two looks whether a batch is dropped
UNFINISHED = ".batch-"  # begins the names of folders of batches that are being made
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>


class BatchError(Exception):
    """No batch can be made; the text says why, to a person."""


@dataclass(frozen=True)
class Batch:
    """What differs between the batches."""

    number: int  # from 1
    seed: int


@dataclass(frozen=True)
class Made:
    """A finished batch."""

    batch: int
    seed: int
    files: list[str]
    machine: str
    seconds: float


@dataclass(frozen=True)
class Lost:
    """A batch that was given up, since so many workers were lost with it."""

    batch: int
    workers: int


@dataclass(frozen=True)
class Batches:
    """Batches as pieces of work (`lib.series.Work`)."""

    engine: str
    positions: int  # of a batch
    arguments: tuple[str, ...]
    threads: int
    out: Path

    sources = ("selfplay.py", "series.py")

    def do(self, batch: Batch, is_dropped: Callable[[], bool]) -> Made:
        """Make it in a folder of its own below `out`, then move its files. Raises a `BatchError`."""
        start = time.monotonic()
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=self.out) as folder:
                self._run(["--out", folder, "--seed", str(batch.seed), "--positions", str(self.positions),
                           "--threads", str(self.threads), *self.arguments], is_dropped)
                names = sorted(path.name for path in Path(folder).iterdir())
                for name in names:
                    (Path(folder) / name).replace(self.out / name)
        except OSError as error:
            raise BatchError(f"cannot write {error.filename or self.out}: {error.strerror}") from None
        return Made(batch.number, batch.seed, names, socket.gethostname(),
                    round(time.monotonic() - start, 1))

    def lost(self, batch: Batch, count: int) -> Lost:
        """Another run may have more luck with it."""
        return Lost(batch.number, count)

    def probe(self) -> None:
        """See that there is such an engine: better now than in every batch. Raises a `BatchError`."""
        self._run(["--help"], lambda: False)

    def _run(self, arguments: list[str], is_dropped: Callable[[], bool]) -> None:
        """Run `keima selfplay`. Its end comes with that of this process, even by a kill."""
        with tempfile.TemporaryFile() as log:
            try:
                # A session of its own: Ctrl-C must not end it early, with fewer positions.
                process = subprocess.Popen(
                    [*shlex.split(self.engine), "selfplay", *arguments], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=log, start_new_session=True,
                    preexec_fn=_end_with_parent)
            except (OSError, ValueError) as error:
                raise BatchError(f"cannot start engine `{self.engine}`: {error}") from None
            try:
                while process.poll() is None:
                    if is_dropped():
                        raise Dropped
                    try:
                        process.wait(POLL_SECONDS)
                    except subprocess.TimeoutExpired:
                        pass
            finally:
                process.kill()
                process.wait()
            if process.returncode:
                log.seek(0)
                words = log.read().decode("utf-8", "replace").strip() or "it said nothing"
                raise BatchError(f"`{self.engine} selfplay` failed with status {process.returncode}: "
                                 f"{' '.join(words.split())[:300]}")


def _end_with_parent() -> None:
    if LIBC:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main() -> int:
    """The exit status: 0 where all is made, 1 where some batches are missing, 2 after an error."""
    options = parse_arguments()
    try:
        return run(options)
    except (BatchError, FileError, LogError, PoolError) as error:
        print(error, file=sys.stderr)
        return 2


def parse_arguments() -> argparse.Namespace:
    """The flags, checked."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--positions", metavar="N", type=positive, required=True,
        help="labelled positions to make, rounded up to whole batches")
    add("--batch", metavar="N", type=positive, default=100_000, help="of a batch; default: 100000")
    add("--out", metavar="DIR", type=Path, required=True, help="folder of the files")
    add("--seed", type=int, default=1, help="chooses the seeds of the batches; default: 1")
    add("--threads", metavar="N", type=positive, default=1, help="of each batch; default: 1")
    add("--engine", metavar="CMD", default="target/release/keima", help="default: target/release/keima")
    add_flags(add, "batches at a time")
    add("arguments", metavar="-- FLAG", nargs="*", help="more flags of `keima selfplay`")
    return parser.parse_args()


def run(options: argparse.Namespace) -> int:
    """Make what is not made yet."""
    work = Batches(options.engine, options.batch, tuple(options.arguments), options.threads, options.out)
    files.check_writable(options.out / "log.jsonl")
    work.probe()
    identity = {key: value for key, value in asdict(work).items() if key not in ("threads", "out")}
    count = -(-options.positions // options.batch)
    with Log(options.out / "log.jsonl", "self-play", identity | {"seed": options.seed},
             lambda data: Made(**data)) as log:
        clear(options.out)
        done = {made.batch for made in log.entries}
        todo = [Batch(number, seed_number(options.seed, number)) for number in range(1, count + 1)
                if number not in done]
        if done:
            print(f"{len(done)} batches were in {options.out}", file=sys.stderr)
        made = 0
        if todo:
            with open_pool(work, options.jobs, options.cluster) as pool:
                made = make(todo, Series(pool, "batches"), log, count)
            clear(options.out)
    missing = len(todo) - made
    print(f"{count - missing} of {count} batches of {options.batch} positions are in {options.out}")
    return 1 if missing else 0


def make(todo: list[Batch], series: Series, log: Log, count: int) -> int:
    """Make these batches of `count`; how many came of it."""
    made = 0
    # None: a bar only on a terminal.
    with tqdm(total=count, initial=count - len(todo), unit="batch", disable=None) as bar, \
            series.takes_interrupts(), closing(series.results(todo)) as results:
        for result in results:
            if isinstance(result, Lost):
                bar.write(f"batch {result.batch} is given up: {result.workers} workers were lost with it")
                continue
            log.append(asdict(result))
            made += 1
            bar.write(f"batch {result.batch}: {len(result.files)} files, {result.seconds:.0f} s, "
                      f"by {result.machine}")
            bar.update()
    return made


def clear(folder: Path) -> None:
    """Remove what is left of batches whose worker was killed."""
    for path in folder.glob(f"{UNFINISHED}*"):
        shutil.rmtree(path, ignore_errors=True)
