"""Plays the games of a plan, several at a time, and knows how to end early.

Where the games are played is a `Pool`'s matter: threads of this process, or a cluster
(lib/cluster.py).
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from typing import Protocol

from lib.game import Dropped, Pairing, Record, Settings, play_game

WAKE_SECONDS = 0.5  # between two looks at interrupts and free slots


class PoolError(Exception):
    """The place where games are played is of no use; the text says why, to a person."""


class Pool(AbstractContextManager, Protocol):
    """A place where games are played; leaving it ends them all."""

    def slots(self) -> int:
        """How many games may be under way now, at least 1."""

    def start(self, pairing: Pairing) -> Future:
        """Begin a game. The future holds its `Record`, or raises `Dropped`."""

    def drop(self) -> None:
        """Games under way end soon, without a record."""


class Threads:
    """A pool in this process. Engines are processes of their own, so threads are enough."""

    def __init__(self, settings: Settings, jobs: int):
        self._settings = settings
        self._jobs = jobs
        self._executor = ThreadPoolExecutor(jobs)
        self._is_dropping = False

    def slots(self) -> int:
        return self._jobs

    def start(self, pairing: Pairing) -> Future:
        return self._executor.submit(play_game, pairing, self._settings, lambda: self._is_dropping)

    def drop(self) -> None:
        self._is_dropping = True

    def __enter__(self) -> "Threads":
        return self

    def __exit__(self, *_) -> None:
        self.drop()
        self._executor.shutdown()


class Series:
    """Plays games in a pool.

    An interrupt starts no more games but plays out those under way; a second one drops these.
    """

    def __init__(self, pool: Pool):
        self._pool = pool
        self._interrupts = 0  # a plain number: a lock would be no good in a signal handler

    def interrupt(self) -> str:
        """Begin to end, or hurry up with it; says what happens now."""
        self._interrupts += 1
        return ("interrupted: games under way are dropped" if self.is_dropping() else
                "interrupted: games under way are played out (again: drop them)")

    def is_dropping(self) -> bool:
        """No game goes on."""
        return self._interrupts > 1

    def play(self, pairings: Iterable[Pairing]) -> Iterator[Record]:
        """The games in the order in which they end."""
        todo = iter(pairings)
        running: set[Future] = set()
        try:
            while True:
                while not self._interrupts and len(running) < self._pool.slots():
                    pairing = next(todo, None)
                    if pairing is None:
                        break
                    running.add(self._pool.start(pairing))
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
            self._pool.drop()  # where the caller gave up, the rest has no use
