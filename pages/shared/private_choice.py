"""A setting of a question about people, chosen privately: what that would do on made-up people, and the way to ask for it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import Oracle, Target, person_of, settles
from dpcore.errors import DpcoreError
from dpcore.guarantees import words as guarantees
from dpcore.targets.bound_scores import bound_to_choose
from dpcore.targets.cap_scores import rows_to_choose
from dpcore.targets.total_scores import total_to_choose
from pages.charts.people import chances_of_bounds, chances_of_caps, chances_of_limits
from pages.charts.people.choices import NEARLY_ALL, shown
from pages.experiment.computable import answered
from pages.experiment.contributions.asked import asked_of, rows_of
from pages.experiment.contributions.private_choice import MOST_PEOPLE, PrivateChoice, beforehand, people
from pages.experiment.scenario import LEAST_EPSILON, Scenario, TableRecords
from pages.files.tables import Table
from pages.server.page_list import link_to
from pages.shared import badges, picture
from pages.shared.choices_in_words import BOUND, ROWS, TOTAL, Chosen
from pages.shared.escape import escaped
from pages.shared.widgets import control
from pages.state import choosing, ledger, place
from pages.wording.sentences import plain

SHARE = 0.1  # of the answer's ε, which a choice before it costs unless something else is said
MOST = 1_000
_HEIGHT = 340
_LIKELY = 0.2  # a chance below it is no advice


def show(scenario: Scenario, table: Table) -> None:
    """A section for s, and one for the upper bound where the question has bounds; or one for the limit of totals, where these are
    clipped; nothing of a question about rows."""
    target: Any = scenario.target
    if person_of(target) is None:
        return
    if settles(target):
        st.markdown(f"## {ROWS.title}\nThe question now asks for {settles(target)}. Make the choice on the page Release.")
        if st.button("Open the page Release", key="choose_go_on"):
            st.switch_page(link_to("release"))
        return
    asked = target.question, target.person
    if facts(target).totals is not None:
        if choosing.adds_up_values(target):
            _section(TOTAL, scenario, table, partial(total_to_choose, *asked), chances_of_limits)
        return
    _section(ROWS, scenario, table, partial(rows_to_choose, *asked), chances_of_caps)
    if not choosing.adds_up_values(target):
        return
    if not choosing.has_bound_to_choose(target):
        sign = "All values are negative" if target.target.bounds[1] < 0 else "No value is above 0"
        st.markdown(f"## {BOUND.title}\n{sign}, so there is no upper bound to choose.")
    else:
        chart = partial(chances_of_bounds, of_values=table.column(target.columns[0]).unit)
        _section(BOUND, scenario, table, partial(bound_to_choose, *asked, rows=target.rows), chart)


def _section(
    words: Chosen, scenario: Scenario, table: Table, make: Callable[..., Target], chart: Callable[..., tuple[Any, str]]
) -> None:
    st.markdown(
        f"## {words.title}\nThis is {words.what}. Whoever looks at a confidential table to find a good value takes the guarantee "
        "away from what follows. The app can choose it instead. The app draws a value at random, and values that suit your table "
        "come up more often. The choice is an answer about the table, it costs an ε of its own, and it may be published."
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
        open_release(scenario, choice)


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
    whole: Any = choice.target
    if asked_of(whole.target) is None:
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
    st.markdown(_numbers(words, tried, choice, scenario))
    if blind:
        st.warning(blind)
    public = isinstance(choice.oracle, TableRecords)
    made_from = badges.PUBLIC_TABLE if public else badges.of_chart(table, simulated=True)
    picture.chart(figure_, f"{words.key}_chart", alt, picture.Picture(words.title, made_from), height=_HEIGHT)
    badges.show(made_from)


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _tried(key: str, _words: Chosen, _choice: Scenario, _scenario: Scenario, _table: Table) -> tuple[PrivateChoice, str]:
    """What it does, and a warning where it hardly sees the values. Kept: the key holds all that matters of the others."""
    oracle = _scenario.resolved_oracle(_table)
    tried = beforehand(_choice, _scenario, oracle)
    return tried, _hardly_seen(_choice, oracle) if _words is BOUND else ""


def _hardly_seen(choice: Scenario, oracle: Oracle) -> str:
    """That a choice of an upper bound hardly sees the values; empty where the rows outweigh penalty and chance together.

    That is where Σ min(s, N_u) > penalty·log(U_k/U_1) + (2s/ε₁)·log k. The right side is how far the penalty sets the first of
    k bounds above the last, and how far chance lifts the best of k equal ones (mathematics, section 15.4). The rows are those
    of people drawn from the oracle, as many as n: nothing of the table.
    """
    target: Any = choice.target
    database = people(choice, oracle)
    drawn = np.minimum(rows_of(target, database).rows_a_person, target.rows).sum()
    rows = float(drawn) * choice.n / min(choice.n, MOST_PEOPLE)
    bounds = target.candidates
    penalty = target.penalty * math.log(bounds[-1] / bounds[0])
    chance = 2 * target.rows / choice.epsilon * math.log(len(bounds))
    if rows > penalty + chance:
        return ""
    weigh, count = (f"{float(f'{number:.3g}'):,.0f}" for number in (penalty + chance, rows))  # in three digits, the rest zeros
    return (
        f"**This choice hardly sees the values.** Penalty and chance weigh as much as {counted(weigh, ' rows')} here, and "
        f"the people that it was tried on have {count} that count. A bound that is far too small can then come up often, "
        "whatever the values are. Take a smaller s, a larger ε of the choice, or a smaller penalty. If it is publicly known how "
        "large the values get, declare that bound and leave the choice out."
    )


def _numbers(words: Chosen, tried: PrivateChoice, choice: Scenario, scenario: Scenario) -> str:
    """What is chosen most often, and how much larger the error is than with the best one."""
    settled: Any = choice.target
    penalty = counted(guarantees.figure(settled.penalty), f" {words.penalty_in}")
    return (
        f"{_tried_on(choice)} {_likeliest(words, tried, choice)} With what is chosen, **the answer's error "
        f"is {_times(tried.regret)} on average**, and {_times(tried.regret_within(NEARLY_ALL), 'at most ')} in 19 of 20 choices. "
        f"Penalty: {penalty}. If real people bring their rows in another way, the choice "
        f"can be better or worse than this. {_cost(choice, scenario)}"
    )


def _likeliest(words: Chosen, tried: PrivateChoice, choice: Scenario) -> str:
    """What is chosen most often, where that is often enough to be told; and the best one."""
    likely, best = (shown(tried.candidates[place]) for place in (tried.likeliest, tried.best))
    chance = float(tried.chances.max())
    if chance < _LIKELY:
        tries = "less than one" if chance < 0.01 else f"{chance * 100:.0f}"
        tried_on = "these people" if isinstance(choice.oracle, TableRecords) else "these made-up people"
        even = f"even the likeliest, {likely}, comes up in {tries} of 100 tries"
        return f"No value is likely: {even}. Best for {tried_on} would be {best}."
    name = words.symbol[:1].upper() + words.symbol[1:] if len(words.symbol) > 1 else words.symbol
    return f"**{name} = {likely} is chosen most often**, in {guarantees.percent(chance)} of choices. The best would be {best}."


def _cost(choice: Scenario, scenario: Scenario) -> str:
    """The sum of both guarantees, ε₁ + ε₂ at the answer's δ, where neither is sized by trials."""
    both = replace(scenario.privacy, epsilon=scenario.epsilon + choice.epsilon)
    return f"Choice and answer together cost {guarantees.name(both)}, if the answer's noise is sized to the worst case."


def _tried_on(choice: Scenario) -> str:
    """Whose rows they were: made-up people's, or those of a public table, drawn again."""
    number = f"{min(choice.n, MOST_PEOPLE):,}"
    if isinstance(choice.oracle, TableRecords):
        return f"We tried it on {counted(number, ' people')} of this public table, drawn again: some more than once, some never."
    most = f" We make up no more than {MOST_PEOPLE:,}." if choice.n > MOST_PEOPLE else ""
    return f"We tried it on {counted(number, ' made-up people')} from the oracle, not on your table.{most}"


def _times(regret: float, most: str = "") -> str:
    """How large the error is, beside that with the best candidate."""
    times = guarantees.figure(1 + regret)
    return f"{most}as large as with the best" if times == "1" else f"{most}{times} times as large as with the best"


def open_release(scenario: Scenario, choice: Scenario) -> None:
    """The scenario that makes the choice, on the page Release: sized to the worst case, which what follows does not undo."""
    choosing.ask(scenario, choice)
    ledger.choose_way(choice, ledger.WORST)
    st.switch_page(link_to("release"))
