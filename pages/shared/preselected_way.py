"""Which way of a release is preselected where nobody chose one, and why."""

from __future__ import annotations

from dpcore.base.types import from_an_answer
from dpcore.guarantees.words import figure
from dpcore.ledger.accounting import Standing
from pages.experiment import preview
from pages.experiment.computable import answered
from pages.experiment.headlines.base import kind_of_headline
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.state import draws, ledger
from pages.state.view import Shown, view_apart


def worst_case(scenario: Scenario, table: Table) -> str:
    """Why the worst case is, as the end of a sentence that says so; empty where the sampled way is: of a public table, and where
    none is proved."""
    proved = preview.worst_case(scenario)
    if proved is None:
        return ""
    sampled = ledger.line(scenario, table, worst_case=False)
    if ledger.book().foresee(table, sampled).standing is Standing.NONE:
        return "and the sampled sensitivity would have no guarantee now"
    if from_an_answer(scenario.oracle):
        return "and the sampled sensitivity would have no guarantee for the table that the oracle was fitted to"
    if not table.public:
        return "whatever the table, and so needs no oracle to be right"
    drawn = draws.at_hand(scenario, table)
    if drawn is None:
        return ""
    if preview.nearly_free(proved, drawn.at(scenario.point).order_statistic):
        return "for at most a fifth more noise"
    kind = kind_of_headline(answered(scenario, table.taken(scenario.columns, scenario.target)))
    if kind.nothing_lost is None:  # then it need not be known what is answered
        return ""
    shown = view_apart(scenario, table)
    free = isinstance(shown, Shown) and shown.free
    return "and Explore shows that it costs next to no accuracy" if free else ""


def sampled_instead(scenario: Scenario, table: Table) -> str:
    """How much less noise the weaker guarantee would need, by trials that are at hand or quickly made; empty where none are.
    They come of the oracle alone, so it is known whatever the table holds."""
    proved, drawn = preview.worst_case(scenario), draws.at_hand(scenario, table)
    if proved is None or drawn is None or from_an_answer(scenario.oracle):
        return ""
    sampled = drawn.at(scenario.point).order_statistic
    return smaller(proved.value / sampled if sampled > 0 else None)


def smaller(times: float | None) -> str:
    """What the sampled way would give, where the worst case is so many times what trials say; empty where that is not known."""
    if times is None:
        return ""
    if times <= 1:
        return "The sampled sensitivity would give no smaller noise, and random DP, the weaker guarantee."
    less = figure(float(f"{times:.2g}"))
    return f"The sampled sensitivity would give noise about {less} times smaller, and random DP, the weaker guarantee."
