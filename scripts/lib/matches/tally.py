"""What the games of two engines say about the first one: score, interval, effort, reasons."""

from collections import Counter, defaultdict

from lib.game import OTHER, Record
from lib.matches.elo import CONFIDENCE, Interval, Pair, interval
from lib.matches.sprt import CELLS, cells

FAULTS = ("time", "illegal move", "crash", "hang", "garbage", "refusal")  # see lib/game.py


class Tally:
    """Sums up the games of player `name`, in pairs: games 1 and 2, 3 and 4 and so on.

    With `margin_size`, the size of the board, each pair is a match of two games: whose margins add
    up to more wins it, and the match is what counts, as 1, 0.5 or 0.
    """

    def __init__(self, name: str, opponent: str, records: list[Record], margin_size: int = 0):
        self.name, self.opponent, self.records = name, opponent, records
        self._margin_size = margin_size

    @property
    def unit(self) -> str:
        """What is counted."""
        return "two-game matches" if self._margin_size else "games"

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

    def pairs(self) -> list[Pair]:
        """The points of each pair, in order."""
        if self._margin_size:
            return [[0.5 + 0.5 * ((margin > 0) - (margin < 0))] for margin in self.margins()]
        scores = ([self.score(record) for record in pair] for pair in self._by_pair())
        counted = ([score for score in pair if score is not None] for pair in scores)
        return [pair for pair in counted if pair]

    def margins(self) -> list[float]:
        """The sum of both margins of each pair that has two; positive is good for the first player."""
        sums = []
        for pair in self._by_pair():
            margins = [record.margin(self._margin_size) for record in pair]
            if len(pair) == 2 and None not in margins:
                sums.append(sum(margin if self.color(record, self.name) == "b" else -margin
                                for record, margin in zip(pair, margins)))
        return sums

    def _by_pair(self) -> list[list[Record]]:
        pairs: dict[int, list[Record]] = defaultdict(list)
        for record in self.records:
            pairs[(record.number - 1) // 2].append(record)
        return list(pairs.values())

    def interval(self) -> Interval:
        """The first player's share."""
        return interval(self.pairs())

    def outcomes(self) -> tuple[int, int, int]:
        """Games that the first player won, drew and lost."""
        scores = [self.score(record) for record in self.records]
        return scores.count(1.0), scores.count(0.5), scores.count(0.0)

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
        scores = [score for pair in self.pairs() for score in pair]
        data = {
            "games": len(scores),
            "points": sum(scores),
            "share": [round(value, 4) for value in (share.mean, share.low, share.high)],
            "elo": share.elo(),
            "outcomes": self.outcomes(),
            "distinct_games": self.distinct_games(),
            "reasons": dict(self.reasons().most_common()),
            "effort": {name: self.effort(name) for name in (self.name, self.opponent)},
            "faults": {name: self.faults(name) for name in (self.name, self.opponent)},
            "false_claims": {name: self.false_claims(name) for name in (self.name, self.opponent)},
        }
        if self._margin_size:
            return data | {"margins": self.margins()}
        return data | {"pairs": cells(self.pairs())}

    def text(self) -> str:
        """The report that ends a match."""
        summary = self.summary()
        lines = [f"{self.name} against {self.opponent}: {summary['points']:g} of {summary['games']}"
                 f" = {self.interval()}, Elo {summary['elo']}"
                 f" ({CONFIDENCE:.0%}, Jeffreys, pair-aware)",
                 f"distinct games: {summary['distinct_games']} of {len(self.records)}"]
        if self._margin_size:
            lines[0] += f", {self.unit}"
            lines.append("sums of margins: "
                         + (", ".join(f"{margin:+g}" for margin in summary["margins"]) or "none"))
        else:
            lines.append(f"pairs by points of {self.name}: " + ", ".join(
                f"{points}: {count}" for points, count in zip(CELLS, summary["pairs"])))
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
