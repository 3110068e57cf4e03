"""Work on several machines, by Dask's distributed scheduler.

Each machine needs a checkout with the engines, and runs `scripts/cluster worker ADDRESS` in it.
A worker that is lost costs only its running tasks: the scheduler gives them to others.
Nothing here needs the packages of the statistics, so that workers start quickly.
"""

import hashlib
import itertools
import signal
import socket
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import dask
from distributed import Client, Event, KilledWorker, LocalCluster
from distributed.comm import get_address_host_port

from lib.series import Dropped, PoolError, Work

LOCAL = "local"
CONNECT_SECONDS = 10.0
LOSSES_MAX = 3  # workers that one task may lose before it is given up
POLL_SECONDS = 1.0  # between two looks whether the work is dropped


def code_hash(sources: tuple[str, ...]) -> str:
    """Of the scripts that do the work: client and workers have to agree on it."""
    files = [Path(__file__).parent / name for name in sources]
    whole = b"".join(file.read_bytes() if file.exists() else b"" for file in files)
    return hashlib.sha256(whole).hexdigest()


def do_remotely(work: Work, task: Any, code: str, drop: str) -> Any:
    """One task, on a worker. Raises `Dropped` soon after the event named `drop` is set."""
    if code != code_hash(work.sources):
        raise PoolError("a worker runs other scripts than this machine; update its checkout")
    event = Event(drop)
    looked = time.monotonic()

    def is_dropped() -> bool:
        nonlocal looked
        if time.monotonic() - looked < POLL_SECONDS:
            return False
        looked = time.monotonic()
        return event.is_set()

    return work.do(task, is_dropped)


class Cluster:
    """A pool of the threads of all workers, of whatever machines; workers may come and go."""

    def __init__(self, address: str, work: Work, jobs: int):
        """Connect to a scheduler, or start one here with `jobs` worker processes for `local`.

        Raises a `PoolError` if there is none, or if it has no worker.
        """
        self._work = work
        self._code = code_hash(work.sources)
        self._numbers = itertools.count(1)
        self._running: set = set()  # futures of Dask
        self._is_dropping = False
        self._local = start_local(jobs) if address == LOCAL else None
        if not self._local:
            check_address(address)
        try:
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
        """The threads of all workers; without workers one task waits for them."""
        return max(1, sum(self.workers().values()))

    def workers(self) -> dict[str, int]:
        """The workers of the moment by their addresses, with the number of threads."""
        try:
            return self._client.nthreads()
        except OSError as error:
            raise PoolError(f"lost the cluster: {error}") from None

    def start(self, task: Any) -> Future:
        """Begin a task where a thread is free."""
        outcome: Future = Future()
        job = self._client.submit(do_remotely, self._work, task, self._code, self._drop,
                                  key=f"task-{next(self._numbers)}-{self._client.id}")
        self._running.add(job)
        job.add_done_callback(lambda job: self._settle(job, task, outcome))
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
            pass  # it is gone, and all tasks with it

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *_) -> None:
        self.drop()
        self._client.close()
        if self._local:
            self._local.close()

    def _settle(self, job, task: Any, outcome: Future) -> None:
        """Hand on what became of a task."""
        self._running.discard(job)
        if job.status == "finished":
            outcome.set_result(job.result())
        elif self._is_dropping:
            outcome.set_exception(Dropped())
        elif job.status != "error":
            outcome.set_exception(PoolError("lost the cluster: the scheduler is gone"))
        elif isinstance(error := job.exception(), KilledWorker):
            outcome.set_result(self._work.lost(task, LOSSES_MAX + 1))
        elif isinstance(error, ImportError):
            outcome.set_exception(PoolError(f"a worker lacks what the work needs ({error}); "
                                            "update its checkout"))
        else:
            outcome.set_exception(error)


def check_address(address: str) -> None:
    """See that somebody listens there: Dask itself takes half a minute. Raises a `PoolError`."""
    try:
        socket.create_connection(get_address_host_port(address), CONNECT_SECONDS).close()
    except (OSError, ValueError) as error:
        raise PoolError(f"no cluster at {address}: {error}") from None


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
