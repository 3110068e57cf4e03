"""Where a match stands: the games that count, the tallies of its encounters, ratings, the test.

Short games end first, and a tally of the games as they end would favor who wins quickly. So games
count in the order of the plan: those up to the first one that is not finished.
"""

from lib.game import Player, Record
from lib.matches.elo import Interval, ratings
from lib.matches.sprt import Sprt, cells
from lib.matches.tally import Tally
from lib.plan import Plan


class Standings:
    """Counts the finished games of a plan."""

    def __init__(self, plan: Plan, sprt: Sprt | None = None, margin_size: int = 0,
                 anchor: str | None = None):
        """For `margin_size` see `Tally`. The last player is the default of `anchor`."""
        self.plan = plan
        self.sprt = sprt
        self.anchor = anchor or plan.players[-1].name
        self.records: list[Record] = []  # those that count
        self.ratios: list[float] = []  # the test's log-likelihood ratio after each pair
        self.verdict: bool | None = None  # the test's
        self._margin_size = margin_size
        self._numbers = [pairing.number for pairing in plan.pairings()]
        self._waiting: dict[int, Record] = {}  # finished, but an earlier game is not

    def add(self, record: Record) -> None:
        """Take in a finished game. After the test's verdict no game counts any more."""
        self._waiting[record.number] = record
        while self.verdict is None and len(self.records) < len(self._numbers):
            following = self._waiting.pop(self._numbers[len(self.records)], None)
            if following is None:
                return
            self.records.append(following)
            if self.sprt and following.number % 2 == 0:
                self._test()

    def is_complete(self) -> bool:
        """Nothing is left to play."""
        return self.verdict is not None or len(self.records) == len(self._numbers)

    def tallies(self) -> list[Tally]:
        """One for each encounter, in the plan's order."""
        return [self._tally(a, b) for a, b in self.plan.encounters]

    def ratings(self) -> dict[str, Interval]:
        """Elo of every engine above the anchor, the best first."""
        names = [player.name for player in self.plan.players]
        encounters = {(tally.name, tally.opponent): tally.pairs() for tally in self.tallies()}
        found = ratings(names, encounters, self.anchor)
        return dict(sorted(found.items(), key=lambda item: -item[1].mean))

    def points(self, name: str) -> tuple[float, int]:
        """Points of an engine in all its encounters, and of how many."""
        points, count = 0.0, 0
        for tally in self.tallies():
            scores = [score for pair in tally.pairs() for score in pair]
            if name in (tally.name, tally.opponent):
                points += sum(scores) if name == tally.name else len(scores) - sum(scores)
                count += len(scores)
        return points, count

    def score(self) -> str:
        """The score so far in a few words, for a progress bar."""
        if len(self.plan.players) == 2:
            tally = self.tallies()[0]
            share = tally.interval()
            points, count = self.points(tally.name)
            return f"{tally.name} {points:g}/{count} = {share}" if count else ""
        scores = {player.name: self.points(player.name) for player in self.plan.players}
        best = sorted(scores.items(), key=lambda item: -item[1][0] / max(1, item[1][1]))[:4]
        return ", ".join(f"{name} {points:g}/{count}" for name, (points, count) in best)

    def _tally(self, a: Player, b: Player) -> Tally:
        games = [record for record in self.records if {record.black, record.white} == {a.name, b.name}]
        return Tally(a.name, b.name, games, self._margin_size)

    def _test(self) -> None:
        counts = cells(self.tallies()[0].pairs())
        self.ratios.append(self.sprt.ratio(counts))
        self.verdict = self.sprt.verdict(counts)
