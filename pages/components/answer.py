"""The answer in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpcore.answers.numbers import label
from dpcore.base.norms import L1, L2, LINF, RANGE
from dpcore.base.types import ClassifierTarget
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated, NoiseLaw
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.sampling.sampler import SensitivitySample
from dpcore.workbench import preview
from dpcore.workbench.scenario import TableRecords
from dpcore.workbench.unprotected import far_apart
from pages.components.escape import escaped
from pages.session.entry import question
from pages.session.view import View

_SHARE = 0.9
_MOVED = {
    L1: "{} together moved by at most", L2: "{} together moved a distance of at most", LINF: "none of {} moved by more than",
    RANGE: "{} moved against one another by at most",
}  # fmt: skip


def show(view: View) -> None:
    """What is promised and what it costs, in one paragraph; or what stands in the way."""
    st.markdown(_words(view))


def _words(view: View) -> str:
    """The stronger guarantee leads where it is nearly free; what the sampled one would be stands beside it."""
    noise, sample = view.sampled_noise, view.sample
    if view.job is not None and view.job.running:
        return f"# Making {view.job.m:,} trials\n{escaped(view.problem)}"
    if noise is None or sample is None:
        return f"# No private answer at this choice\n{escaped(view.problem or view.no_answer)}"
    proved = view.worst_noise if preview.nearly_free(view.worst_case, noise.sensitivity.value) else None
    leading = noise if proved is None else proved
    body = [_together(view, leading), _fresh(view, leading), _named(leading.guarantee), _trial(view, noise, sample)]
    if proved is None:
        body += [_protected(leading.guarantee), _unprotected(view, noise), _oracle(view), _sized(view)]
    else:
        body += [_instead(view, noise, proved), _protected(leading.guarantee)]
    asked = escaped(question(view.scenario, view.table))
    return f"# {asked}: {_reach(view, leading)}\n{' '.join(part for part in body if part)}"


def _named(guarantee: Guarantee) -> str:
    """The guarantee by its name, and that it is the weaker one or the stronger."""
    name = words.name(guarantee)
    kind = "is weaker than differential privacy" if isinstance(guarantee, RandomDP) else "is differential privacy itself"
    return f"**{name[0].upper()}{name[1:]}**, {kind}."


def _unit(view: View) -> str:
    return f" {escaped(view.unit)}" if view.unit and view.unit != "share" else ""


def _several(view: View) -> bool:
    return view.answer is not None and view.answer.value.size > 1


def _reach(view: View, noise: Calibrated[Any]) -> str:
    """What a reader may expect of one private answer."""
    law, shown = noise.law, view.answer
    if isinstance(law, SelectionLaw) and shown is not None:
        best = shown.value == shown.value.max()
        labels = escaped(", ".join(label(winner) for winner in law.winners(shown.value)[:5]))
        which = f"the winner “{labels}”" if best.sum() == 1 else f"one of the winners “{labels}”"
        return f"{which} is picked with chance {percent(float(law.probabilities(shown.value)[best].sum()))}{_of(view)}"
    if isinstance(view.scenario.target, ClassifierTarget) and shown is not None:
        private, exact = _errors(view, noise, view.scenario.target, shown)
        return (
            f"a private boundary misclassifies about {_few(private)} of the records it was fitted to, the non-private one "
            f"{_few(exact)}{_of(view)}"
        )
    if isinstance(law, NoiseLaw):
        reach = f"± {figure(law.half_width(_SHARE))}{_unit(view)}"
        each = f"each number, taken alone, lies within {reach} of its"
        return f"nine times in ten {each if _several(view) else f'answers lie within {reach} of the'} non-private one"
    if shown is not None and view.fit is not None:
        typical = preview.error(view.scenario, shown, view.fit, noise)
        return f"the private curve is typically {figure(typical)} away from the non-private one{_of(view)}"
    return f"noise of scale {figure(law.scale)} on each point of the lattice"


def _errors(view: View, noise: Calibrated[Any], target: ClassifierTarget, shown: preview.Answer) -> tuple[float, float]:
    """The shares of the shown records that a private answer and the non-private one misclassify."""
    return preview.error(view.scenario, shown, None, noise), preview.misclassified(target, shown.value[None], shown)


def _together(view: View, noise: Calibrated[Any]) -> str:
    """How far all numbers reach at once: taken alone, each is within its own reach more often than all of them are."""
    if view.answer is None or not _several(view) or not isinstance(noise.law, NoiseLaw):
        return ""
    if isinstance(view.scenario.target, ClassifierTarget):
        return ""  # its headline is of records
    size = view.answer.value.size
    reach = figure(preview.joint_half_width(noise.law, size, _SHARE))
    return f"All {size:,} together lie within ± {reach}{_unit(view)} nine times in ten."


def _fresh(view: View, noise: Calibrated[Any]) -> str:
    """A classifier on records that it was not fitted to: the oracle's, unless the oracle is the table itself."""
    scenario, shown = view.scenario, view.answer
    if not isinstance(scenario.target, ClassifierTarget) or shown is None or isinstance(scenario.oracle, TableRecords):
        return ""
    fresh = preview.on_fresh_records(scenario, scenario.resolved_oracle(view.table), shown)
    private, exact = _errors(view, noise, scenario.target, fresh)
    return f"On fresh made-up records it is about {_few(private)}, and {_few(exact)} without noise."


def _few(share: float) -> str:
    """A share of records as it is to be trusted: of a simulation."""
    return "under 0.01 %" if 0 < share < 1e-4 else percent(float(f"{share:.2g}"))


def _of(view: View) -> str:
    """Whose answer such a number was made from, where it is not a public table's."""
    if view.answer is not None and view.answer.simulated:
        return " (on a simulated table)"
    return " (:material/lock: **uses the confidential table: do not publish**)" if view.confidential else ""


def _trial(view: View, noise: Calibrated[Any], sample: SensitivitySample[Any]) -> str:
    """What was tried, and how far the answer moved."""
    value, m = noise.sensitivity.value, sample.point.m
    covered = int(np.count_nonzero(sample.distances <= value))
    tried, where = ("a made-up table", "it") if m == 1 else (f"{m:,} made-up tables", f"{covered:,} of them")
    sized = "" if preview.nearly_free(view.worst_case, value) else ", so the noise is sized to that"
    moved = f"{_moved(view, noise)} Δ̂ = {figure(value)}{_unit(view)}"
    return f"We changed one record in {tried} from the oracle. In {where} {moved}{sized}."


def _moved(view: View, noise: Calibrated[Any]) -> str:
    """What moved, and how that is measured: the norm in words."""
    if isinstance(noise.law, SelectionLaw):
        what = "the scores"
    elif view.fit is not None:
        what = "the points of the curve"
    elif isinstance(view.scenario.target, ClassifierTarget):
        what = "weights and bias"
    elif not _several(view):
        return "the answer moved by at most"
    else:
        what = "all numbers"
    return _MOVED[view.scenario.norm].format(what)


def _sized(view: View) -> str:
    """What is known of all tables."""
    target = view.scenario.target
    if view.worst_case is not None:
        return f"The worst case over all tables is {figure(view.worst_case.value)}{_unit(view)}."
    if not preview.unlimited(target):
        return "No worst case is proved here."
    return f"Without {getattr(target, 'lacks', '')} there is no finite worst case."


def _protected(guarantee: Guarantee) -> str:
    """What ε and δ say, as the odds of a guess."""
    which = "" if isinstance(guarantee, RandomDP) else ", whatever the table"
    return (
        f"**Protected**{which}: whoever guesses from the answer which of two records was in the table is right "
        f"{words.guess(guarantee)} (a coin: 50)."
    )


def _unprotected(view: View, noise: Calibrated[Any]) -> str:
    """The share without a promise, of random changes and of no people, with an example: γ is an average over the draws,
    unless there is a confidence."""
    guarantee = noise.guarantee
    assert isinstance(guarantee, RandomDP)
    sure = "" if guarantee.confidence is None else f", with confidence {percent(guarantee.confidence)}"
    return (
        f"**Not protected**: of new random changes {words.left_out(guarantee)}{sure}, those with unusual records"
        f"{_such_as(view, noise)}."
    )


def _such_as(view: View, noise: Calibrated[Any]) -> str:
    """An example of a record that is not protected, in the column's own unit."""
    apart = far_apart(view.scenario, view.columns, noise.sensitivity.value)
    if apart is None:
        return ""
    column = view.columns[0]
    unit = f" {escaped(column.unit)}" if column.unit else ""
    name = escaped(column.label or column.name)
    return f", such as one whose {name} is more than {figure(apart)}{unit} from its replacement's"


def _oracle(view: View) -> str:
    """What a wrong oracle does."""
    if isinstance(view.scenario.oracle, TableRecords):
        return ""
    return "A wrong oracle, whose records differ less than real ones do, can leave out more."


def _instead(view: View, noise: Calibrated[Any], proved: Calibrated[Any]) -> str:
    """What holds on every table, and what the weaker guarantee would be."""
    worst = proved.sensitivity.value
    always = f"Over all tables it is at most {figure(worst)}{_unit(view)}, and the noise is sized to that"
    if worst <= noise.sensitivity.value * (1 + 1e-9):
        return f"{always}: the weaker random DP would add no less noise."
    if isinstance(noise.law, NoiseLaw) and not isinstance(view.scenario.target, ClassifierTarget):
        return f"{always}; the weaker random DP would be ± {figure(noise.law.half_width(_SHARE))}{_unit(view)}."
    return f"{always}. Under the weaker random DP, {_reach(view, noise)}."
