"""What is learned and what is measured."""

import torch
from torch import Tensor
from torch.nn import functional as F

from train.data import Batch
from train.model import Net

POINTS_OF_SCORE = 20.0  # a score output of 1 stands for so many points
MEAN, LEAD = 0, 2  # outputs of the score

# Weights beside the policy's 1.
WIN, LEAD_WEIGHT, MEAN_WEIGHT, OWNER = 1.5, 0.7, 0.2, 0.7


class Answer:
    """A network's outputs for a batch beside what they should be."""

    def __init__(self, net: Net, batch: Batch, bfloat16: bool):
        device = net.stem.weight.device
        self.moves, self.odds, self.win, self.lead, self.owner, globals_, planes = (
            torch.from_numpy(array).to(device)
            for array in (batch.moves, batch.odds, batch.win, batch.lead, batch.owner, batch.globals, batch.planes))
        planes = planes.to(torch.bfloat16 if bfloat16 else torch.float32).permute(0, 3, 1, 2)  # channels last
        with torch.autocast(device.type, torch.bfloat16, enabled=bfloat16):
            self.policy, value, self.score, self.ownership = net(planes, globals_)
        self.win_logit = value[:, 0] - value[:, 1]  # no result is impossible under our rules

    def losses(self) -> dict[str, Tensor]:
        """The parts of the loss, each a mean over the positions that have the label."""
        chosen = F.log_softmax(self.policy, dim=1).gather(1, self.moves)
        win, lead = ~self.win.isnan(), ~self.lead.isnan()
        lead_target = self.lead[lead] / POINTS_OF_SCORE
        owner = ~self.owner.isnan()
        return {
            "policy": -(self.odds * chosen).sum(1).mean(),
            "win": mean(F.binary_cross_entropy_with_logits(self.win_logit[win], self.win[win], reduction="none")),
            "lead": mean(F.huber_loss(self.score[lead, LEAD], lead_target, reduction="none")),
            "mean": mean(F.huber_loss(self.score[lead, MEAN], lead_target, reduction="none")),
            "owner": mean((self.ownership[owner] - self.owner[owner]) ** 2),
        }

    def measures(self) -> dict[str, Tensor]:
        """For people, by position (NaN where there is no label): the policy's Kullback-Leibler divergence
        from the label, whether the first moves agree, errors of win probability and lead, whether the
        winners agree, mean square error of the ownership."""
        logs = F.log_softmax(self.policy, dim=1).gather(1, self.moves)
        win = self.win_logit.sigmoid()
        same = ((win > 0.5) == (self.win > 0.5)).float()
        return {
            "kl": (torch.special.xlogy(self.odds, self.odds) - self.odds * logs).sum(1),
            "top1": (self.policy.argmax(1) == self.moves[:, 0]).float(),
            "win": (win - self.win).abs(),
            "lead": (POINTS_OF_SCORE * self.score[:, LEAD] - self.lead).abs(),
            "winner": torch.where(self.win.isnan(), self.win, same),
            "owner": ((self.ownership - self.owner) ** 2).mean(1),
        }


def total(losses: dict[str, Tensor]) -> Tensor:
    """The sum that is minimized."""
    return (losses["policy"] + WIN * losses["win"] + LEAD_WEIGHT * losses["lead"]
            + MEAN_WEIGHT * losses["mean"] + OWNER * losses["owner"])


def mean(values: Tensor) -> Tensor:
    """The mean, 0 of nothing."""
    return values.sum() / max(1, values.numel())
