"""The answer in sentences whose numbers follow the hand: those of ``answer``, with slots where γ and ε change them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from dpcore.answers.answer import moved_after
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from dpcore.mechanisms.base import Calibrated
from pages.experiment.scenario import MOST_M
from pages.old.charts import answers as of_kinds
from pages.old.charts import live, moving
from pages.old.charts.moving import Moving, named
from pages.old.experiment.changes import stride
from pages.old.shared import answer, figures
from pages.old.shared.answer import Sentences
from pages.old.shared.counted_odds import guessed_in_100
from pages.old.shared.escape import behind, escaped, unmarked
from pages.old.shared.live.mounts import Piece, pieces, slot
from pages.old.state.view import Shown
from pages.old.wording.sentences import zero
from pages.old.wording.values import bound_words

SAMPLED, PROVED, SAME = "sampled", "proved", "same"
_NONE = "No private answer at this choice"
_looked = partial(named, value=0.0)  # whatever it is now: a browser looks it up


def leads() -> Moving:
    """Which guarantee leads, as ``titles`` and ``counted_odds`` name their variants; "none" where there is no answer."""
    which = moving.where(_looked("proved"), moving.words_of(PROVED), moving.words_of(SAMPLED))
    return moving.where(_looked("answered"), which, moving.words_of("none"))


def rules(view: Shown) -> dict[str, Moving]:
    """What each slot says at any γ and ε, whatever the trials are."""
    of_kind, delta = live.said(view.headline), _looked("delta")
    said = {
        "gamma": moving.general(_looked("gamma")),
        "epsilon": moving.general(_looked("epsilon")),
        "covered": moving.whole(_looked("covered")),
        "trials": moving.whole(_looked("m")),
        "needs": moving.whole(_looked("needs")),
        "guess": moving.general(_looked("guess")),
        "share": _looked("share"),
        "sensitivity": moving.figure(delta),
        "moved": moving.counted(delta, unmarked(behind(moved_after(view.answer)))),
        "such": _such(view, delta),
    }
    return said | of_kind | {"title": _capital(of_kind["reach"])}


def _capital(said: Moving) -> Moving:
    """At the beginning of a sentence."""
    name, first, *more = said.rule
    return Moving(None, [name, first[0].upper() + first[1:], *more]) if name == "words" else said


def _such(view: Shown, delta: Moving) -> Moving:
    """An example of a record that is not protected: so many times Δ̂ apart, where that is less than the most that there is."""
    found = stride(view.scenario, view.columns)
    if found is None:
        return moving.words_of()
    before, _ = pieces(answer.such_words(view, slot("apart")))
    apart = moving.counted(found[0] * delta, unmarked(answer.after_of(view)))
    said = moving.words_of(before["text"], apart)
    return moving.where(moving.at_most(found[1], found[0] * delta), moving.words_of(), said)


def of_the_grids(view: Shown, gammas: list[float], epsilons: list[float]) -> dict[str, Any]:
    """Each γ as a share without a promise is written, and how often whoever guesses is right at most at each ε."""
    guesses = [guessed_in_100(replace(view.leading.guarantee, epsilon=epsilon)) for epsilon in epsilons]
    return {"share": [words.at_most(gamma) for gamma in gammas], "guess": guesses}


def titles(view: Shown, panel: str) -> dict[str, Any]:
    """What a wide chart of a panel says of itself, in the same way."""
    made = {name: [("h2", pieces(escaped(_title(view, panel, name))))] for name in (SAMPLED, PROVED)}
    return {"variants": made, "by": leads().rule}


def _title(view: Shown, panel: str, leading: str) -> str:
    if panel == "sensitivity":
        return figures.moved(view, slot("covered"), slot("moved"))
    if panel == "trials":
        return figures.PROVED if leading == PROVED else figures.left_out(view, slot("share"))
    said = _reach(view, view.leading)
    return figures.reached(view, slot("title") if said == slot("reach") else said)


def sentences(view: Shown) -> dict[str, Any]:
    """The tables of sentences of a page, each by what leads; without an answer they say why. No trial changes them."""
    made = _by_what_leads(view, alone=False)
    return {
        "headings": {name: [("h1", pieces(one.heading))] for name, one in made.items()},
        "promises": {name: [("p", pieces(" ".join(one.promise)))] for name, one in made.items()},
        "known": {name: [("p", pieces(" ".join(one.known)))] for name, one in made.items()},
    }


def alone(view: Shown) -> dict[str, Any]:
    """The same in a file or a lesson, where nobody makes more trials, and its heading stands below others."""
    made = _by_what_leads(view, alone=True)
    return {name: [("h3", pieces(one.heading)), ("p", pieces(" ".join(one.body)))] for name, one in made.items()}


def _by_what_leads(view: Shown, *, alone: bool) -> dict[str, Sentences]:
    made = {SAMPLED: _answered(view, view.noise)}
    if view.worst_noise is not None:
        made |= {name: _answered(view, view.worst_noise, proved=True, same=name == SAME) for name in (PROVED, SAME)}
    return made | {name: Sentences(_NONE, (why,)) for name, why in _unanswered(view, alone=alone).items()}


def _unanswered(view: Shown, *, alone: bool) -> dict[str, str]:
    needs = f"γ = {slot('gamma')} needs {slot('needs')} trials under {bound_words(view.scenario.bound.name)}"
    there, noiseless = (
        f"{needs}. There are {slot('trials')}.",
        f"This mechanism has no noise at ε = {slot('epsilon')}. Take another ε",
    )
    more = f"{needs}, and this page draws at most {MOST_M:,}. Let go, and γ goes back to where it was."
    return {
        "raises": f"{there} {'Take a larger γ' if alone else 'Let go, and m is raised to that'}.",
        "beyond": f"{there} Take a larger γ." if alone else more,
        "infinite": f"At γ = {slot('gamma')} too many trials gave no answer, so Δ̂ is ∞. Take a larger γ.",
        "zero": f"{zero(slot('sensitivity'))}.",
        "noiseless": f"{noiseless}{'' if alone else ', or another mechanism under Options'}.",
    }


def _answered(view: Shown, noise: Calibrated[Any], *, proved: bool = False, same: bool = False) -> Sentences:
    said_of_all, afresh = view.headline.together(noise), view.headline.on_fresh_records(noise)
    said = answer.Said(
        guarantee=guarantee(noise),
        reach=escaped(_reach(view, noise)),
        together=escaped(_follows(view, noise, "together", said_of_all)) if said_of_all else "",
        covered=slot("covered"),
        trials=slot("trials"),
        sensitivity=slot("moved"),
        guess=guess(),
        left_out=left_out_of(view),
        such_as=slot("such"),
        weaker=slot("weaker") if view.headline.short_reach(view.noise) else "",
        weakly=escaped(_reach(view, view.noise, "weaker")),
        afresh=_follows(view, noise, "afresh", afresh) if afresh else "",
    )
    return answer.put_together(view, said, proved=proved, same=same)


def guarantee(noise: Calibrated[Any]) -> str:
    """The guarantee by its name, with slots for ε and γ."""
    of = noise.guarantee
    name = words.name(of).replace(f"ε = {of.epsilon:g}", f"ε = {slot('epsilon')}")
    return name.replace(f"γ = {of.gamma:g}", f"γ = {slot('gamma')}") if isinstance(of, RandomDP) else name


def guess() -> str:
    """How often somebody is right, with a slot for it."""
    return f"at most {slot('guess')} times in 100"


def left_out_of(view: Shown) -> str:
    """How large the share without a promise is, with a slot for it."""
    of = view.noise.guarantee
    assert isinstance(of, RandomDP)
    return words.left_out(of, slot("share"))


def _reach(view: Shown, noise: Calibrated[Any], name: str = "reach") -> str:
    """The sentence of its kind, with a slot for the number."""
    return _follows(view, noise, "reach", view.headline.reach(noise), name)


def _follows(view: Shown, noise: Calibrated[Any], what: str, sentence: str, name: str = "") -> str:
    """A sentence with a slot in place of what follows the hand; the slot alone where its kind does not say which part does."""
    parts, put = of_kinds.said(view.headline, noise, named("scale", noise.law.scale)), slot(name or what)
    if what not in parts:
        return put
    said = str(parts[what].value)
    return sentence.replace(said, put, 1) if said else sentence


def blocks(sentence: str) -> list[tuple[str, list[Piece]]]:
    """A heading of the third level and what stands under it, or that alone."""
    heading, below, body = sentence.partition("\n")
    return [("h3", pieces(heading.removeprefix("### "))), ("p", pieces(body))] if below else [("p", pieces(sentence))]
