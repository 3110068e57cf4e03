"""Games on a cluster of two worker processes here, one of which is killed in the middle."""

import socket
import subprocess
import sys
import threading
import unittest

from lib.cluster import LOCAL, Cluster
from lib.game import Games, Player, Settings
from lib.plan import Plan
from lib.series import PoolError, Series
from lib.testing import FAKE, SCRIPTS, kill_a_worker

SETTINGS = Settings(size=5, komi=7.5, referee=f"{FAKE} --score parity", opening_plies=2)
PLAYERS = tuple(Player(name, f"{FAKE} --seed {{seed}} --fault slow --at 2 --sleep 0.2") for name in "AB")


class Clusters(unittest.TestCase):
    """A scheduler of this process, and one that is not there."""

    def test_a_lost_worker_costs_only_its_running_games(self):
        plan = Plan(PLAYERS, games=6)
        records = []
        killer = threading.Thread(target=kill_a_worker, args=["fake_engine"])
        with Cluster(LOCAL, Games(SETTINGS), jobs=2) as pool:
            self.assertEqual(pool.slots(), 2)
            before = set(pool.workers())
            for record in Series(pool).results(plan.pairings()):
                if not records:
                    killer.start()
                records.append(record)
            killer.join()
            self.assertNotEqual(set(pool.workers()), before)
        self.assertEqual(sorted(record.number for record in records), list(range(1, 7)))
        self.assertEqual({record.reason for record in records}, {""})
        by_number = {record.number: record for record in records}
        for number in range(1, 7, 2):  # the openings of pairs are equal, wherever they are played
            self.assertEqual(by_number[number].moves[:2], by_number[number + 1].moves[:2])

    def test_no_scheduler(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        with self.assertRaisesRegex(PoolError, f"no cluster at {address}: .*refused"):
            Cluster(address, Games(SETTINGS), jobs=1)

    def test_senseless_address(self):
        with self.assertRaisesRegex(PoolError, "no cluster at nowhere"):
            Cluster("nowhere://", Games(SETTINGS), jobs=1)


class Program(unittest.TestCase):
    """scripts/cluster tells in a line what it cannot do."""

    def refusal(self, *words: str) -> str:
        """What it says."""
        done = subprocess.run([sys.executable, SCRIPTS / "cluster", *words], capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        return done.stderr

    def test_worker_without_scheduler(self):
        self.assertIn("no cluster at nowhere:x: ", self.refusal("worker", "nowhere:x"))

    def test_port_in_use(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertRegex(self.refusal("scheduler", "--port", str(port)),
                             f"cannot listen at 127.0.0.1:{port}: .*in use")


if __name__ == "__main__":
    unittest.main()
