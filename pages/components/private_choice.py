"""A setting of a question about people, chosen privately: what that would do on made-up people, and the way to ask for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.types import Target, person_of, settles
from dpcore.errors import DpcoreError
from dpcore.guarantees import words as guarantees
from dpcore.guarantees.words import figure, percent
from dpcore.plots.people import chances_of_bounds, chances_of_caps
from dpcore.plots.people.chances import NEARLY_ALL, shown
from dpcore.targets.bound_scores import bound_to_choose
from dpcore.targets.cap_scores import rows_to_choose
from dpcore.workbench.answered import answered
from dpcore.workbench.contributions.beforehand import MOST_PEOPLE, beforehand
from dpcore.workbench.contributions.private_choice import PrivateChoice
from dpcore.workbench.scenario import LEAST_EPSILON, Scenario, TableRecords
from dpcore.workbench.tables import Table
from pages.components import badges
from pages.components.escape import escaped
from pages.components.held import hold
from pages.components.receipt import WORST
from pages.session import choosing, ledger
from pages.session.sentences import plain

SHARE = 0.1  # of the answer's ε, which a choice before it costs unless something else is said
MOST = 1_000
_HEIGHT = 340


@final
@dataclass(frozen=True, kw_only=True)
class _Words:
    """What is chosen, in the words of a section. ``key``: of its controls."""

    key: str
    title: str
    symbol: str
    what: str
    without: str


_ROWS = _Words(
    key="choose_rows", title="Choose s without looking at the table", symbol="s",
    what="how many rows of each person count",
    without="Numbers of rows that nobody has are all equally good, and there are many of them.",
)  # fmt: skip
_BOUND = _Words(
    key="choose_bound", title="Choose the upper bound without looking", symbol="the upper bound",
    what="up to which value rows count: a larger value counts as this bound",
    without="Bounds that no value reaches are all equally good, and there are many of them.",
)  # fmt: skip


def show(scenario: Scenario, table: Table) -> None:
    """A section for s, and one for the upper bound where the question has bounds; nothing of a question about rows."""
    target: Any = scenario.target
    if person_of(target) is None:
        return
    if settles(target):
        st.markdown(f"## {_ROWS.title}\nThe question now asks for {settles(target)}. Make the choice on the page Release.")
        _to_release("choose_go_on")
        return
    asked = target.question, target.person
    _section(_ROWS, scenario, table, partial(rows_to_choose, *asked), chances_of_caps)
    if hasattr(target.target, "bounds"):
        chart = partial(chances_of_bounds, of_values=table.column(target.columns[0]).unit)
        _section(_BOUND, scenario, table, partial(bound_to_choose, *asked, rows=target.rows), chart)


def _section(
    words: _Words, scenario: Scenario, table: Table, make: Callable[..., Target], chart: Callable[..., tuple[Any, str]]
) -> None:  # fmt: skip
    st.markdown(
        f"## {words.title}\nThis is {words.what}. Whoever looks at a confidential table to find a good value takes the guarantee "
        "away from what follows. The app can choose it instead: by chance, and good values are likelier. The choice is an "
        "answer about the table, it costs an ε of its own, and it may be published."
    )
    if getattr(scenario.target, "groups_each", None) is not None:
        st.markdown("It is chosen for a cap over all groups together: the number of groups a person counts in is then left out.")
    given = _asked_for(words, scenario)
    try:
        choice = choosing.asking(scenario, make(release_epsilon=scenario.epsilon, **given), given["epsilon"])
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    _beforehand(words, choice, scenario, table, chart)
    label = f"Choose {words.symbol} on the page Release, for ε = {choice.epsilon:g}"
    if st.button(label, key=f"{words.key}_ask", icon=":material/casino:"):
        open_release(scenario, choice)


def _asked_for(words: _Words, scenario: Scenario) -> dict[str, Any]:
    """ε, penalty and the most rows, as they stand in their controls: bad numbers are refused where the choice is made."""
    keys = {name: f"{words.key}_{name}" for name in ("epsilon", "penalty", "most")}
    hold(*keys.values())
    tenth = float(f"{SHARE * scenario.epsilon:.3g}")
    usual, said = (tenth, "a tenth") if tenth >= LEAST_EPSILON else (LEAST_EPSILON, "the least")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = st.number_input(
            "ε of the choice", key=keys["epsilon"], value=None, format="%g", width=190, placeholder=f"{usual:g}, {said}",
            help="What the choice costs, beside the answer that follows. Empty: a tenth of the answer's ε, and at least "
            f"{LEAST_EPSILON:g}.",
        )  # fmt: skip
        penalty = st.number_input(
            "Penalty for large ones", key=keys["penalty"], value=None, format="%g", width=190, placeholder="the usual one",
            help=f"{words.without} A penalty makes large ones less likely, so that there is less noise. Too large a penalty "
            "drops what few people bring. It is public: choose it without a look at the table. Empty: the usual one.",
        )  # fmt: skip
        given: dict[str, Any] = {"epsilon": usual if epsilon is None else epsilon, "penalty": penalty}
        if words is _ROWS:
            most = st.number_input(
                "Most rows that may be chosen", key=keys["most"], value=None, step=1, width=210, placeholder=f"{MOST:,}",
                help="From what is public: the smaller it is, the less a choice can be too large.",
            )  # fmt: skip
            given["most"] = MOST if most is None else most
    return given


def _beforehand(
    words: _Words, choice: Scenario, scenario: Scenario, table: Table, chart: Callable[..., tuple[Any, str]]
) -> None:  # fmt: skip
    """The chart and the numbers, on people whom the oracle makes up."""
    key = json.dumps([choice.to_json(), scenario.to_json(), table.digest])
    try:
        tried = _tried(key, choice, scenario, table)
    except DpcoreError as error:
        st.markdown(f"What it would do is not shown here. {escaped(plain(error))}")
        return
    unit = answered(scenario, tuple(table.column(name) for name in scenario.columns)).unit
    figure_, alt = chart(tried, unit=unit)
    st.markdown(_numbers(words, tried, choice, scenario))
    st.plotly_chart(figure_, height=_HEIGHT, key=f"{words.key}_chart", alt=alt, config={"displayModeBar": False})
    if isinstance(choice.oracle, TableRecords):
        badges.public_table()
    else:
        badges.simulated()


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _tried(key: str, _choice: Scenario, _scenario: Scenario, _table: Table) -> PrivateChoice:
    """Kept: the key holds all that matters of the others."""
    return beforehand(_choice, _scenario, _scenario.resolved_oracle(_table))


def _numbers(words: _Words, tried: PrivateChoice, choice: Scenario, scenario: Scenario) -> str:
    """What is chosen most often, and how much larger the error is than with the best one."""
    likely, best = (shown(tried.candidates[place]) for place in (tried.likeliest, tried.best))
    settled: Any = choice.target
    name = words.symbol[:1].upper() + words.symbol[1:] if len(words.symbol) > 1 else words.symbol
    return (
        f"{_tried_on(choice)} **{name} = {likely} is chosen most often**, in "
        f"{percent(float(tried.chances.max()))} of choices. The best would be {best}. With what is chosen, **the answer's error "
        f"is {_times(tried.regret)} on average**, and {_times(tried.regret_within(NEARLY_ALL), 'at most ')} in 19 of 20 choices. "
        f"The penalty is {figure(settled.penalty)}. If real people bring their rows in another way, the choice "
        f"can be better or worse than this. {_cost(choice, scenario)}"
    )


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
    times = figure(1 + regret)
    return f"{most}as large as with the best" if times == "1" else f"{most}{times} times as large as with the best"


def open_release(scenario: Scenario, choice: Scenario) -> None:
    """The scenario that makes the choice, on the page Release: sized to the worst case, which what follows does not undo."""
    choosing.ask(scenario, choice)
    ledger.choose_way(choice, WORST)
    _switch()


def _to_release(key: str) -> None:
    if st.button("Open the page Release", key=key):
        _switch()


def _switch() -> None:
    from pages import release

    st.switch_page(st.Page(release.show, title=release.TITLE, url_path="release"))
