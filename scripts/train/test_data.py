import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
except ImportError as error:
    raise unittest.SkipTest("numpy is missing: scripts/train/train test") from error

from train import data, fakes, prepare
from train.boards import PLANES, Size, symmetries
from train.labels import Labels


class Symmetries(unittest.TestCase):
    def test_each_is_a_permutation_with_its_inverse(self) -> None:
        for size in [Size(4, 4), Size(5, 3)]:
            sources, targets = symmetries(size)
            for source, target in zip(sources, targets):
                self.assertEqual(sorted(source), list(range(size.points + 1)))
                self.assertTrue((source[target] == np.arange(size.points + 1)).all())
                self.assertEqual(source[-1], size.points)
        self.assertEqual(len(np.unique(symmetries(Size(4, 4))[0], axis=0)), 8)
        self.assertEqual(len(np.unique(symmetries(Size(5, 3))[0], axis=0)), 4)

    def test_the_numbers_mean_what_they_say(self) -> None:
        _, targets = symmetries(Size(3, 3))
        corner_and_side = [target[[0, 1]].tolist() for target in targets]  # top left, top middle
        self.assertEqual(corner_and_side, [[0, 1], [6, 7], [2, 1], [8, 7], [0, 3], [2, 5], [6, 3], [8, 5]])

    def test_planes_policy_and_ownership_turn_together(self) -> None:
        for size in [Size(5, 5), Size(4, 6)]:
            n = 8
            moves = np.arange(n)[:, None] * 2
            planes = np.zeros((n, size.points, PLANES), np.uint8)
            owner = np.zeros((n, size.points), np.float32)
            planes[np.arange(n), moves[:, 0], 7] = owner[np.arange(n), moves[:, 0]] = 1
            nothing = np.zeros((n, 19), np.float32)
            batch = data.Batch(size, planes.reshape(n, size.height, size.width, PLANES), nothing,
                               np.append(moves, np.full((n, 1), size.points), axis=1),
                               nothing[:, :2], nothing[:, 0], nothing[:, 0], owner)
            turned = batch.turned(np.arange(n))
            where = turned.planes.reshape(n, size.points, PLANES)[:, :, 7].argmax(1)
            self.assertTrue((where == turned.moves[:, 0]).all())
            self.assertTrue((where == turned.owner.argmax(1)).all())
            self.assertTrue((turned.moves[:, 1] == size.points).all())
            self.assertTrue((where != moves[:, 0]).any())


class Prepare(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_round_trip(self) -> None:
        sizes = [Size(5, 5), Size(6, 4)]
        options = fakes.prepared(self.folder, sizes)
        shards = self.folder / "shards"
        prepare.run(shards, options)
        prepare.run(shards, options)  # nothing left to do
        for part, number in [(prepare.HELD_OUT, 0), (prepare.TRAIN, 1)]:
            pools = data.pools(shards, part)
            self.assertEqual(sorted(pools), sorted(sizes))
            for size, pool in pools.items():
                self.check(pool, np.load(self.folder / f"t{size}-{number}.npz"))

    def check(self, pool: data.Pool, raw: dict) -> None:
        """Each position of the pool against the raw file; it is found by its stored moves."""
        batch = pool.rows(np.arange(len(pool))[::-1])
        index = raw["policy_index"].tolist()
        starts = raw["game_start"].astype(int)
        owned = raw["own_pos"].tolist()
        self.assertGreater(len(pool), len(index) // 4)
        for i, moves in enumerate(batch.moves.tolist()):
            row = index.index(moves)
            game = np.searchsorted(starts, row, side="right") - 1
            played = raw["move"][starts[game] : row].tolist()
            white = len(played) % 2
            points = batch.size.points
            planes = batch.planes[i].reshape(points, PLANES)
            self.assertTrue(planes[:, 0].all())
            for plane, first in [(1, white), (2, 1 - white)]:
                self.assertEqual(set(np.flatnonzero(planes[:, plane])), set(played[first::2]) - {points})
            sign = 1 if white else -1
            self.assertAlmostEqual(batch.globals[i][5], sign * raw["komi_half"][game] / 40, places=6)
            white_win = raw["white_win"][row] / 65535
            self.assertAlmostEqual(batch.win[i], white_win if white else 1 - white_win, places=6)
            self.assertEqual(batch.lead[i], sign * raw["white_lead8"][row] / 8)
            self.assertAlmostEqual(batch.odds[i].sum(), 1, places=5)
            if row in owned:
                packed = raw["own4"][owned.index(row)]
                values = [int(packed[p // 2]) >> (4 if p % 2 else 0) & 15 for p in range(points)]
                np.testing.assert_allclose(batch.owner[i], sign * (np.array(values) / 7.5 - 1), atol=1e-6)
            else:
                self.assertTrue(np.isnan(batch.owner[i]).all())

    def test_files_of_selfplay(self) -> None:
        file = self.folder / "s6x4-1-000.npz"
        fakes.played(file, Size(6, 4), 5, 2)
        raw = np.load(file)
        labels = Labels.read(file)
        rows = raw["position"].astype(int)
        self.assertEqual(labels.size, Size(6, 4))
        self.assertEqual(np.flatnonzero(labels.labelled).tolist(), rows.tolist())
        np.testing.assert_array_equal(labels.policy_index[rows], raw["policy_index"])
        turns = rows - raw["game_start"][np.searchsorted(raw["game_start"], rows, side="right") - 1]
        white = turns % 2 == 1
        win, lead = raw["white_win"] / 65535, raw["white_lead8"] / 8
        np.testing.assert_allclose(labels.win[rows], np.where(white, win, 1 - win), atol=1e-6)
        np.testing.assert_allclose(labels.lead[rows], np.where(white, lead, -lead))
        self.assertTrue(np.isnan(np.delete(labels.win, rows)).all())
        own4 = np.where(white[:, None], raw["own4"], 255 - raw["own4"])
        np.testing.assert_array_equal(labels.owner[labels.owner_row[rows]], own4)
        self.assertTrue((np.delete(labels.owner_row, rows) == -1).all())
        for one_in in [1, 4, 8]:
            chosen = labels.thinned(one_in, np.random.default_rng(0))
            self.assertTrue(labels.labelled[chosen].all())
            self.assertLessEqual(abs(len(chosen) - len(rows) * min(1, 4 / one_in)), 5)

    def test_rare_sizes_are_held_out_together(self) -> None:
        names = [f"s{w}x{h}-{seed}-000" for w in range(5, 9) for h in range(5, 20) for seed in (1, 2)]
        for name in [*names, "s9x9-1-000", "s9x9-1-001", "s19x19-1-000"]:
            (self.folder / f"{name}.npz").touch()
        parts = {file.stem: part for file, part in prepare.split(self.folder, "*.npz", 16)}
        self.assertEqual([parts[name] for name in ["s9x9-1-000", "s9x9-1-001", "s19x19-1-000"]],
                         [prepare.HELD_OUT, prepare.TRAIN, prepare.HELD_OUT])
        self.assertEqual(len(parts), len(names) + 3)
        held_out = sum(parts[name] == prepare.HELD_OUT for name in names)
        self.assertTrue(2 <= held_out <= 16, held_out)
        (self.folder / "s5x5-0-000.npz").touch()
        self.assertLessEqual(parts.items(), dict(
            (file.stem, part) for file, part in prepare.split(self.folder, "*.npz", 16)).items())

    def test_positions_with_ownership_come_first(self) -> None:
        file = self.folder / "a.npz"
        fakes.labelled(file, Size(9, 9), 10, 0)
        labels = Labels.read(file)
        rows = labels.thinned(4, np.random.default_rng(0))
        self.assertTrue((np.diff(rows) > 0).all())
        self.assertGreater((labels.owner_row[rows] >= 0).mean(), 0.9)


class Schedule(unittest.TestCase):
    def test_shares_epochs_and_memory(self) -> None:
        stages = [data.Stage.parse("2k:9=1"), data.Stage.parse("4k:9=1,13=2,other=1")]
        sizes = {Size(9, 9): 100, Size(13, 13): 70, Size(5, 5): 30}
        schedule = data.Schedule(sizes, stages, 10, seed=1)
        self.assertEqual(len(schedule), 600)
        steps = [schedule.step(i) for i in range(600)]
        self.assertTrue(all(size == Size(9, 9) for size, _, _ in steps[:200]))
        counts = {size: sum(s == size for s, _, _ in steps[200:]) for size in sizes}
        self.assertAlmostEqual(counts[Size(13, 13)], 200, delta=40)
        self.assertAlmostEqual(counts[Size(5, 5)], 100, delta=40)
        first_pass = np.concatenate([rows for _, rows, _ in steps[:10]])
        self.assertEqual(sorted(first_pass), list(range(100)))
        again = data.Schedule(sizes, stages, 10, seed=1)
        for step in [599, 3]:
            for old, new in zip(steps[step], again.step(step)):
                self.assertTrue(np.all(old == new))

    def test_an_error_of_the_thread_is_raised(self) -> None:
        def fail(step: int) -> data.Batch:
            raise ValueError(step)

        with self.assertRaises(ValueError):
            list(data.ahead(fail, range(3)))
