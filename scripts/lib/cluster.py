"""Games on several machines, by Dask's distributed scheduler.

Each machine needs a checkout with the engines, and runs `scripts/cluster worker ADDRESS` in it.
A worker that is lost costs only its running games: the scheduler gives them to others.
Nothing here needs the packages of the statistics, so that workers start quickly.
"""

import hashlib
import signal
import socket
import time
from concurrent.futures import Future
from pathlib import Path

import dask
from distributed import Client, Event, KilledWorker, LocalCluster
from distributed.comm import get_address_host_port

from lib.game import Dropped, Pairing, Record, Settings, play_game
from lib.series import PoolError

LOCAL = "local"
CONNECT_SECONDS = 10.0
LOSSES_MAX = 3  # workers that one game may lose before it is given up
POLL_SECONDS = 1.0  # between two looks whether games are dropped


def code_hash() -> str:
    """Of the scripts that play a game: client and workers have to agree on it."""
    folder = Path(__file__).parent
    sources = [(folder / name).read_bytes() for name in ("clock.py", "cpu.py", "game.py", "gtp.py")]
    return hashlib.sha256(b"".join(sources)).hexdigest()


def play_remotely(pairing: Pairing, settings: Settings, code: str, drop: str) -> Record:
    """One game, on a worker. Raises `Dropped` soon after the event named `drop` is set."""
    if code != code_hash():
        raise PoolError("a worker runs other scripts than this machine; update its checkout")
    event = Event(drop)
    looked = time.monotonic()

    def is_dropped() -> bool:
        nonlocal looked
        if time.monotonic() - looked < POLL_SECONDS:
            return False
        looked = time.monotonic()
        return event.is_set()

    return play_game(pairing, settings, is_dropped)


class Cluster:
    """A pool of the threads of all workers, of whatever machines; workers may come and go."""

    def __init__(self, address: str, settings: Settings, jobs: int):
        """Connect to a scheduler, or start one here with `jobs` worker processes for `local`.

        Raises a `PoolError` if there is none, or if it has no worker.
        """
        self._settings = settings
        self._running: set = set()  # futures of Dask
        self._is_dropping = False
        self._local = start_local(jobs) if address == LOCAL else None
        try:
            if not self._local:  # Dask itself takes half a minute to find out
                socket.create_connection(get_address_host_port(address), CONNECT_SECONDS).close()
            self._client = Client(self._local or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise PoolError(f"no cluster at {address}: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            self._client.close()
            raise PoolError(f"the cluster at {address} has no worker") from None
        self._drop = f"drop-{self._client.id}"
        self._event = Event(self._drop, client=self._client)

    def slots(self) -> int:
        """The threads of all workers; without workers one game waits for them."""
        return max(1, sum(self.workers().values()))

    def workers(self) -> dict[str, int]:
        """The workers of the moment by their addresses, with the number of threads."""
        try:
            return self._client.nthreads()
        except OSError as error:
            raise PoolError(f"lost the cluster: {error}") from None

    def start(self, pairing: Pairing) -> Future:
        """Begin a game where a thread is free."""
        outcome: Future = Future()
        task = self._client.submit(play_remotely, pairing, self._settings, code_hash(), self._drop,
                                   key=f"game-{pairing.number}-{self._client.id}")
        self._running.add(task)
        task.add_done_callback(lambda task: self._settle(task, pairing, outcome))
        return outcome

    def drop(self) -> None:
        """Tell the workers, and do not wait for them."""
        if self._is_dropping:
            return
        self._is_dropping = True
        try:
            self._event.set()
            self._client.cancel(list(self._running), force=True)
        except (OSError, TimeoutError):
            pass  # it is gone, and all games with it

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_) -> None:
        self.drop()
        self._client.close()
        if self._local:
            self._local.close()

    def _settle(self, task, pairing: Pairing, outcome: Future) -> None:
        """Hand on what became of a task."""
        self._running.discard(task)
        if task.status == "finished":
            outcome.set_result(task.result())
        elif self._is_dropping:
            outcome.set_exception(Dropped())
        elif task.status != "error":
            outcome.set_exception(PoolError("lost the cluster: the scheduler is gone"))
        elif isinstance(error := task.exception(), KilledWorker):
            outcome.set_result(Record(pairing.number, pairing.black.name, pairing.white.name,
                                      reason=f"worker lost: {LOSSES_MAX + 1} times with this game"))
        else:
            outcome.set_exception(error)


def start_local(jobs: int) -> LocalCluster:
    """A scheduler and `jobs` worker processes of one thread on this machine."""
    dask.config.set({"distributed.scheduler.allowed-failures": LOSSES_MAX})
    # A terminal's Ctrl-C goes to all processes, but what it means is for this one to say.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(n_workers=jobs, threads_per_worker=1, memory_limit=0,
                            dashboard_address=None, silence_logs="ERROR")
    finally:
        signal.signal(signal.SIGINT, before)
