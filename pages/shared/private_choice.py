"""A setting of a question, chosen privately: what that would do on made-up people or records, and the way to ask for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.facts import facts
from dpcore.base.types import Target, can_be_asked, person_of, settles
from dpcore.errors import DpcoreError
from dpcore.targets.bound_scores import bound_to_choose
from dpcore.targets.cap_scores import rows_to_choose
from dpcore.targets.record_bound_scores import bounds_to_choose, has_bounds_to_choose
from dpcore.targets.total_scores import total_to_choose
from pages.charts.people import chances_of_bounds, chances_of_caps, chances_of_limits
from pages.experiment import question
from pages.experiment.computable import answered
from pages.experiment.contributions.private_choice import PrivateChoice, beforehand, elsewhere, is_predicted
from pages.experiment.question import asked_alone, own_columns
from pages.experiment.scenario import LEAST_EPSILON, Scenario, TableRecords
from pages.files.tables import Table
from pages.server.page_list import link_to
from pages.shared import badges, picture
from pages.shared.choices_in_words import BOUND, BOUNDS, ELSEWHERE, ROWS, TOTAL, Chosen, by_scale, hardly_seen, numbers
from pages.shared.escape import escaped
from pages.shared.escape import table as show_table
from pages.shared.widgets import control, while_open
from pages.state import choosing, doubts, draws, ledger, place
from pages.wording.sentences import plain

SHARE = 0.1  # of the answer's ε, which a choice before it costs unless something else is said
MOST = 1_000
_HEIGHT = 340


TITLE = "Choose without looking at the table"
Offer = tuple[Callable[..., Target], Callable[..., tuple[Any, str]]]


def show(scenario: Scenario, table: Table) -> None:
    """One tool for all that can be chosen of a question about people: a switch says which. Of such a choice itself the way on."""
    target: Any = scenario.target
    if settles(target):
        _go_on(settles(target))
    elif there := offered(scenario, table):
        words = _which(list(there))
        _section(words, scenario, table, *there[words])
        if choosing.adds_up_values(target) and facts(target).totals is None and BOUND not in there:
            sign = "All values are negative" if target.target.bounds[1] < 0 else "No value is above 0"
            st.markdown(f"{sign}, so there is no upper bound to choose.")


def offered(scenario: Scenario, table: Table) -> dict[Chosen, Offer]:
    """How many rows count, and the upper bound where the question has bounds; or the limit of totals, where these are clipped.
    None of a question about rows, of such a choice itself, and of a text, which is no question of ours."""
    target: Any = scenario.target
    if person_of(target) is None or settles(target) or facts(target).question is None:
        return {}
    asked = target.question, target.person
    if facts(target).totals is not None:
        return {TOTAL: (partial(total_to_choose, *asked), chances_of_limits)} if choosing.adds_up_values(target) else {}
    found: dict[Chosen, Offer] = {ROWS: (partial(rows_to_choose, *asked), chances_of_caps)}
    if choosing.has_bound_to_choose(target):
        chart = partial(chances_of_bounds, of_values=table.column(target.columns[0]).unit)
        found[BOUND] = partial(bound_to_choose, *asked, rows=target.rows), chart
    return found


def _which(there: list[Chosen]) -> Chosen:
    """The one that is chosen, as the address has it; a switch where there are several."""
    by_key = {words.key: words for words in there}
    at = place.of(place.CHOOSE)
    found = by_key.get(at, there[0])
    if len(there) > 1:
        control(
            st.radio,
            "What is to be chosen?",
            list(by_key),
            key="choose_what",
            holds=found.key,
            act=lambda key: place.go(place.CHOOSE, key),
            format_func=lambda key: by_key[key].switch,
            horizontal=True,
        )
    return found


def show_bounds(scenario: Scenario, table: Table) -> None:
    """Behind a line that is built only while it is open, of a question about records that has bounds to choose; of such a choice
    itself the way on."""
    target: Any = scenario.target
    if person_of(target) is not None:
        return
    if settles(target):
        _go_on(settles(target))
    elif can_be_asked(asked_alone(scenario)) and has_bounds_to_choose(asked_alone(scenario), own_columns(scenario)):
        while_open(doubts.box(doubts.BOUNDS_CHOICE, BOUNDS.title, "casino"), partial(_bounds, scenario, table))


def _bounds(scenario: Scenario, table: Table) -> None:
    named = scenario.with_(**question.named(scenario, table))
    chart = partial(chances_of_bounds, of_values=table.column(own_columns(scenario)[0]).unit)
    asked: Any = named.target
    _section(BOUNDS, named, table, partial(bounds_to_choose, asked), chart, before=scenario)


def _go_on(settled: str) -> None:
    st.markdown(f"The question now asks for {settled}. Make the choice on the page Release.")
    if st.button("Open the page Release", key="choose_go_on"):
        st.switch_page(link_to("release"))


def _section(
    words: Chosen,
    scenario: Scenario,
    table: Table,
    make: Callable[..., Target],
    chart: Callable[..., tuple[Any, str]],
    *,
    before: Scenario | None = None,
) -> None:
    """``before``: the question as the page has it, where that does not name its columns."""
    st.markdown(
        f"This chooses {words.what}. Whoever looks at a confidential table to find a good value takes the guarantee away from "
        "what follows."
    )
    st.markdown(
        "The app can draw the value at random instead: values that suit your table come up more often. The choice is an answer "
        "about the table. It costs an ε of its own, and it may be published."
    )
    if facts(scenario.target).groups_each is not None:
        st.markdown("It is chosen for a cap over all groups together: the number of groups a person counts in is then left out.")
    given = _asked_for(words, scenario)
    target: Any = scenario.target
    try:
        choice = choosing.asking(scenario, make(release_epsilon=scenario.epsilon, **given), given["epsilon"])
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    _beforehand(words, choice, scenario, table, chart)
    over = ", over all groups," if words is ROWS and len(target.question.groups) > 1 else ""
    label = f"Choose {words.symbol}{over} on the page Release, for ε = {choice.epsilon:g}"
    if st.button(label, key=f"{words.key}_ask", icon=":material/casino:"):
        open_release(before or scenario, choice)


def _asked_for(words: Chosen, scenario: Scenario) -> dict[str, Any]:
    """ε, penalty and the most rows, as the address has them: bad numbers are refused where the choice is made."""
    tenth = float(f"{SHARE * scenario.epsilon:.3g}")
    usual, said = (tenth, "a tenth") if tenth >= LEAST_EPSILON else (LEAST_EPSILON, "the least")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = _number(
            words,
            "epsilon",
            "ε of the choice",
            format="%g",
            width=190,
            placeholder=f"{usual:g}, {said}",
            help="What the choice costs, beside the answer that follows. Empty: a tenth of the answer's ε, and at least "
            f"{LEAST_EPSILON:g}.",
        )
        penalty = _number(
            words,
            "penalty",
            "Penalty for large ones",
            format="%g",
            width=190,
            placeholder="the usual one",
            help=f"{words.without} A penalty makes large ones less likely, so that there is less noise. Too large a penalty "
            "drops what few people bring. It is public: choose it without a look at the table. Empty: the usual one.",
        )
        given: dict[str, Any] = {"epsilon": usual if epsilon is None else epsilon, "penalty": penalty}
        if words is ROWS:
            most = _number(
                words,
                "most",
                "Most rows that may be chosen",
                step=1,
                width=210,
                placeholder=f"{MOST:,}",
                help="From what is public: the smaller it is, the less a choice can be too large.",
            )
            given["most"] = MOST if most is None else int(most)
        if words is BOUNDS:
            given["least"] = _number(
                words,
                "least",
                "Smallest bound that may be chosen",
                format="%g",
                width=240,
                placeholder="a millionth of the largest",
                help="From what is public: the fewer bounds there are, the better the choice. The grid is 1, 2, 5, 10 and so on, "
                "up to the bound that the column has on Your data.",
            )
        if words is TOTAL:
            given["most"] = _number(
                words,
                "most",
                "Largest limit that may be chosen",
                format="%g",
                width=230,
                placeholder="the usual one",
                help="From what is public: the smaller it is, the less a choice can be too large. Empty: a thousand times the "
                "largest value that is declared.",
            )
    return given


def _number(words: Chosen, name: str, label: str, **looks: Any) -> float | None:
    """A box for a number that stands in the address; empty for what is usual."""
    key, where = f"{words.key}_{name}", f"{words.key.removeprefix('choose_')}_{name}"
    held = place.number(where, whole="step" in looks)
    if place.of(where) and held is None:
        st.warning(f"The link's “{escaped(place.of(where))}” for “{label}” is no such number: the usual one is taken.")
    found: float | None = control(
        st.number_input,
        label,
        key=key,
        holds=held,
        act=lambda given: place.go(where, "" if given is None else repr(given)),
        value=None,
        **looks,
    )
    return found


def _beforehand(words: Chosen, choice: Scenario, scenario: Scenario, table: Table, chart: Callable[..., tuple[Any, str]]) -> None:
    """The chart and the numbers, on people whom the oracle makes up."""
    if not is_predicted(choice):
        st.markdown("The error of this kind of question is not predicted, so the choice cannot be tried out here.")
        return
    key = json.dumps([choice.to_json(), scenario.to_json(), table.digest])
    try:
        tried, blind = _tried(key, words, choice, scenario, table)
    except DpcoreError as error:
        st.markdown(f"What it would do is not shown here. {escaped(plain(error))}")
        return
    unit = answered(scenario, tuple(table.column(name) for name in scenario.columns)).unit
    figure_, alt = chart(tried, unit=unit)
    st.markdown(numbers(words, tried, choice, scenario))
    if blind:
        st.warning(blind)
    public = isinstance(choice.oracle, TableRecords)
    made_from = badges.PUBLIC_TABLE if public else badges.of_chart(table, simulated=True)
    picture.chart(figure_, f"{words.key}_chart", alt, picture.Picture(words.title, made_from), height=_HEIGHT)
    badges.show(made_from)
    if words is BOUNDS and (tables := _tried_elsewhere(key, choice, scenario, table)):
        st.markdown(ELSEWHERE)
        show_table(by_scale(tables, table.column(own_columns(choice)[0]).unit), "bounds_elsewhere")


@draws.kept(16)
def _tried_elsewhere(key: str, _choice: Scenario, _scenario: Scenario, _table: Table) -> dict[float, PrivateChoice]:
    return elsewhere(_choice, _scenario, _scenario.resolved_oracle(_table))


@draws.kept(16)
def _tried(key: str, _words: Chosen, _choice: Scenario, _scenario: Scenario, _table: Table) -> tuple[PrivateChoice, str]:
    """What it does, and a warning where it hardly sees the values. Kept: the key holds all that matters of the others."""
    oracle = _scenario.resolved_oracle(_table)
    tried = beforehand(_choice, _scenario, oracle)
    return tried, hardly_seen(_words, _choice, oracle) if _words in (BOUND, BOUNDS) else ""


def open_release(scenario: Scenario, choice: Scenario) -> None:
    """The scenario that makes the choice, on the page Release: sized to the worst case, which what follows does not undo."""
    choosing.ask(scenario, choice)
    ledger.choose_way(choice, ledger.WORST)
    st.switch_page(link_to("release"))
