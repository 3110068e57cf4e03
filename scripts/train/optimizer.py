"""What turns gradients into new weights: Muon for the convolutions of the blocks, AdamW for the rest.

Muon (K. Jordan 2024) makes the momentum of a matrix orthogonal before it is added. A convolution is the matrix
of its outputs and all that goes into one. Its steps are made as large as those of AdamW (J. Liu et al. 2025),
so that both have one learning rate.
"""

from typing import Any

import torch
from torch import Tensor, nn

from train.model import Net

NAMES = ("muon", "adamw")


class Optimizer:
    """Both, with one interface."""

    def __init__(self, net: Net, name: str, decay: float):
        convs = [module.weight for module in net.blocks.modules() if isinstance(module, nn.Conv2d)]
        self.convs = convs if name == "muon" else []
        # The same memory, seen as matrices: the weights are kept with the channels last.
        self.matrices = [nn.Parameter(matrix(weight.data)) for weight in self.convs]
        taken = set(map(id, self.convs))
        self.rest = [weight for weight in net.parameters() if id(weight) not in taken]
        self.parts: list[torch.optim.Optimizer] = [torch.optim.AdamW([
            {"params": [w for w in self.rest if w.ndim > 1], "weight_decay": decay},
            {"params": [w for w in self.rest if w.ndim == 1], "weight_decay": 0.0},
        ])]
        if self.convs:
            self.parts.append(torch.optim.Muon(
                self.matrices, weight_decay=decay, adjust_lr_fn="match_rms_adamw"))

    def step(self, rate: float) -> None:
        """Change the weights by the gradients that they have, and forget those."""
        for weight, part in zip(self.convs, self.matrices):
            part.grad = matrix(weight.grad)
        for part in self.parts:
            for group in part.param_groups:
                group["lr"] = rate
            part.step()
        for weight in self.convs + self.matrices + self.rest:
            weight.grad = None

    def state_dict(self) -> list[dict[str, Any]]:
        """For `load_state_dict`."""
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        """Go on from there."""
        for part, state in zip(self.parts, states, strict=True):
            part.load_state_dict(state)


def matrix(weight: Tensor) -> Tensor:
    """The weights of a convolution, an output a row; a view of those with the channels last."""
    return weight.permute(0, 2, 3, 1).reshape(len(weight), -1)
