"""What a match says about its first player: score, interval, effort, reasons.

The interval is Jeffreys' (Brown, Cai and DasGupta 2001: as good as Wilson's on small samples,
and it needs no whole number of wins, so a draw is half a win). It is aware of pairs: both
games of a pair share their opening, so the games are not independent. If the pair sums
scatter more than independent games would, the number of games is scaled down accordingly;
it is never scaled up, which is on the safe side.
"""

import math
from collections import Counter
from dataclasses import dataclass

from scipy.stats import beta

from lib.game import OTHER, Record

CONFIDENCE = 0.95
FAULTS = ("time", "illegal move", "crash", "hang", "garbage", "refusal")  # see lib/game.py


@dataclass(frozen=True)
class Interval:
    """A share of points in 0..=1 with its confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1%} [{self.low:.1%}, {self.high:.1%}]"

    def elo(self) -> str:
        """The same as a difference in Elo."""
        mean, low, high = (elo(share) for share in (self.mean, self.low, self.high))
        return f"{mean:+.0f} [{low:+.0f}, {high:+.0f}]"


def elo(share: float) -> float:
    """Elo difference that explains the share; infinite at its ends."""
    if share in (0.0, 1.0):
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def interval(pairs: list[list[float]]) -> Interval:
    """The mean of all games with its interval; each game scores 0, 0.5 or 1, one list per pair."""
    games = [score for pair in pairs for score in pair]
    if not games:
        return Interval(0.5, 0.0, 1.0)
    points, count = sum(games), len(games)
    mean = points / count
    effective = count / design_effect(pairs, mean)
    wins, losses = mean * effective + 0.5, (1 - mean) * effective + 0.5
    tail = (1 - CONFIDENCE) / 2
    low = 0.0 if points == 0 else float(beta.ppf(tail, wins, losses))
    high = 1.0 if points == count else float(beta.ppf(1 - tail, wins, losses))
    return Interval(mean, low, high)


def design_effect(pairs: list[list[float]], mean: float) -> float:
    """Variance of the sum over the variance that independent games would have, at least 1."""
    independent = sum(len(pair) for pair in pairs) * mean * (1 - mean)
    if independent == 0:
        return 1.0
    observed = sum((sum(pair) - mean * len(pair)) ** 2 for pair in pairs)
    return max(1.0, observed / independent)


class Tally:
    """Sums up the games of player `name`, in pairs: games 1 and 2, 3 and 4 and so on."""

    def __init__(self, name: str, opponent: str, records: list[Record]):
        self.name, self.opponent, self.records = name, opponent, records

    def color(self, record: Record, name: str) -> str:
        """Which side the player had."""
        return "b" if record.black == name else "w"

    def score(self, record: Record) -> float | None:
        """Points of the first player: 1, 0.5 or 0; None without result."""
        if record.result == "Void":
            return None
        if record.winner is None:
            return 0.5
        return float(record.winner == self.color(record, self.name))

    def interval(self) -> Interval:
        """The first player's share."""
        pairs: dict[int, list[float]] = {}
        for record in self.records:
            score = self.score(record)
            if score is not None:
                pairs.setdefault((record.number - 1) // 2, []).append(score)
        return interval(list(pairs.values()))

    def reasons(self) -> Counter:
        """How the games ended, by kind: `NAME wins: Resign`, `draw`, `no result (too long)`."""
        return Counter(self._reason(record) for record in self.records)

    def faults(self, name: str) -> dict[str, int]:
        """Games that the player lost by a fault of its own, by kind."""
        kinds = Counter(_kind(record) for record in self.records
                        if record.winner == OTHER[self.color(record, name)])
        return {fault: kinds[fault] for fault in FAULTS}

    def _reason(self, record: Record) -> str:
        kind = _kind(record)
        if record.winner is None:
            return f"no result ({kind})" if record.result == "Void" else "draw"
        name = record.black if record.winner == "b" else record.white
        how = record.result[2:]
        if how[0].isdigit():
            how = "on points"
        return f"{name} wins: {how}" + (f" ({kind})" if kind not in ("", how.lower()) else "")

    def false_claims(self, name: str) -> int:
        """Games that the player lost on points, though it counts itself as the winner.

        They should be rare: many mean that player and referee see dead stones differently.
        """
        return sum(1 for record in self.records
                   if record.winner == OTHER[self.color(record, name)]
                   and record.claims.get(self.color(record, name), "")[:1].lower()
                   == self.color(record, name))

    def effort(self, name: str) -> dict[str, float]:
        """Moves made, CPU seconds per move, mean and longest wall seconds of a move."""
        efforts = [record.efforts[self.color(record, name)] for record in self.records]
        seconds = [value for effort in efforts for value in effort.seconds]
        moves = max(1, len(seconds))
        return {
            "moves": len(seconds),
            "cpu_per_move": round(sum(effort.cpu for effort in efforts) / moves, 4),
            "seconds_mean": round(sum(seconds) / moves, 4),
            "seconds_max": round(max(seconds, default=0.0), 4),
        }

    def distinct_games(self) -> int:
        """Games with different moves: engines that repeat themselves prove little."""
        return len({tuple(record.moves) for record in self.records})

    def summary(self) -> dict:
        """Everything above as plain data."""
        share = self.interval()
        scores = [score for score in map(self.score, self.records) if score is not None]
        return {
            "games": len(scores),
            "points": sum(scores),
            "share": [round(value, 4) for value in (share.mean, share.low, share.high)],
            "elo": share.elo(),
            "distinct_games": self.distinct_games(),
            "reasons": dict(self.reasons().most_common()),
            "effort": {name: self.effort(name) for name in (self.name, self.opponent)},
            "faults": {name: self.faults(name) for name in (self.name, self.opponent)},
            "false_claims": {name: self.false_claims(name) for name in (self.name, self.opponent)},
        }

    def text(self) -> str:
        """The report that ends a match."""
        summary = self.summary()
        lines = [f"{self.name} against {self.opponent}: {summary['points']:g} of {summary['games']}"
                 f" = {self.interval()}, Elo {summary['elo']}"
                 f" ({CONFIDENCE:.0%}, Jeffreys, pair-aware)",
                 f"distinct games: {summary['distinct_games']} of {len(self.records)}"]
        lines += [f"{count:5} x {reason}" for reason, count in summary["reasons"].items()]
        for heading, key in (("CPU s a move", "cpu_per_move"), ("wall s a move", "seconds_mean"),
                             ("longest move, wall s", "seconds_max")):
            lines.append(f"{heading}: " + ", ".join(
                f"{name} {effort[key]:.3f}" for name, effort in summary["effort"].items()))
        lines.append("games lost by a fault: " + ", ".join(
            f"{name} {_counts(faults)}" for name, faults in summary["faults"].items()))
        lines += [f"warning: {name} lost {count} games that it counts as won"
                  for name, count in summary["false_claims"].items() if count]
        return "\n".join(lines)


def _kind(record: Record) -> str:
    """The first word or two of the reason."""
    return record.reason.partition(":")[0]


def _counts(faults: dict[str, int]) -> str:
    kinds = [f"{count} {fault}" for fault, count in faults.items() if count]
    return " + ".join(kinds) or "none"
