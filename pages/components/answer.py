"""The answer in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated
from dpcore.workbench import preview
from dpcore.workbench.scenario import TableRecords
from dpcore.workbench.unprotected import far_apart
from pages.components.escape import behind, escaped
from pages.session.question_words import question
from pages.session.view import Shown, View, Waiting


def show(view: View) -> None:
    """What is promised and what it costs, in one paragraph; or what stands in the way."""
    heading, body = sentences(view)
    st.markdown(f"# {heading}\n{' '.join(body)}")


def sentences(view: View) -> tuple[str, list[str]]:
    """A heading, and what stands under it."""
    if isinstance(view, Waiting) and view.job.running:
        return f"Making {view.job.m:,} trials", [escaped(view.why)]
    if not isinstance(view, Shown):
        return "No private answer at this choice", [escaped(view.why)]
    return _answered(view)


def _answered(view: Shown) -> tuple[str, list[str]]:
    """The guarantee that leads; where that is the stronger one, what the sampled one would be stands beside it."""
    said, leading = view.headline, view.leading
    body = [escaped(said.together(leading)), said.on_fresh_records(leading), _for_others(view)]
    body += [_named(leading.guarantee), _trial(view)]
    if leading is view.noise:
        body += [_protected(view, leading.guarantee), _unprotected(view), _oracle(view), _sized(view)]
    else:
        body += [_instead(view, leading), _protected(view, leading.guarantee)]
    asked = escaped(question(view.scenario, view.table))
    return f"{asked}: {_reach(view, leading)}", [part for part in body if part]


def _named(guarantee: Guarantee) -> str:
    """The guarantee by its name, and that it is the weaker one or the stronger."""
    name = words.name(guarantee)
    kind = "is weaker than differential privacy" if isinstance(guarantee, RandomDP) else "is differential privacy itself"
    return f"**{name[0].upper()}{name[1:]}**, {kind}."


def _for_others(view: Shown) -> str:
    """That an oracle which was fitted to a table promises nothing for it."""
    if view.proved or not view.after_an_answer:
        return ""
    return "**No guarantee for the table that the oracle was fitted to**, for the oracle knows it. This holds for other tables:"


def _reach(view: Shown, noise: Calibrated[Any]) -> str:
    """What a reader may expect of one private answer."""
    return escaped(view.headline.reach(noise)) + (_of(view) if view.headline.of_this_answer else "")


def _of(view: Shown) -> str:
    """Whose answer such a number was made from, where it is not a public table's."""
    if view.headline.exact.simulated:
        return " (on a simulated table)"
    return " (:material/lock: **uses the confidential table: do not publish**)" if view.confidential else ""


def _trial(view: Shown) -> str:
    """What was tried, and how far the answer moved."""
    sample, value = view.trials.sample, view.noise.sensitivity.value
    covered, m = int(np.count_nonzero(sample.distances <= value)), sample.point.m
    tried, where = ("a made-up table", "it") if m == 1 else (f"{m:,} made-up tables", f"{covered:,} of them")
    sized = "" if view.proved else ", so the noise is sized to that"
    moved = f"{view.headline.moved()} Δ̂ = {_with_unit(view, value)}"
    return f"We {words.tried(view.scenario.adjacency)} in {tried} from the oracle. In {where} {moved}{sized}."


def _with_unit(view: View, value: float) -> str:
    return counted(figure(value), behind(moved_after(view.answer)))


def _sized(view: Shown) -> str:
    """What is known of all tables."""
    target = view.scenario.target
    if view.worst_case is not None:
        return f"The worst case over all tables is {_with_unit(view, view.worst_case.value)}."
    if not preview.unlimited(target):
        return "No worst case is proved here."
    return f"Without {getattr(target, 'lacks', '')} there is no finite worst case."


def _protected(view: Shown, guarantee: Guarantee) -> str:
    """What ε and δ say, as the odds of a guess."""
    which = "" if isinstance(guarantee, RandomDP) else ", whatever the table"
    return (
        f"**Protected**{which}: whoever guesses from the answer {words.guessed(view.scenario.adjacency)} is right "
        f"{words.guess(guarantee)} (a coin: 50)."
    )


def _unprotected(view: Shown) -> str:
    """The share without a promise, of random changes and of no people, with an example: γ is an average over the draws,
    unless there is a confidence."""
    guarantee = view.noise.guarantee
    assert isinstance(guarantee, RandomDP)
    sure = "" if guarantee.confidence is None else f", with confidence {percent(guarantee.confidence)}"
    who = words.counted_in(view.scenario.adjacency)
    return (
        f"**Not protected**: of new random changes {words.left_out(guarantee)}{sure}, those with unusual {who}{_such_as(view)}."
    )


def _such_as(view: Shown) -> str:
    """An example of a record that is not protected, in the column's own unit."""
    apart = far_apart(view.scenario, view.columns, view.noise.sensitivity.value)
    if apart is None:
        return ""
    column = view.columns[0]
    unit = f" {escaped(column.unit)}" if column.unit else ""
    name = escaped(column.label or column.name)
    return f", such as one whose {name} is more than {figure(apart)}{unit} from its replacement's"


def _oracle(view: Shown) -> str:
    """What a wrong oracle does."""
    if view.scenario.oracle == TableRecords():
        return ""
    return f"A wrong oracle, whose {words.counted_in(view.scenario.adjacency)} differ less than real ones do, can leave out more."


def _instead(view: Shown, proved: Calibrated[Any]) -> str:
    """What holds on every table, and what the weaker guarantee would be."""
    worst, sampled = proved.sensitivity.value, view.noise
    always = f"Over all tables it is at most {_with_unit(view, worst)}, and the noise is sized to that"
    if worst <= sampled.sensitivity.value * (1 + 1e-9):
        return f"{always}: the weaker random DP would add no less noise."
    if view.after_an_answer:
        return f"{always}."
    reach = escaped(view.headline.short_reach(sampled))
    if reach:
        return f"{always}; the weaker random DP would be {reach}."
    cost = "That costs next to no accuracy: under" if view.free else "Under"
    return f"{always}. {cost} the weaker random DP, {_reach(view, sampled)}."
