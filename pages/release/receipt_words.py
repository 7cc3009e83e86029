"""What a receipt says: what is asked, of whom, with which noise, what it is charged, and whether answers may be shared."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import asked_together, person_of, settles
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import Bound
from dpcore.ledger.accounting import Ledger, Line, Standing
from pages.experiment import cost, preview
from pages.experiment.computable import answered
from pages.experiment.defaults import title
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.shared.escape import behind, escaped
from pages.state.book import Book
from pages.state.press import Press
from pages.state.reach import foretold, ranks_before_a_press, reach_of
from pages.state.released_line import AskedLine
from pages.wording.sentences import oracle_words, target_words
from pages.wording.values import bound_words


def lines_of(asked: Press, lines: Sequence[Line], table: Table, questions: int, *, spent: bool) -> list[str]:
    """What is asked, of whom, with which noise, how that is sized, and what it is charged."""
    first, alone = asked.lines[0].scenario, len(asked.lines) == 1 and not questions
    kind = "public" if table.public else "confidential"
    columns = table.taken(first.columns, first.target)
    what = escaped(target_words(first.target, columns)) if alone else counted(questions, " questions")
    of = f"{'for ' * alone}**{what}**, over {whose(first)} of **{escaped(table.title or table.name)}** ({kind})."
    rules = [_rules(one) for one in asked.lines]
    same = len(set(rules)) == 1
    said = [f"You ask {of} {rules[0] * same}".rstrip()]
    noise = [_mechanism(one.scenario) if alone else _noise(one) for one in asked.lines]
    said += noise if same else [f"{one} {rule}".rstrip() for one, rule in zip(noise, rules, strict=True)]
    sampled = [one for one in asked.lines if not one.worst_case]
    said += [_trials(sampled, spent=spent)] if sampled else []
    said += [_worst(one, spent=spent) for one in asked.lines if one.worst_case and not asked_together(one.scenario.target)]
    if alone and (ranks := ranks_before_a_press(first, table, in_unit=not asked.lines[0].worst_case)):
        said.append(escaped(ranks))
    if spent:
        return said
    if not alone:
        said.append(
            "All of it is fixed before the first draw. The ledger is charged in full even if a question fails on the table."
        )
        return said
    holds = lines[0].guarantee
    written = f"hold **{words.name(holds)}**" if holds is not None else "say that this answer has **no guarantee**"
    return [*said, f"The ledger will {written}. It is charged in full even if the target fails on the table."]


def _rules(one: AskedLine) -> str:
    """What becomes of missing values, and how the columns were read."""
    columns, target = one.scenario.columns, one.scenario.target
    return escaped(f"{one.table.missing_rule(columns, target)} {one.table.read_as(columns)}".strip())


def whose(scenario: Scenario) -> str:
    """Of how many records, or people, a question is; a number of people that is not public was stated."""
    things = words.counted_in(scenario.adjacency)
    if scenario.adjacency.removes:
        which = "which" if scenario.adjacency.of_records else "whom"
        return f"the {things}, of {which} you state that they are about {scenario.n:,},"
    return f"the {scenario.n:,} {things}"


def _trials(sampled: Sequence[AskedLine], *, spent: bool) -> str:
    """What the trials are, what a wrong oracle does, how long they take and how Δ̂ comes of them."""
    one = sampled[0]
    scenario, point, several = one.scenario, one.scenario.point, len(sampled) > 1
    takes = words.figure(float(f"{max(sum(each.seconds for each in sampled), 0.01):.1g}"))
    long = "" if all(each.seconds <= cost.QUICK for each in sampled) else " of one core"
    oracles = dict.fromkeys(escaped(oracle_words(each.drawn_from)) for each in sampled)
    drawn = f"from the oracle {'of its question: ' * (len(oracles) > 1)}**{'** or **'.join(oracles)}**"
    size = "trial** sizes" if point.m == 1 else "trials** size"
    each_line = " of each line" * several
    change, things = words.trial_of(scenario.adjacency), words.counted_in(scenario.adjacency)
    same = " Numbers that are asked together are measured on the same tables." * (len(asked_together(scenario.target)) > 1)
    first = (
        "You first see it with the answer. Explore's ± comes of other trials, so the answer's ± will be another; with few trials "
        "it can differ by much."
        if not spent
        else "You see it with the answer. Its ± is not Explore's, which came of other trials."
    )
    early = " While they are made you may end them: Δ̂ is then that of the trials so far." * bool(
        long and not spent and scenario.bound is Bound.TIME_UNIFORM
    )
    return (
        f"**{point.m:,} fresh {size} the noise{each_line}. Each is a made-up table {drawn}, with {change}. "
        f"Where real {things} move the answer further than the oracle's do, more than γ can be left out. The trials "
        f"{'took' if spent else 'take'} about {takes} s{long} together.{same} Δ̂ is number {point.k:,} of the "
        f"{counted(point.m, ' distances')}, counted from the smallest, under {bound_words(point.bound.name)}. {first}{early}"
    )


def _worst(one: AskedLine, *, spent: bool) -> str:
    """The proved worst case, and how far its noise reaches: known before the press, for it asks no confidential table."""
    scenario, table = one.scenario, one.table
    columns = table.taken(scenario.columns, scenario.target)
    calibrated = preview.calibrated_worst_case(scenario)
    assert calibrated is not None
    if settles(scenario.target):
        who = "record" if person_of(scenario.target) is None else "person"
        return (
            f"One {who} can change the scores by at most {words.figure(calibrated.sensitivity.value)} (proved), which sizes the "
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


def _noise(one: AskedLine) -> str:
    """The noise of a line of a list: of all numbers together, or of a question that has a line of its own."""
    scenario = one.scenario
    sized = "the proved worst case" if one.worst_case else "the trials"
    parts = asked_together(scenario.target)
    if parts:
        what = f"{len(parts)} answers are numbers: together they get" if len(parts) > 1 else "One answer is numbers: it gets"
        return (
            f"{what} **{title(type(scenario.mechanism).__name__)}** noise at **ε = {scenario.epsilon:g}**, sized by "
            f"{sized}. Each has its own ± of it, as above. The noise is {noise_words(scenario)}."
        )
    how = f", chosen by {scenario.mechanism.chosen_by}" * bool(scenario.mechanism.chosen_by)
    return f"Question {one.numbers[0]} is a line of its own at **ε = {scenario.epsilon:g}**{how}, with noise sized by {sized}."


# At the button Release: whether the response may be shared, and what another press would be charged.


def sharing(book: Book, table: Table, lines: Sequence[Line], asked: Sequence[Line], *, spent: bool, of_list: bool) -> None:
    """``lines``: those of the press as they stand or stood; ``asked``: the same before anything was said of what came before."""
    may = may_share(lines, caveats=bool(book.caveats(table)))
    st.markdown(" ".join(part for part in (may, again(book, table, asked, spent=spent, of_list=of_list)) if part))


def may_share(lines: Sequence[Line], *, caveats: bool) -> str:
    """Of those that have a guarantee how, and of the others that they may not be; empty of a press that had no response."""
    holding = [line for line in lines if line.guarantee is not None]
    several = len(lines) > 1
    if not holding:
        private = "the responses as private releases" if several else "the response as a private release"
        return f"Do not share {private}." * bool(lines)
    bare = "Do not share a response that has no guarantee as a private release. " * (len(holding) < len(lines))
    it = "the others" if bare else "the responses" if several else "the response"
    if caveats:
        return f"{bare}If you share {it}, share the warning above with it: the guarantee does not cover what was seen."
    this = "each guarantee" if several else "this guarantee"
    if any(line.standing is Standing.HELD for line in holding):
        word = "its guarantee that this holds" if not several else "each guarantee whether it holds"
        return f"{bare}If you share {it}, share with {word} by your word alone."
    return f"{bare}**You may share {it} together with {this}.**"


def again(book: Book, table: Table, asked: Sequence[Line], *, spent: bool, of_list: bool) -> str:
    """What another press of the same would be charged, what the ledger would then hold, and what a plan would have kept."""
    if len(asked) > 1:
        return "Each press is charged again, for every part of the list."
    try:
        first = book if spent else after(book, table, asked[0].redrawn("a press to come: a"))
        second, ledger = _next(first, table, asked[0].redrawn("a press to come: b"))
    except DpcoreError:  # it would be refused, and the press says why
        return ""
    said = f"Each press is charged again. {'Another press' if spent else 'A second press'} {_would(second, ledger)}"
    if second.standing in (Standing.LARGER, Standing.NONE) and not of_list:  # a list is put into no plan by hand
        said += _planned(book, table, asked[0])
    return f"{said} The budget has no room for it." if not spent and first.refusal(table, asked[0]) else said


def _would(second: Line, ledger: Ledger) -> str:
    total = ledger.total()
    if second.standing is Standing.INEXACT:
        return "would have no guarantee either, because of how its noise is drawn."
    if second.standing is Standing.NONE:
        return "would have no guarantee, because this answer may have led to it."
    if second.standing is Standing.HELD:
        return "would have a guarantee of its own, which joins no total."
    if ledger.apart:
        return "would be charged to a ledger in which no one guarantee covers all."
    if total is None:
        return "would leave no promise for all together."
    why = " It is asked after an answer, so that its γ is larger." if second.standing is Standing.LARGER else ""
    return f"would bring this table's ledger to {words.name(total)}.{why}"


def after(book: Book, table: Table, line: Line) -> Book:
    """A copy of the book as it would be after this press, whatever a budget says."""
    copy = book.copied()
    copy.charge(table, lambda ledger: ledger.holding(line))
    return copy


def _next(book: Book, table: Table, line: Line) -> tuple[Line, Ledger]:
    """The press as it would stand, and the ledger that it would be charged to, with it."""
    sizes = [len(one.lines) for one in book.ledgers.get(table.digest, [])]
    grown = after(book, table, line).ledgers[table.digest]
    ledger = next(one for i, one in enumerate(grown) if i >= len(sizes) or len(one.lines) > sizes[i])
    return ledger.lines[-1], ledger


def _planned(book: Book, table: Table, asked: Line) -> str:
    """What two of them hold if both are listed before the first answer; empty where it is too late for a plan."""
    if book.responded(table):
        return ""
    both = Ledger().planned([asked, asked])
    total = both.holding(asked.redrawn("a press to come: a")).holding(asked.redrawn("a press to come: b")).total()
    return "" if total is None else f" Listed twice in a plan before the first answer, the two would hold {words.name(total)}."
