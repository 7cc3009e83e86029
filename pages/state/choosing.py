"""A setting of a question that is chosen privately: the scenario that asks for it, and the question that it is for, again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.facts import facts
from dpcore.base.types import Target, person_of, takes_fields
from dpcore.errors import DpcoreError
from dpcore.registry.fit import fits
from dpcore.targets.capped import about_people
from dpcore.targets.on import naming, questioned
from pages.experiment.defaults import first_mechanism, mechanism_for, usual_oracle
from pages.experiment.oracle_origin import fits_an_oracle, with_fit
from pages.experiment.question import oracle_of_fields
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.state import place, state, unfolded
from pages.state.link import oracle_fits
from pages.wording.sentences import plain

LINE, THE_BOUND = "open_choice", "choose_bound"  # of the tool on the page People, and of what it chooses after the rows
_KEPT = "question_before_choice"
_ADD_UP = ("sum", "mean")


def has_bound_to_choose(about: Any) -> bool:
    """Whether the question about people adds values up within bounds, some of which are above 0: scores of upper bounds weigh
    what such a sum loses and saves."""
    bounds = facts(about.target).bounds
    return adds_up_values(about) and bool(bounds) and bounds[1] > 0


def adds_up_values(about: Any) -> bool:
    """Whether it is a sum or a mean of values, by what the target says of its own error."""
    return facts(about.target).predicted_as in _ADD_UP


def show_the_bound() -> None:
    """On the page People, the tool is open at the upper bound."""
    place.go(place.CHOOSE, THE_BOUND)
    unfolded.unfold(place.OPEN, LINE)


def settles_rows(choice: Any) -> bool:
    """Whether its response is how many rows of a person count, so that a bound of these may be chosen next."""
    return facts(choice).rows is None and facts(choice.taken_up(choice.candidates[-1])).rows is not None


def asking(scenario: Scenario, choice: Target, epsilon: float) -> Scenario:
    """The scenario that makes the choice, at its own ε; InvalidValueError for an ε that no scenario has."""
    mechanism = first_mechanism(choice)
    return scenario.with_(target=choice, epsilon=epsilon, mechanism=mechanism, norm=mechanism.norm, delta=None)


def ask(question: Scenario, choice: Scenario) -> None:
    """Show the scenario that makes a choice; the one of the question that it is for is kept in this session."""
    st.session_state[_KEPT] = question
    state.anew(choice)


def kept_choice() -> Scenario | None:
    """The scenario of the last question that something was asked before; None where there is none in this session."""
    last: Scenario | None = st.session_state.get(_KEPT)
    return last


def leave() -> None:
    """Back to the question itself, without a choice."""
    scenario = state.scenario()
    choice: Any = scenario.target
    plain: Any
    before = _its_question(scenario)
    if before is not None:
        state.anew(before.with_(n=scenario.n, seed=scenario.seed))
        return
    if person_of(choice) is None:
        plain = questioned(choice.question, choice.columns, choice.where, choice.by)
        state.anew(with_oracle(again(scenario, plain), state.table()))
        return
    plain = about_people(choice.question, choice.columns, choice.person, choice.question, cap=state.table().guesses.cap)
    state.anew(again(scenario, replace(plain, rows=facts(choice).rows or plain.rows)))


def again(choice: Scenario, question: Target) -> Scenario:
    """The question itself, with mechanism, ε, δ, oracle and salt from before the choice; where these were forgotten, with the
    ε that the choice was made for and the mechanism that comes first."""
    made, before = choice.target, _its_question(choice)
    if before is None:
        mechanism = first_mechanism(question)
        epsilon: float = facts(made).release_epsilon or choice.epsilon
        return choice.with_(target=question, epsilon=epsilon, **state.released_by(mechanism))
    asked = with_salt_of(question, before.target)
    mechanism = mechanism_for(asked, before.mechanism)
    return before.with_(target=asked, n=choice.n, seed=choice.seed, mechanism=mechanism, norm=mechanism.norm)


def with_salt_of(question: Target, before: Target) -> Target:
    """The question, which keeps the rows of a person that the one before kept, where it keeps some by a salt."""
    asked: Any = question
    return question if facts(question).rows is None else replace(asked, salt=facts(before).salt)


def groups_each_before(choice: Scenario) -> int | None:
    """In how many groups a person counted before the choice; None where that was not said, or is forgotten."""
    before = _its_question(choice)
    return None if before is None else facts(before.target).groups_each


def with_oracle(scenario: Scenario, table: Table) -> Scenario:
    """The scenario, with the first oracle that suits the question where its own cannot be that of this table: its records, and
    the table was declared confidential since."""
    columns = tuple(table.column(name) for name in scenario.columns)
    if oracle_fits(scenario, table, columns):
        return scenario
    named = takes_fields(scenario.target)
    return scenario.with_(oracle=oracle_of_fields(table, scenario.target, {}) if named else usual_oracle(table, columns))


def _its_question(choice: Scenario) -> Scenario | None:
    """The scenario of the question that a choice is for, where it is still the same question of the same table."""
    last, made = kept_choice(), choice.target
    if last is None or (last.table, last.columns, last.adjacency) != (choice.table, choice.columns, choice.adjacency):
        return None
    asked = facts(last.target).question or (last.target if takes_fields(last.target) else naming(last.target, last.columns))
    return last if asked == facts(made).question else None


# A private fit of the oracle, and the question that it is for, again.


def leave_fit() -> None:
    """Back to the question itself, without a fit; where it was forgotten, to the first one of the table."""
    kept = kept_choice()
    if kept is not None and kept.table == state.scenario().table:
        state.anew(kept.with_(n=state.scenario().n, seed=state.scenario().seed))
    else:
        state.ask_first()


def taken_up(fit: Scenario, table: Table, response: Any) -> Scenario | None:
    """The question that is shown, or the one that the fit was asked for, with the fit as its oracle; None, and a sentence, where
    no question is of the columns that were fitted, or these were declared anew."""
    columns = tuple(table.column(name) for name in fit.columns)
    if not fits(fit.target, columns):
        state.say("The columns were declared anew since this fit, with other bounds or categories. Fit the oracle again.")
        return None
    asked = [one for one in (state.scenario(), kept_choice()) if one is not None and one.table == fit.table]
    for question in asked:
        if not fits_an_oracle(question.target) and set(question.columns) <= set(fit.columns):
            try:
                return with_fit(question.with_(n=fit.n), table, fit, response)
            except DpcoreError as error:
                state.say(plain(error))
                return None
    names = ", ".join(fit.columns)
    state.say(f"This fit is of {names}. Ask a question of these columns alone on Explore, then take the fit up here.")
    return None
