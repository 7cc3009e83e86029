"""What is fixed before the click: each question in full, its noise and what that is sized to, and the sampled pairs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.facts import facts
from dpcore.base.types import groups_of
from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from dpcore.mechanisms.base import Calibrated
from pages import jobs
from pages.escape import behind, escaped
from pages.experiment.blocks import accuracy_words, dealt_words
from pages.experiment.choices import title
from pages.experiment.computable import answered
from pages.experiment.descriptions import oracle_words, target_words
from pages.experiment.margins import margin
from pages.experiment.names import bound_words
from pages.experiment.noise import calibrate_worst_case, sampling
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.press import Press
from pages.ledger.reach import ranks_before_a_press, reach_of
from pages.ledger.released_line import AskedLine


def of(asked: Press, table: Table) -> list[str]:
    """Return a paragraph for each question, and sentences on the sampled pairs."""
    sampled = [one for one in asked.lines if not one.worst_case]
    return [_question(one, table) for one in asked.lines] + (_pairs(sampled) if sampled else [])


def _question(one: AskedLine, table: Table) -> str:
    scenario = one.scenario
    what = escaped(target_words(scenario.target, table.taken(scenario.columns, scenario.target)))
    number = f"Question {one.number}: " if one.number else ""
    rules = escaped(f"{table.missing_rule(scenario.columns, scenario.target)} {table.read_as(scenario.columns)}".strip())
    blocks = " ".join(filter(None, (dealt_words(scenario), accuracy_words(scenario, table))))
    sized = _worst_case(scenario, table) if one.worst_case else _sampled(one)
    ranks = escaped(ranks_before_a_press(scenario, table))
    return " ".join(
        filter(None, (f"{number}{what}, at ε = {scenario.epsilon:g}.", rules, _noise(scenario), sized, ranks, blocks))
    )


def _sampled(one: AskedLine) -> str:
    scenario = one.scenario
    return f"Its size comes from {scenario.m:,} sampled pairs at γ = {descriptions.figure(scenario.gamma)}."


def _worst_case(scenario: Scenario, table: Table) -> str:
    """Say the proved worst case, and how far its noise reaches: no confidential table is asked."""
    try:
        calibrated = calibrate_worst_case(scenario)
    except DpcoreError:  # no noise at this ε: the receipt says so
        return ""
    assert calibrated is not None
    answer = answered(scenario, table.taken(scenario.columns, scenario.target))
    size = counted(descriptions.figure(calibrated.sensitivity.value), behind(moved_after(answer)))
    said = [f"Its size comes from the proved worst case, {size}: no pairs are sampled, and no oracle is used."]
    reach = reach_of(calibrated, answer)
    if isinstance(reach, float):
        near = counted(descriptions.figure(reach), behind(answer.after)) + everyday(reach, behind(answer.after))
        said.append(f"95% of the time, the noise on a number is within ± {near}.")
    return " ".join([*said, escaped(_margin(scenario, table, calibrated))])


def _margin(scenario: Scenario, table: Table, noise: Calibrated[Any]) -> str:
    """Return the predicted ± in sentences, if it depends on the table or is as large as the answers; otherwise empty.

    Args:
        scenario: The scenario.
        table: Its table. If it is confidential, a simulated one is used.
        noise: The noise of the release.
    """
    try:
        found = margin(jobs.question(scenario, table), noise.law)
    except DpcoreError:
        return ""
    if found is None:
        return ""
    said = ""
    if found.depends_on_table and (table.public or found.rests_on):
        which = "the answer of a group" if groups_of(scenario.target) else "the answer"
        said = f"95% of the time, {which} is within {found.text} of the {found.centre}."
    return " ".join(filter(None, (said, found.rests_on, found.as_large)))


def _noise(scenario: Scenario) -> str:
    """Say how the noise is drawn."""
    mechanism, target = scenario.mechanism, scenario.target
    fresh = noise_words(scenario)
    if steps := facts(mechanism).steps:
        return f"{steps(scenario.epsilon, target)}. The noise is {fresh}. {facts(target).untold}".rstrip()
    if mechanism.chosen_by:
        candidates = len(facts(mechanism).candidates or facts(target).candidates)
        return f"One of {counted(candidates, ' candidates')} is chosen by {mechanism.chosen_by}, with noise that is {fresh}."
    return f"{title(type(mechanism).__name__)} noise is added. It is {fresh}."


def noise_words(scenario: Scenario) -> str:
    """Return how the noise is drawn, to follow "the noise is"."""
    drawn = sampling(scenario)
    if drawn is None:
        return "not there at this ε"
    return f"drawn afresh and {drawn.words}" if drawn.exact else drawn.words


def _pairs(sampled: Sequence[AskedLine]) -> list[str]:
    """Say what the sampled pairs are, how long they take, and how Δ̂ follows from them."""
    scenario, point = sampled[0].scenario, sampled[0].scenario.point
    seconds = descriptions.figure(float(f"{max(sum(each.seconds for each in sampled), 0.01):.1g}"))
    oracles = dict.fromkeys(escaped(oracle_words(each.drawn_from)) for each in sampled)
    return [
        f"{point.m:,} fresh pairs are sampled{' for each question' * (len(sampled) > 1)}: a table from the oracle, and the same "
        f"with {descriptions.trial_of(scenario.adjacency)}. This takes about {seconds} s.",
        f"The oracle: {' or '.join(oracles)}.",
        f"Δ̂ is number {point.k:,} of {point.m:,} distances, counted from the smallest, under {bound_words(point.bound.name)}. "
        "You first see it with the answers, so each ± differs from what Explore shows.",
    ]
