"""The receipt: the answers and guarantee of one click, the kind of noise, the button, and all details that are fixed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.text import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.ledger.accounting import Line
from pages import state
from pages.escape import behind, escaped
from pages.experiment.blocks import accuracy_words, dealt_words, lacks_bounds
from pages.experiment.choices import title
from pages.experiment.descriptions import bound_words, oracle_words, target_words
from pages.experiment.error_sentences import plain
from pages.experiment.noise import answered, sampling
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Noise, Scenario
from pages.files.tables import Table
from pages.ledger import press
from pages.ledger import session as ledger
from pages.ledger.entry import ranks_in_words, ranks_short
from pages.releasing import current_list
from pages.server.pool import lane
from pages.widgets import guarantees
from pages.widgets.controls import control

LABELS = {
    Noise.WORST_CASE: "proved worst case: differential privacy",
    Noise.SAMPLED: "sampled: random DP, a weaker guarantee",
    Noise.BLOCKS: "sample and aggregate: differential privacy",
}
_WITH_BOUNDS = (
    "With public bounds of the column, set under Options on Explore, sample and aggregate would give differential privacy."
)


def show(made: QuestionList, kinds: Sequence[Noise], table: Table, bar: Any) -> None:
    """Show the receipt of a list.

    Args:
        made: The list.
        kinds: The kinds of noise that are offered for it.
        table: Its table.
        bar: Container of the line with the button.
    """
    st.markdown("## Receipt")
    if not made.questions:
        st.markdown("Add a question. Then the receipt says what one click publishes, and what that promises.")
        return
    if len(kinds) > 1:
        by_label = {LABELS[kind]: kind for kind in kinds}
        control(
            st.radio,
            "Noise of all answers",
            list(by_label),
            key="noise_of_all",
            holds=LABELS[made.noise],
            act=lambda label: current_list.settle(table, noise=by_label[label]),
        )
    try:
        asked = current_list.asked(made, table)
        if asked.ticket in ledger.book().spent:
            _show_released(asked, table, bar)
        else:
            _show_offer(asked, table, bar, chosen=made.noise is Noise.SAMPLED and Noise.WORST_CASE in kinds)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")


def _show_released(asked: press.Press, table: Table, bar: Any) -> None:
    lines = [entry.line for entry in ledger.book().entries if entry.ticket == asked.ticket and entry.line]
    with bar:
        st.markdown(_sums(table, lines), width="stretch")
        st.button("New release", key="another", icon=":material/add:", on_click=current_list.begin_again)
        _show_button("Released", asked, disabled=True)
    _show_sentences(asked, lines, table, "This release published")
    _show_fixed(asked, table)


def _show_offer(asked: press.Press, table: Table, bar: Any, *, chosen: bool) -> None:
    book = ledger.book()
    lines, refused = book.foresee(table, [one.line for one in asked.lines])
    total = press.totals(lines)
    with bar:
        st.markdown(_sums(table, lines), width="stretch")
        label = f"Release {counted(len(asked.lines), ' answers')}"
        spends = "" if total is None else f" (spends {_numbers(total)})"
        _show_button(f"{label}{spends}", asked.showing(lines), disabled=bool(refused))
    guarantees.show_why_not_sampled(table)
    if not chosen:
        _show_unproved(asked, table)
    with st.container(key="limits_before"):
        if incomplete := book.incomplete(table):
            st.markdown(f":material/draft: {incomplete}")
        if refused:
            st.warning(escaped(refused))
    _show_sentences(asked, lines, table, "One click publishes")
    _show_fixed(asked, table)


def _show_button(label: str, asked: press.Press, *, disabled: bool) -> None:
    st.button(
        label,
        key="release",
        disabled=disabled,
        icon=":material/verified_user:",
        type="primary",
        on_click=partial(_release, asked),
    )


def _release(asked: press.Press) -> None:
    """Release. Nothing of Streamlit is called until all responses are in the book: a rerun could part the two."""
    current, executor = ledger.book(), lane()
    refused = press.press(current, asked, executor)
    state.begin()  # nothing that was released can be undone
    st.session_state["clicked_release"] = True
    if refused:
        state.say(refused)


def _sums(table: Table, lines: Sequence[Line]) -> str:
    """Return the line beside the button: the table, the guarantee of this release, the spent and the remaining budget."""
    account, incomplete = ledger.book().account(table), ledger.book().incomplete(table)
    now, budget, total = press.totals(lines), account.budget, account.total
    said = [f"**{escaped(table.title or table.name)}**:"]
    if now is not None:
        weaker = ", which is weaker than differential privacy," * isinstance(now, RandomDP)
        said.append(f"{descriptions.name(now)}{weaker} for {descriptions.unit_of(lines[0].adjacency)}.")
    spent = "nothing" if total is None else _numbers(total)
    if total is None and account.ledger.lines:
        spent = "more than any guarantee covers"
    elif incomplete:
        spent += " in this ledger, which may lack releases"
    left = "No budget is set." if budget is None else f"The budget is {_numbers(budget)}; {account.left} is left."
    return " ".join([*said, f"Spent so far: {spent}.", left])


def _numbers(guarantee: Guarantee) -> str:
    """Return ε, and δ and γ if there are any."""
    numbers = {"ε": guarantee.epsilon, "δ": guarantee.delta, "γ": guarantee.gamma}
    return ", ".join(f"{name} = {figure(value)}" for name, value in numbers.items() if value)


def _show_unproved(asked: press.Press, table: Table) -> None:
    """Show which questions have sampled noise because no worst case is proved."""
    sampled = [one for one in asked.lines if not one.worst_case]
    if not sampled:
        return
    of, lacking = "these questions", None
    if len(sampled) < len(asked.lines):
        of = f"question {', '.join(str(one.number) for one in sampled)}"
    elif lacks_bounds(asked.lines[0].scenario, table):
        lacking = _WITH_BOUNDS
    st.markdown(f"No worst case is proved for {of}: the noise is sampled.", help=lacking)


def _show_sentences(asked: press.Press, lines: Sequence[Line], table: Table, answers: str) -> None:
    """Show the six sentences: answers, protection, attacker, limits, cost, and that a release cannot be undone."""
    if not lines:
        return
    total = lines[0].guarantee if len(lines) == 1 else press.totals(lines)
    if total is None:
        st.error("No guarantee covers all answers together: the shares γ of unprotected changes sum to 1 or more.")
        return
    adjacency, count = lines[0].adjacency, len(asked.lines)
    kind = "public" if table.public else "confidential"
    of = f"{_whose(asked.lines[0].scenario)} of {escaped(table.title or table.name)} ({kind})"
    name = descriptions.name(total)
    if isinstance(total, RandomDP):
        left_out = _one_sentence(descriptions.unprotected(total, adjacency)).rstrip(".")
        things = descriptions.counted_in(adjacency)
        left_out += f"; unusual {things} are in this share, and if the oracle is wrong, more changes may be unprotected."
    else:
        left_out = f"This holds for every change of {descriptions.unit_of(adjacency)}, however unusual."
    said = [
        f"{answers} {counted(count, ' answers')} about {of}.",
        _one_sentence(escaped(descriptions.protected(table.unit, total, adjacency))),
        f"An attacker who guesses from the answers {descriptions.guessed(adjacency)} is right {descriptions.guess(total)} "
        "(random guessing: 50%).",
        left_out,
        f"**{name[0].upper()}{name[1:]}** is spent in full, even if a question fails, and holds if you chose questions, bounds "
        "and oracle without using this table (not verified).",
        "A release cannot be undone.",
    ]
    with st.container(key="limits_receipt"):
        st.markdown("\n\n".join(said))
        for nameless in dict.fromkeys(one.table.persons.words for one in asked.lines if one.table.persons):
            st.markdown(f":small[{escaped(nameless)}]")
    guarantees.show_in_full(total, table.unit, adjacency)


def _one_sentence(text: str) -> str:
    first, *rest = text.rstrip(".").split(". ")
    return "; ".join([first, *(one[:1].lower() + one[1:] for one in rest)]) + "."


def _whose(scenario: Scenario) -> str:
    """Return how many rows or people a question is about; a number of people that is not public was stated."""
    things = descriptions.counted_in(scenario.adjacency)
    if scenario.adjacency.removes:
        which = "which" if scenario.adjacency.of_records else "whom"
        return f"the {things}, of {which} you state that they are about {scenario.n:,},"
    return f"the {scenario.n:,} {things}"


# Details that are fixed before the click.


def _show_fixed(asked: press.Press, table: Table) -> None:
    """Show a paragraph for each question, and sentences on the sampled pairs, if the user opens them."""
    box = st.expander("What is fixed before the click?", key="open_receipt", on_change="rerun", icon=":material/receipt_long:")
    if box.open:
        sampled = [one for one in asked.lines if not one.worst_case]
        said = [_question(one, table) for one in asked.lines] + (_pairs(sampled) if sampled else [])
        box.markdown("\n".join(f"- {one}" for one in said))


def _question(one: press.AskedLine, table: Table) -> str:
    scenario = one.scenario
    what = escaped(target_words(scenario.target, table.taken(scenario.columns, scenario.target)))
    said = [
        f"Question {one.number}:" if one.number else "",
        f"{what}, at ε = {scenario.epsilon:g}.",
        escaped(f"{table.missing_rule(scenario.columns, scenario.target)} {table.read_as(scenario.columns)}".strip()),
        _noise(scenario),
        _worst_case(one, table)
        if one.worst_case
        else f"Its size comes from {scenario.m:,} sampled pairs at γ = {figure(scenario.gamma)}.",
    ]
    if one.ranks is not None:
        said.append(escaped(f"{ranks_short(one.ranks)}. {ranks_in_words(one.ranks, scenario.adjacency)}"))
        said.append("" if table.public else "How far that is in the column's unit depends on the confidential table.")
    return " ".join(filter(None, [*said, dealt_words(scenario), accuracy_words(scenario, table)]))


def _worst_case(one: press.AskedLine, table: Table) -> str:
    """Return a sentence on the proved worst case."""
    answer = answered(one.scenario, table.taken(one.scenario.columns, one.scenario.target))
    try:
        noise = one.proved
    except DpcoreError:  # no noise at this ε: the receipt says so
        return ""
    assert noise is not None
    size = counted(figure(noise.sensitivity.value), behind(answer.moved_after))
    return f"Its size comes from the proved worst case, {size}: no pairs are sampled, and no oracle is used."


def _noise(scenario: Scenario) -> str:
    """Return how the noise is drawn."""
    mechanism, target, drawn = scenario.mechanism, scenario.target, sampling(scenario)
    fresh = "not there at this ε" if drawn is None else f"new and {drawn.words}" if drawn.exact else drawn.words
    if steps := mechanism.steps:
        return f"{steps(scenario.epsilon, target)}. The noise is {fresh}. {target.untold}".rstrip()
    if mechanism.chosen_by:
        candidates = len(mechanism.candidates or target.candidates)
        return f"One of {counted(candidates, ' candidates')} is chosen by {mechanism.chosen_by}, with noise that is {fresh}."
    return f"{title(type(mechanism).__name__)} noise is added. It is {fresh}."


def _pairs(sampled: Sequence[press.AskedLine]) -> list[str]:
    """Return what the sampled pairs are, how long they take, and how Δ̂ follows from them."""
    scenario, point = sampled[0].scenario, sampled[0].scenario.point
    seconds = figure(float(f"{max(sum(each.seconds for each in sampled), 0.01):.1g}"))
    oracles = dict.fromkeys(escaped(oracle_words(each.drawn_from)) for each in sampled)
    return [
        f"{point.m:,} fresh pairs are sampled{' for each question' * (len(sampled) > 1)}: a table from the oracle, and the same "
        f"with {descriptions.trial_of(scenario.adjacency)}. This takes about {seconds} s.",
        f"The oracle: {' or '.join(oracles)}.",
        f"Δ̂ is number {point.k:,} of {point.m:,} distances, counted from the smallest, under {bound_words(point.bound.name)}. "
        "You first see it with the answers, so each ± differs from what Explore shows.",
    ]
