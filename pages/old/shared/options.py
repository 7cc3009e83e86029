"""The options of target, oracle and mechanism, in a popover that is built only while it is open."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.bounds import Interval
from dpcore.base.facts import facts
from dpcore.base.types import person_of, takes_fields
from dpcore.errors import DpcoreError
from pages import state
from pages.escape import escaped
from pages.experiment.choices import kind_of, mechanism_for, mechanism_kinds, oracle_for, target_for, title
from pages.experiment.error_sentences import plain
from pages.experiment.question import asked_alone, asked_plainly, own_columns
from pages.experiment.scenario import Scenario, TableRecords
from pages.experiment.written import text_of
from pages.files.tables import Table
from pages.old.shared import columns, form
from pages.old.shared.widgets import control, number, numbers_in
from pages.server.page_list import link_to

# What a question about people has beside the question: the cap.


_ALL = "over all groups together"
_KEEPING = {False: "All of them, with less weight", True: "s of them, chosen under a public salt"}
_MOST_SALT = 2**53 - 1  # that a box for numbers holds


_ORACLE = "The oracle is made-up data that sizes the noise. Never choose it by looking at the table."


def show_cap(scenario: Scenario) -> None:
    """s, with groups in how many of them a person counts, and which rows of a person do; of clipped totals their limit B."""
    target: Any = scenario.target
    put = partial(_put, form.owner_of(target))
    if facts(target).totals is not None:
        _limit(target.totals, put)
        return
    number(
        "Rows a person counts for, s",
        "opt_cap",
        target.rows,
        partial(put, "rows"),
        step=1,
        least=1,
        most=1_000_000,
    )
    if text_of(target) is not None:  # what is counted in part has no row that a text could read
        _salt(target.salt, put)
        return
    if len(target.groups) > 1:
        control(
            st.number_input,
            "Groups a person counts in",
            1,
            len(target.groups),
            key="opt_groups_each",
            holds=target.groups_each,
            act=partial(put, "groups_each"),
            value=None,
            step=1,
            placeholder=_ALL,
            help="Without a number, s is a cap over all groups together. With one, s rows count in each of so many groups.",
        )
    _keeping(target.salt, put)
    st.page_link(link_to("people"), label="What each s costs, on the page People", icon=":material/group:")


def _limit(totals: Interval, put: Callable[[str, Any], None]) -> None:
    """B, between −B and which a person's total counts; 0 stays where no total lies beyond it."""
    size = max(map(abs, totals))
    number(
        "Each person's total counts up to, B",
        "opt_limit",
        size,
        lambda given: put("totals", tuple(end / size * given for end in totals)),
        form="%g",
    )
    st.page_link(link_to("people"), label="What each B costs, on the page People", icon=":material/group:")


def _keeping(salt: int | None, put: Callable[[str, Any], None]) -> None:
    """All rows of a person with less weight, or s of them under a salt."""
    control(
        st.radio,
        "Which rows of a person with more count?",
        list(_KEEPING),
        key="opt_keeping",
        holds=salt is not None,
        act=lambda chosen: put("salt", 0 if chosen else None),
        format_func=_KEEPING.__getitem__,
        help="Weights are better for nearly every question, because a choice of rows adds an error of its own. Choose rows where "
        "the answer has to be made of whole rows, as a count is that others will compare with theirs.",
    )
    if salt is not None:
        _salt(salt, put)


def _salt(salt: int, put: Callable[[str, Any], None]) -> None:
    """By which s rows of a person are kept."""
    if salt <= _MOST_SALT:
        number("Salt: a public number that says which", "opt_salt", salt, partial(put, "salt"), step=1, least=0, most=_MOST_SALT)
    else:
        st.markdown(f"The rows are chosen under the salt {salt:,}.")
    st.button(
        "Another salt", key="opt_another_salt", icon=":material/casino:", on_click=lambda: put("salt", secrets.randbits(31))
    )


def _target() -> Any:
    return state.scenario().target


def _put(owner: form.Owner, name: str, value: Any) -> None:
    def changed() -> Any:
        return replace(_target(), **{name: value})

    form.in_time(owner, _target, lambda: form.propose(changed, lambda target: state.change(target=target)))


def show(scenario: Scenario, table: Table) -> None:
    """Columns and bounds, then the target's own, the oracle's own, and the mechanism."""
    own = scenario.with_(**asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    if table.about:
        st.markdown(f":small[{escaped(table.about)}]")
    st.markdown(f":small[{_ORACLE}]")
    columns.show(own, table)
    _bounds(own, table)
    form.show(lambda: asked_alone(state.scenario()), partial(form.propose, take=_aim_at))
    if person_of(scenario.target) is not None:
        show_cap(scenario)
    _oracle(scenario)
    _mechanism(scenario)


def _aim_at(target: Any) -> None:
    state.rework(target=target)


def _bounds(scenario: Scenario, table: Table) -> None:
    """Public bounds of the one column, as text: target and oracle are made anew with them."""
    target: Any = scenario.target
    bounds: Any = facts(target).bounds  # a curve's domain is changed with its column, on Your data
    if len(scenario.columns) > 1 or bounds == () or (bounds is not None and isinstance(bounds[0], tuple)):
        return
    control(
        st.text_input,
        "Public bounds: lowest, highest",
        key="opt_bounds",
        holds="" if bounds is None else f"{bounds[0]:g}, {bounds[1]:g}",
        act=partial(_rebound, table),
        placeholder="none: without them there is no finite worst case",
        help="Rows are clipped to them. They come from what the quantity can be, never from a confidential table.",
    )


def _rebound(table: Table, text: str) -> None:
    scenario = state.scenario()
    target: Any = asked_alone(scenario)
    if not text.strip():
        if table.public:
            form.propose(lambda: replace(target, bounds=None), _aim_at)
        else:
            state.change()
            state.say("A confidential column needs public bounds, such as “0, 100”: the last ones stay.")
        return
    try:
        column = replace(table.column(own_columns(scenario)[0]), bounds=numbers_in(text))
    except DpcoreError as error:
        state.change()
        state.say(f"{plain(error)} Write two numbers, such as “0, 100”.")
        return
    oracle = scenario.oracle
    if not isinstance(oracle, TableRecords):
        oracle = oracle_for(kind_of(oracle), replace(table, oracle=None), (column,))
    state.rework(target=columns.with_settings_of(target, target_for(kind_of(target), (column,))), oracle=oracle)


def _oracle(scenario: Scenario) -> None:
    if not isinstance(scenario.oracle, TableRecords):
        take = partial(form.propose, take=lambda oracle: state.change(oracle=oracle))
        form.show(lambda: state.scenario().oracle, take, of="Oracle", key="opt_oracle")


def _mechanism(scenario: Scenario) -> None:
    """How a target is made private: which mechanism, and its own options."""
    known, target = mechanism_kinds(scenario.target), scenario.target
    control(
        st.selectbox,
        "Mechanism",
        known,
        key="opt_mechanism",
        holds=type(scenario.mechanism).__name__,
        act=lambda kind: _release_by(mechanism_for(target, scenario.mechanism, kind)),
        format_func=title,
    )
    form.show(lambda: state.scenario().mechanism, partial(form.propose, take=_release_by))
    if scenario.delta is not None:
        number("δ", "opt_delta", scenario.delta, lambda delta: state.change(delta=delta), form="%g")


def _release_by(mechanism: Any) -> None:
    state.change(**state.released_by(mechanism))
