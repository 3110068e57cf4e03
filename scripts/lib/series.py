"""Does work piece by piece, several at a time, and knows how to end early.

A piece is a game of a match or a tuning, or a batch of self-play. Where it is done is a `Pool`'s
matter: threads of this process, or a cluster (lib/cluster.py).
"""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol

WAKE_SECONDS = 0.5  # between two looks at interrupts and free slots


class PoolError(Exception):
    """The place where work is done is of no use; the text says why, to a person."""


class Dropped(Exception):
    """The work was given up from outside; there is no result."""


class Work(Protocol):
    """What is done with each task. It and the tasks are plain data: they travel to other machines."""

    sources: tuple[str, ...]  # the files below lib that do it: all machines need the same ones

    def do(self, task: Any, is_dropped: Callable[[], bool]) -> Any:
        """The result. Raises `Dropped` soon after `is_dropped` says so."""

    def lost(self, task: Any, count: int) -> Any:
        """The result of a task that is given up since so many workers were lost with it."""


class Pool(AbstractContextManager, Protocol):
    """A place where work is done; leaving it ends it all."""

    def slots(self) -> int:
        """How many tasks may be under way now, at least 1."""

    def start(self, task: Any) -> Future:
        """Begin a task. The future holds its result, or raises `Dropped`."""

    def drop(self) -> None:
        """Tasks under way end soon, without a result; the pool is of no use any more."""


class Threads:
    """A pool in this process. Engines are processes of their own, so threads are enough."""

    def __init__(self, work: Work, jobs: int):
        self._work = work
        self._jobs = jobs
        self._executor = ThreadPoolExecutor(jobs)
        self._is_dropping = False

    def slots(self) -> int:
        return self._jobs

    def start(self, task: Any) -> Future:
        return self._executor.submit(self._work.do, task, lambda: self._is_dropping)

    def drop(self) -> None:
        self._is_dropping = True

    def __enter__(self) -> "Threads":
        return self

    def __exit__(self, *_) -> None:
        self.drop()
        self._executor.shutdown()


def add_flags(add: Callable, jobs_help: str) -> None:
    """The flags of a program that say where it works; `add` is a parser's `add_argument`."""
    add("--jobs", metavar="N", type=positive, default=1, help=f"{jobs_help}; default: 1")
    add("--cluster", metavar="ADDRESS",
        help="work on the workers of this Dask scheduler (scripts/cluster); `local`: start one "
             "here, with --jobs workers")


def positive(text: str) -> int:
    """A number of the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no positive number")
    return int(text)


def open_pool(work: Work, jobs: int, cluster: str | None) -> Pool:
    """The place that the flags ask for. Raises a `PoolError`."""
    if not cluster:
        return Threads(work, jobs)
    # Dask takes a second to load, so only where it is wanted.
    from lib.cluster import Cluster  # pylint: disable=import-outside-toplevel

    return Cluster(cluster, work, jobs)


class Series:
    """Does tasks in a pool.

    An interrupt starts no more of them but finishes those under way; a second one drops these.
    """

    def __init__(self, pool: Pool, tasks_name: str = "games"):
        """`tasks_name` is a word for people."""
        self._pool = pool
        self._tasks_name = tasks_name
        self._interrupts = 0  # a plain number: a lock would be no good in a signal handler

    def interrupt(self) -> str:
        """Begin to end, or hurry up with it; says what happens now."""
        self._interrupts += 1
        return (f"interrupted: {self._tasks_name} under way are dropped" if self.is_dropping() else
                f"interrupted: {self._tasks_name} under way are finished (again: drop them)")

    def is_dropping(self) -> bool:
        """Nothing goes on."""
        return self._interrupts > 1

    @contextmanager
    def takes_interrupts(self) -> Iterator[None]:
        """Ctrl-C goes to the series."""

        def interrupt(*_) -> None:
            os.write(sys.stderr.fileno(), f"\n{self.interrupt()}\n".encode())  # print may be busy
            if self.is_dropping():
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # the third one means it

        before = signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def results(self, tasks: Iterable) -> Iterator:
        """The results in the order in which the tasks end."""
        todo = iter(tasks)
        running: set[Future] = set()
        try:
            while True:
                while not self._interrupts and len(running) < self._pool.slots():
                    task = next(todo, None)
                    if task is None:
                        break
                    running.add(self._pool.start(task))
                if not running:
                    return
                if self.is_dropping():
                    self._pool.drop()
                done, running = wait(running, WAKE_SECONDS, FIRST_COMPLETED)
                for future in done:
                    try:
                        yield future.result()
                    except (Dropped, CancelledError):
                        pass
        finally:
            if running:
                self._pool.drop()  # the caller has given up, so the rest has no use
