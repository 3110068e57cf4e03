"""The report as one HTML file that needs nothing else: page.html filled in by jinja2."""

from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from lib.diagram import Diagram, Position, vertices
from lib.pages import template
from lib.regression import table
from lib.regression.compare import Changes, Difference
from lib.regression.results import Run, SuiteRun
from lib.regression.runner import Result, Verdict
from lib.regression.suite import Expectation

TEMPLATE = Path(__file__).with_name("page.html")
VERDICTS = {  # word: what it means to a reader, in the order of the legend
    Verdict.PASSED: "passes, as expected",
    Verdict.UNEXPECTED_PASS: "passes, though marked as known to fail",
    Verdict.KNOWN_FAIL: "fails, as known",
    Verdict.UNEXPECTED_FAIL: "fails unexpectedly",
    Verdict.SKIPPED: "not asked, or its outcome is ignored",
}
# Each filter shows the cards with its tag.
FILTERS = [("all", "all"), ("FAIL", "unexpected fails"), ("worse", "newly failing"),
           ("better", "newly passing"), ("differ", "engines differ"),
           ("fault", "crash, hang, garbage"), ("known", "known fails")]


@dataclass
class Card:
    """A test worth a look: one that somebody fails, or whose outcome is new."""

    suite: str
    results: dict[str, Result]  # by engine
    tags: set[str] = field(default_factory=lambda: {"all"})
    before: dict[str, Result] = field(default_factory=dict)  # by engine, where the outcome is new

    @property
    def test(self) -> Result:
        """Any result, for what all have in common."""
        return next(iter(self.results.values()))


def render(run: Run, changes: Changes | None, differences: list[Difference]) -> str:
    """The whole page."""
    cards = find_cards(run, changes, differences)
    filters = [(tag, text, sum(tag in card.tags for card in cards)) for tag, text in FILTERS]
    return template(TEMPLATE).render(
        run=run, changes=changes, differences=differences, cards=cards, Verdict=Verdict,
        verdicts=VERDICTS, letters=engine_letters(run), label=table.label,
        filters=[row for row in filters if row[0] == "all" or row[2]],
        bar=bar, board=lambda card: Markup(board(card, engine_letters(run))))


def find_cards(run: Run, changes: Changes | None, differences: list[Difference]) -> list[Card]:
    """The cards in the order of the suites, with all their tags."""
    cards: dict[tuple, Card] = {}
    for part in run.runs:
        for result in part.results:
            cards.setdefault((part.suite, *result.key), Card(part.suite, {})).results[part.engine] = result
    for card in cards.values():
        for result in card.results.values():
            card.tags |= {tag for tag, applies in (
                ("FAIL", result.verdict is Verdict.UNEXPECTED_FAIL),
                ("known", result.verdict is Verdict.KNOWN_FAIL),
                ("PASS", result.verdict is Verdict.UNEXPECTED_PASS),
                ("fault", result.fault)) if applies}
    for difference in differences:
        key = next(iter(difference.results.values())).key
        cards[(difference.suite, *key)].tags.add("differ")
    for tag, found in (("worse", changes.newly_failing), ("better", changes.newly_passing)) if changes else ():
        for change in found:
            card = cards[(change.suite, *change.now.key)]
            card.tags.add(tag)
            if change.before:
                card.before[change.engine] = change.before
    # An engine's own set-up failures came last; they belong to their place in the suite.
    order = {suite: i for i, suite in enumerate(run.suites)}
    found = [card for card in cards.values() if card.tags != {"all"}]
    return sorted(found, key=lambda card: (order[card.suite], card.test.line))


def engine_letters(run: Run) -> dict[str, str]:
    """The letter of each engine on the boards."""
    return {engine.name: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i % 26] for i, engine in enumerate(run.engines)}


def bar(part: SuiteRun) -> list[tuple[str, float]]:
    """The verdicts of a suite with their shares in percent, of those that occur."""
    count = max(1, part.totals.total())
    return [(verdict.value, 100 * part.totals[verdict.value] / count)
            for verdict in VERDICTS if part.totals[verdict.value]]


def board(card: Card, letters: dict[str, str]) -> str:
    """The position of the test with expected points and answers; empty if no engine told it."""
    position = _position(card)
    if position is None:
        return ""
    diagram = Diagram(position)
    try:
        expectation = Expectation.parse(card.test.expected)
        diagram.expect(expectation.pattern, expectation.negated)
    except ValueError:
        pass  # a set-up line expects nothing
    answers: dict[tuple[str, bool], str] = {}
    for engine, result in card.results.items():
        for vertex in vertices(result.got)[:1] if not result.fault else []:
            answers[vertex, result.passed] = answers.get((vertex, result.passed), "") + letters[engine]
    for (vertex, right), who in answers.items():
        diagram.answer(vertex, who, right)
    return diagram.svg()


def _position(card: Card) -> Position | None:
    known = [result.position for result in [*card.results.values(), *card.before.values()]]
    return next((position for position in known if position), None)
