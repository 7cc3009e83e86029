"""The receipt: what one press will do and what it will promise, before it is made."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import settles
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import Adjacency
from dpcore.ledger.accounting import Line, Standing
from pages.experiment import cost, preview
from pages.experiment.computable import answered
from pages.experiment.defaults import title
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from pages.server.pool import lane
from pages.shared import fitted_oracle, preselected_way, saved_files, sharing, standing_words
from pages.shared.escape import behind, escaped
from pages.state import ledger, state
from pages.state.press import Press, press, terms
from pages.state.ranks import before_a_press
from pages.state.reach import foretold, reach_of
from pages.wording.sentences import oracle_words, plain, target_words
from pages.wording.values import bound_words

SAMPLED, WORST = "sampled sensitivity: random DP, the weaker guarantee", "worst case: differential privacy itself"


def show(scenario: Scenario, table: Table) -> None:
    """The choice of the way, the receipt, what earlier answers do to it, and the button."""
    book = ledger.book()
    try:
        sampled = book.foresee(table, ledger.line(scenario, table, worst_case=False))
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    way = _way(scenario, table, sampled)
    worst_case = way == WORST
    ticket = ledger.ticket(scenario, table, way)
    made = next((entry.line for entry in book.entries if entry.ticket == ticket), None)
    plain_line = ledger.line(scenario, table, worst_case=worst_case)
    line = made or (book.foresee(table, plain_line) if worst_case else sampled)
    spent = ticket in book.spent
    st.markdown("## Receipt")
    st.markdown(_lines(scenario, table, line, worst_case=worst_case, spent=spent))
    if line.guarantee is not None and not spent:  # then it stands with the response
        standing_words.show_promise(line.guarantee, table.unit, scenario.adjacency)
    if not spent:
        proved = preview.worst_case(scenario) is not None
        standing_words.show(line, proved=proved, planned=line.standing is Standing.FIXED and book.responded(table))
        standing_words.what_follows(settles(scenario.target))
        fitted_oracle.before(scenario, line)
    for caveat in book.caveats(table):
        st.warning(caveat)
    saved_files.incomplete(table)
    refused = "" if spent else book.refusal(table, line)
    if refused:
        st.warning(refused)
    if not refused:
        sharing.show(book, table, line, plain_line, spent=spent)
    asked = Press(ticket, scenario, table, worst_case, terms(line))
    st.button(
        "Released" if spent else "Release",
        key="release",
        disabled=spent or bool(refused),
        icon=":material/verified_user:",
        on_click=partial(_press, asked),
    )
    if spent:
        st.button("Another release of the same", key="another", on_click=ledger.another)


def _press(asked: Press) -> None:
    """The press calls nothing of Streamlit until the response is in the book: a rerun could part the two."""
    current, executor = ledger.book(), lane()
    if refused := press(current, asked, executor):
        st.session_state["notices"] = []
        state.say(refused)


def _way(scenario: Scenario, table: Table, sampled: Line) -> str:
    """Sampled or worst case: a choice made by hand stays; else the stronger guarantee of a confidential table, where it is nearly
    free, or alone."""
    proved = preview.worst_case(scenario)
    ways = [SAMPLED, WORST] if proved is not None else [SAMPLED]
    by_hand = ledger.way_by_hand(scenario)
    released = ledger.released_way(scenario, table)  # what was pressed stays as it was, whatever its answer changed
    why = "" if by_hand in ways or released else preselected_way.worst_case(scenario, table, sampled)
    st.session_state["way"] = by_hand if by_hand in ways else released or (WORST if why else SAMPLED)

    def keep() -> None:
        ledger.choose_way(scenario, st.session_state["way"])

    st.radio(
        "Size the noise to the",
        ways,
        key="way",
        on_change=keep,
        help=None if proved else "No worst case is proved for this target here.",
    )
    chosen: str = st.session_state["way"]
    instead = preselected_way.sampled_instead(scenario, table) if chosen == WORST and not table.public else ""
    said = f"The worst case is preselected: it gives differential privacy itself, {why}." * bool(chosen == WORST and why)
    if said or instead:
        st.markdown(f":material/verified_user: {said} {instead}")
    return chosen


def _lines(scenario: Scenario, table: Table, line: Line, *, worst_case: bool, spent: bool) -> str:
    columns = table.taken(scenario.columns, scenario.target)
    title, kind = escaped(table.title or table.name), "public" if table.public else "confidential"
    what = escaped(target_words(scenario.target, columns))
    about = [
        f"You ask for **{what}**, over {whose(scenario)} of **{title}** ({kind}). "
        f"{escaped(table.missing_rule(scenario.columns, scenario.target))} {escaped(table.read_as(scenario.columns))}".rstrip(),
        _mechanism(scenario),
    ]
    if worst_case:
        about.append(_worst(scenario, table, columns, spent=spent))
    else:
        about.append(_trials(scenario, table, spent=spent))
    if ranks := before_a_press(scenario, table, in_unit=not worst_case):
        about.append(escaped(ranks))
    holds = line.guarantee
    written = f"hold **{words.name(holds)}**" if holds is not None else "say that this answer has **no guarantee**"
    if not spent:
        about.append(f"The ledger will {written}. It is charged in full even if the target fails on the table.")
    return "\n".join(f"- {one}" for one in about)


def whose(scenario: Scenario) -> str:
    """Of how many records, or people, a question is; a number of people that is not public was stated."""
    things = words.counted_in(scenario.adjacency)
    if scenario.adjacency is Adjacency.ADD_OR_REMOVE_ONE_USER:
        return f"the {things}, of whom you state that they are about {scenario.n:,},"
    return f"the {scenario.n:,} {things}"


def _trials(scenario: Scenario, table: Table, *, spent: bool) -> str:
    """What the trials are, what a wrong oracle does, how long they take and how Δ̂ comes of them."""
    point, drawn_from = scenario.point, scenario.resolved_oracle(table)
    asked = scenario.target, scenario.n, scenario.m, drawn_from, scenario.adjacency
    seconds = words.figure(float(f"{max(cost.seconds(*asked), 0.01):.1g}"))
    long = "" if cost.quick(*asked) else " of one core"
    oracle = escaped(oracle_words(drawn_from))
    size = "trial** sizes" if point.m == 1 else "trials** size"
    change, things = words.trial_of(scenario.adjacency), words.counted_in(scenario.adjacency)
    first = (
        "You first see it with the answer. Explore's ± comes of other trials, so the answer's ± will be another; with few trials "
        "it can differ by much."
        if not spent
        else "You see it with the answer. Its ± is not Explore's, which came of other trials."
    )
    early = " While they are made you may end them: Δ̂ is then that of the trials so far." * bool(
        long and not spent and _may_end(scenario)
    )
    takes = "took" if spent else "take"
    return (
        f"**{point.m:,} fresh {size} the noise. Each is a made-up table from the oracle **{oracle}**, with {change}. Where "
        f"real {things} move the answer further than the oracle's do, more than γ can be left out. The trials {takes} about "
        f"{seconds} s{long} together. Δ̂ is number {point.k:,} of the {counted(point.m, ' distances')}, "
        f"counted from the smallest, under "
        f"{bound_words(point.bound.name)}. {first}{early}"
    )


def _worst(scenario: Scenario, table: Table, columns: tuple[Column, ...], *, spent: bool) -> str:
    """The proved worst case, and how far its noise reaches: known before the press, for it asks no confidential table."""
    calibrated = preview.calibrated_worst_case(scenario)
    assert calibrated is not None
    if settles(scenario.target):
        return (
            f"One person can change the scores by at most {words.figure(calibrated.sensitivity.value)} (proved), which sizes the "
            "noise. There are no trials, and no oracle."
        )
    answer = answered(scenario, columns)
    after, moves = behind(answer.after), behind(moved_after(answer))
    said = (
        f"The proved worst case, {counted(words.figure(calibrated.sensitivity.value), moves)}, sizes the noise: there are "
        "no trials, and no oracle."
    )
    reach = reach_of(calibrated, answer)
    if isinstance(reach, float):
        said = f"{said} 95 times in 100 the noise on a number is within ± {counted(words.figure(reach), after)}."
    more = "" if spent else escaped(foretold(scenario, table, calibrated))
    return f"{said} {more}".rstrip()


def _may_end(scenario: Scenario) -> bool:
    return scenario.bound is Bound.TIME_UNIFORM


def noise_words(scenario: Scenario) -> str:
    """How the noise is drawn, as its law says: what follows "the noise is"."""
    sampling = preview.sampling(scenario)
    if sampling is None:
        return "not there at this ε"
    return f"drawn afresh and {sampling.words}" if sampling.exact else sampling.words


def _mechanism(scenario: Scenario) -> str:
    mechanism, target = scenario.mechanism, scenario.target
    fresh = noise_words(scenario)
    if steps := facts(mechanism).steps:
        return f"{steps(scenario.epsilon, target)}. The noise is {fresh}. {facts(target).untold}".rstrip()
    if mechanism.chosen_by:
        candidates = len(facts(mechanism).candidates or facts(target).candidates)
        return (
            f"One of **{counted(candidates, ' candidates')}** is chosen by **{mechanism.chosen_by}**, with noise that is {fresh}."
        )
    return f"**{title(type(mechanism).__name__)}** noise is added. It is {fresh}."
