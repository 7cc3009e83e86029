"""What a chart of Explore says of the state that it shows, in a sentence: the title of a wide one."""

from __future__ import annotations

import numpy as np

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.words import figure
from pages.shared import badges
from pages.state.view import Shown, View


def sensitivity(view: View) -> str:
    """How far the answer moved; empty before all trials are there."""
    if not isinstance(view, Shown):
        return ""
    value = view.noise.sensitivity.value
    covered = int(np.count_nonzero(view.trials.sample.distances <= value))
    return moved(view, f"{covered:,}", counted(figure(value), moved_after(view.answer)))


def moved(view: Shown, covered: str, sensitivity: str) -> str:
    """The same with these numbers, as they are written."""
    return f"In {covered} of {counted(view.trials.sample.point.m, ' trials')} {view.headline.moved()} {sensitivity}"


PROVED = "The noise is sized to the worst case: no change is left out, however many trials there are"


def operating_point(view: View) -> str:
    """What the trials leave out, where the noise is sized to them; empty where there is no answer."""
    if not isinstance(view, Shown):
        return ""
    return PROVED if view.proved else left_out(view, words.at_most(view.scenario.gamma))


def left_out(view: Shown, share: str) -> str:
    """The same under this γ, as it is written."""
    scenario = view.scenario
    trials = f"With {counted(scenario.m, ' trials')}"
    kept = f"at most {share} of random changes are not protected"
    if scenario.confidence is None:
        return f"{trials}, {kept}, on average over the trials"
    return f"{trials}, {kept}, with confidence {words.sure(scenario.confidence)}"


def answers(view: View) -> str:
    """How far off private answers are, and of which table that is told; empty where there are none."""
    if not isinstance(view, Shown):
        return ""
    return reached(view, view.headline.reach(view.leading))


def reached(view: Shown, said: str) -> str:
    """The same of what a reader may expect."""
    return said[0].upper() + said[1:] + _whose(view)


def _whose(view: Shown) -> str:
    rests_on = view.headline.rests_on.rstrip(".")
    return badges.whose(view, foretold=f". {rests_on}")


def error(view: View) -> str:
    """The expected error at this ε; empty where there is no answer."""
    if not isinstance(view, Shown):
        return ""
    said, scenario = view.headline, view.scenario
    off = counted(figure(said.error(view.leading.law)), said.answer.after)
    return f"At ε = {scenario.epsilon:g} the expected error is {off}{_whose(view)}"
