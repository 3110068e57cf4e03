import argparse
import json
import tempfile
import unittest
from pathlib import Path

try:
    import torch
    from safetensors import safe_open
except ImportError as error:
    raise unittest.SkipTest("torch is missing: scripts/train/train test") from error

import numpy as np

from train import check, data, export, fakes, fit, model, prepare, winograd
from train.boards import GLOBALS, PLANES, Size
from train.engine import Game
from train.forward import forward


def trained(architecture: str) -> model.Net:
    """A net whose norms have seen something."""
    torch.manual_seed(0)
    net = model.Net(architecture)
    for module in net.modules():
        if isinstance(module, model.Norm):
            torch.nn.init.uniform_(module.scale, 0.5, 1.5)
            torch.nn.init.normal_(module.bias, std=0.3)
            torch.nn.init.normal_(module.mean, std=0.3)
            torch.nn.init.uniform_(module.variance, 0.5, 1.5)
    return net.eval()


def inputs(size: Size, count: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs at random."""
    planes = (torch.rand(count, PLANES, size.height, size.width) < 0.3).float()
    return planes, torch.randn(count, GLOBALS)


class Export(unittest.TestCase):
    @torch.no_grad()
    def test_numpy_gives_what_torch_gives(self) -> None:
        for architecture in ["b2c32", "b4c48", "b3c64"]:
            net = trained(architecture)
            tensors = export.weights(net)
            for size in [Size(5, 5), Size(9, 9), Size(7, 5), Size(9, 13), Size(19, 19)]:
                planes, globals_ = inputs(size)
                seen: list[torch.Tensor] = []
                outputs = net(planes, globals_, seen)
                for i in range(len(planes)):
                    ranges: list[np.ndarray] = []
                    plain = forward(tensors, planes[i].permute(1, 2, 0).numpy(), globals_[i].numpy(), ranges)
                    for ours, theirs in zip(plain.values(), outputs):
                        np.testing.assert_allclose(ours, theirs[i].numpy(), rtol=1e-4, atol=1e-4)
                    for ours, theirs in zip(ranges, seen, strict=True):
                        np.testing.assert_allclose(ours, theirs[i].amax((1, 2)).numpy(), rtol=1e-4, atol=1e-4)

    def test_names_and_shapes(self) -> None:
        tensors = export.weights(model.Net("b2c64"))
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        self.assertEqual(shapes["stem.weight"], (3, 3, 22, 64))
        self.assertEqual(shapes["stem_bias.weight"], (19, 64))
        self.assertEqual(shapes["blocks.0.first.weight"], (3, 3, 64, 64))
        self.assertEqual(shapes["blocks.1.first.weight"], (3, 3, 64, 48))
        self.assertEqual(shapes["blocks.1.pooled.weight"], (3, 3, 64, 16))
        self.assertEqual(shapes["blocks.1.pooled_bias.weight"], (48, 48))
        self.assertEqual(shapes["blocks.1.second.weight"], (3, 3, 48, 64))
        self.assertEqual(shapes["policy.points.weight"], (1, 1, 64, 32))
        self.assertEqual(shapes["policy.pass.weight"], (96, 1))
        self.assertEqual(shapes["value.hidden.weight"], (96, 64))
        self.assertEqual(shapes["value.score.bias"], (4,))
        names = """stem.weight stem_bias.weight norm.scale norm.bias policy.points.weight policy.pooled.weight
            policy.pooled_norm.scale policy.pooled_norm.bias policy.pooled_bias.weight policy.norm.scale
            policy.norm.bias policy.logits.weight policy.pass.weight value.points.weight value.norm.scale
            value.norm.bias value.hidden.weight value.hidden.bias value.value.weight value.value.bias
            value.score.weight value.score.bias value.ownership.weight""".split()
        for i in range(2):
            parts = ["before.scale", "before.bias", "first.weight", "between.scale", "between.bias", "second.weight"]
            if i == 1:
                parts += ["pooled.weight", "pooled_norm.scale", "pooled_norm.bias", "pooled_bias.weight"]
            names += [f"blocks.{i}.{part}" for part in parts]
        self.assertEqual(sorted(shapes), sorted(names))

    def test_digest(self) -> None:
        tensors = {"b": np.float32([[1, 2]]), "a": np.float16([3])}
        text = (b"a\0" + (1).to_bytes(8, "little") + np.float16(3).tobytes()
                + b"b\0" + (1).to_bytes(8, "little") + (2).to_bytes(8, "little") + np.float32([1, 2]).tobytes())
        self.assertEqual(export.digest(tensors), export.hashlib.sha256(text).hexdigest())


class Norm(unittest.TestCase):
    def test_renorm_within_its_limits_is_the_norm_that_is_exported(self) -> None:
        for bfloat16, tolerance in [(False, 1e-4), (True, 0.05)]:
            norm = model.Norm(8)
            torch.nn.init.normal_(norm.bias)
            norm.mean.uniform_(-1, 1)
            norm.variance.uniform_(0.5, 2)
            x = torch.randn(16, 8, 5, 5).to(memory_format=torch.channels_last) * 1.2 + 0.5
            scale, bias = norm.folded()
            wanted = (x * scale[:, None, None] + bias[:, None, None]).relu()
            norm.ratio_max, norm.shift_max = 9.0, 9.0
            ours = norm(x.bfloat16() if bfloat16 else x)
            torch.testing.assert_close(ours.float(), wanted, atol=tolerance, rtol=tolerance)

    def test_statistics(self) -> None:
        x = torch.randn(16, 8, 5, 7) * 3 + 1
        variance, mean = torch.var_mean(x, (0, 2, 3), correction=0)
        torch.testing.assert_close(model.statistics(x), (mean, variance))


class Winograd(unittest.TestCase):
    def gradients(self, convolve, size: tuple[int, int], inputs: int, outputs: int) -> list[torch.Tensor]:
        """Outputs of a convolution, and gradients of inputs and weights."""
        generator = torch.Generator().manual_seed(1)
        draw = lambda *shape: torch.randn(shape, generator=generator).to(memory_format=torch.channels_last)
        x, weight = draw(7, inputs, *size).requires_grad_(), draw(outputs, inputs, 3, 3).requires_grad_()
        y = convolve(x, weight)
        y.backward(draw(*y.shape))
        return [y.detach(), x.grad, weight.grad]

    def test_it_is_the_convolution_of_torch(self) -> None:
        if not winograd.libraries():
            self.skipTest("there is no C compiler")
        threads = torch.get_num_threads()
        cases = [((2, 2), 16, 16), ((9, 9), 16, 48), ((13, 13), 48, 16), ((19, 19), 32, 64), ((5, 12), 64, 32)]
        self.assertEqual({winograd.cheapest_tile(*size) for size, _, _ in cases}, {3, 4})
        for case in cases:
            expected = self.gradients(lambda x, w: torch.nn.functional.conv2d(x, w, padding=1), *case)
            for count in (1, 3):
                torch.set_num_threads(count)
                found = self.gradients(winograd.convolve, *case)
                torch.set_num_threads(threads)
                for ours, theirs in zip(found, expected):
                    self.assertEqual(ours.shape, theirs.shape)
                    self.assertLess((ours - theirs).abs().max(), 1e-4 * theirs.abs().max(), case)

    def test_what_it_leaves_to_torch(self) -> None:
        images, weight = torch.ones(1, 22, 5, 5), torch.ones(16, 22, 3, 3)
        self.assertIsNone(winograd.convolve(images, weight))
        self.assertIsNone(winograd.convolve(images.double(), weight.double()))


class Fit(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.sizes = [Size(5, 5), Size(6, 4)]
        self.options = fakes.prepared(self.folder, self.sizes)
        self.shards = self.folder / "shards"
        prepare.run(self.shards, self.options)

    def fit_options(self) -> argparse.Namespace:
        parser = argparse.ArgumentParser()
        fit.add_arguments(parser)
        return parser.parse_args(["b2c32", "--stage", "80:5=1", "--stage", "80:5=1,other=1", "--batch", "8",
                                  "--evaluate-samples", "40", "--precision", "f32", "--threads", "1", "--device", "cpu"])

    def test_a_run_that_was_stopped_ends_as_one_that_was_not(self) -> None:
        self.addCleanup(torch.set_num_threads, torch.get_num_threads())
        torch.set_num_threads(1)  # sums depend on it
        whole = fit.Run(self.folder / "whole", self.shards, self.fit_options())
        whole.resume()
        whole.fit()
        for stop in [7, 13]:
            parts = fit.Run(self.folder / "parts", self.shards, self.fit_options())
            parts.resume()
            learn = parts._learn

            def until(batch: data.Batch, run: fit.Run = parts, stop: int = stop) -> dict[str, torch.Tensor]:
                run.interrupted = run.step + 1 == stop
                return learn(batch)

            parts._learn = until
            with self.assertRaises(SystemExit):
                parts.fit()
        fit.run(self.folder / "parts", self.shards, self.fit_options())
        first, second = fit.load(self.folder / "whole"), fit.load(self.folder / "parts")
        for part in ["net", "average"]:
            for name, tensor in first[part].items():
                self.assertTrue(torch.equal(tensor, second[part][name]), name)
        self.assertEqual(second["step"], 20)
        logs = [[json.loads(line) for line in (self.folder / run / "log.jsonl").read_text().splitlines()]
                for run in ["whole", "parts"]]
        for a, b in zip(*logs, strict=True):
            self.assertEqual({**a, "seconds": 0}, {**b, "seconds": 0})

    def test_the_command_names_no_place(self) -> None:
        arguments = ["all", "RUN", "--out", "/some where", "--half", "--threads=2", "--name", "a b"]
        self.assertEqual(fit.command(arguments), "scripts/train/train all RUN --half --name 'a b'")
        self.assertEqual(fit.command(["fit", "--out"]), "scripts/train/train fit")

    def test_export(self) -> None:
        fit.run(self.folder / "run", self.shards, self.fit_options())
        for half in [False, True]:
            options = argparse.Namespace(out=self.folder, name="net", trained_on="Nothing.", half=half,
                                         positions=self.folder, engine=self.options.engine)
            export.run(self.folder / "run", self.shards, options)
            with safe_open(self.folder / "net.safetensors", "numpy") as file:
                metadata, tensors = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}
            self.assertEqual(metadata["sha256"], export.digest(tensors))
            self.assertEqual(metadata["architecture"], "b2c32")
            self.assertEqual(tensors["stem.weight"].dtype, np.float16 if half else np.float32)
            self.assertEqual([len(tensors[f"ranges.{k}"]) for k in range(4)], [32, 32, 32, 16])
            lines = [json.loads(line) for line in (self.folder / "net.check.jsonl").read_text().splitlines()]
            for line in lines:
                self.assertAlmostEqual(sum(p or 0 for p in line["policy"]) + line["policy_pass"], 1, places=4)


class Check(unittest.TestCase):
    def test_legal_moves(self) -> None:
        # Own stones are X: B2 and A1 are suicide, D1 takes a stone.
        planes = np.zeros((PLANES, 3, 4), np.uint8)
        rows = ["XXXO",
                "O.XO",
                ".OO."]
        liberties = {(0, 0): 1, (0, 1): 1, (0, 2): 1, (1, 2): 1, (0, 3): 1, (1, 3): 1, (1, 0): 2, (2, 1): 3, (2, 2): 3}
        for y, row in enumerate(rows):
            for x, stone in enumerate(row):
                planes[1 if stone == "X" else 2, y, x] = stone != "."
                if stone != "." and liberties[y, x] <= 3:
                    planes[2 + liberties[y, x], y, x] = 1
        self.assertEqual(np.argwhere(check.legal(planes)).tolist(), [[2, 3]])
        planes[6, 2, 3] = 1
        self.assertFalse(check.legal(planes).any())

    def test_vertices(self) -> None:
        size = Size(19, 9)
        vertices = [check.vertex(p, size) for p in [0, 18, 8, 170, size.points]]
        self.assertEqual(vertices, ["A9", "T9", "J9", "T1", "pass"])

    def test_scattered_stones(self) -> None:
        game = check.scattered(Size(7, 5), 1)
        self.assertIsInstance(game, Game)
        self.assertEqual(len(set(game.moves)), len(game.moves))
