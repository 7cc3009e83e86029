"""The answer in sentences whose numbers follow the hand: those of ``answer``, with slots where γ and ε change them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.answers.answer import moved_after
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.mechanisms.base import Calibrated
from pages.charts import answers as of_kinds
from pages.charts import live
from pages.charts.encoded import roughly, unit
from pages.charts.groups import shared_beginning
from pages.charts.moving import named as named_scale
from pages.experiment.changes import stride
from pages.experiment.live import tables
from pages.experiment.scenario import MOST_M
from pages.shared import answer, figures
from pages.shared.escape import behind, escaped, unmarked
from pages.shared.live.mounts import Piece, pieces, slot
from pages.state.view import Shown
from pages.wording.sentences import zero
from pages.wording.values import bound_words

SAMPLED, PROVED, SAME = "sampled", "proved", "same"
_NONE = "No private answer at this choice"


def sentences(view: Shown, *, alone: bool = False) -> dict[str, Any]:
    """What the part that says the answer needs. ``alone``: in a file or a lesson, where nobody makes more trials, and its heading
    stands below others."""
    return {"variants": variants(view, alone=alone)} | of_the_trials(view)


def of_the_trials(view: Shown) -> dict[str, Any]:
    """Of this, what hangs on them: which sentences stand there for each γ."""
    return {"of": by_place(which(view)), "most": MOST_M, "such": _such(view)}


def of_the_grids(view: Shown, gammas: FloatArray, epsilons: FloatArray) -> dict[str, Any]:
    """What sentences say of each γ and each ε, and the kind of answer of its noise, whatever the trials are."""
    return {
        "said": live.said(view.headline),
        "share": _shares(tuple(gammas.tolist())),
        "guess": _guesses(_at_one(view.leading.guarantee), tuple(epsilons.tolist())),
        "moves": unit(unmarked(behind(moved_after(view.answer)))),
    }


def titles(view: Shown, panel: str) -> dict[str, Any]:
    """What a wide chart of a panel says of itself, in the same way."""
    made = {name: [("h2", pieces(escaped(_title(view, panel, proved=name != SAMPLED))))] for name in (SAMPLED, PROVED, SAME)}
    return {"variants": made, "of": by_place(which(view)), "most": MOST_M}


def _title(view: Shown, panel: str, *, proved: bool) -> str:
    if panel == "sensitivity":
        return figures.moved(view, slot("covered"), slot("moved"))
    if panel == "trials":
        return figures.PROVED if proved else figures.left_out(view, slot("share"))
    said = _reach(view, view.leading)
    return figures.reached(view, slot("title") if said == slot("reach") else said)


def variants(view: Shown, *, alone: bool = False) -> dict[str, Any]:
    """The sentences by what leads; and where there is no answer, why. They are the same whatever the trials are."""
    heading = "h3" if alone else "h1"
    made = {SAMPLED: _answered(view, heading, proved=False, same=False)}
    if view.worst_noise is not None:
        made |= {name: _answered(view, heading, proved=True, same=name == SAME) for name in (PROVED, SAME)}
    return made | {name: _blocks(heading, _NONE, [why]) for name, why in _unanswered(view, alone=alone).items()}


def _unanswered(view: Shown, *, alone: bool) -> dict[str, str]:
    needs = f"γ = {slot('gamma')} needs {slot('needs')} trials under {bound_words(view.scenario.bound.name)}"
    noiseless = f"This mechanism has no noise at ε = {slot('epsilon')}. Take another ε"
    there = f"{needs}. There are {slot('trials')}."
    return {
        "raises": f"{there} Take a larger γ." if alone else f"{there} Let go, and m is raised to that.",
        "beyond": f"{there} Take a larger γ."
        if alone
        else f"{needs}, and this page draws at most {MOST_M:,}. Let go, and γ goes back to where it was.",
        "infinite": f"At γ = {slot('gamma')} too many trials gave no answer, so Δ̂ is ∞. Take a larger γ.",
        "zero": f"{zero(slot('sensitivity'))}.",
        "noiseless": f"{noiseless}." if alone else f"{noiseless}, or another mechanism under Options.",
    }


def _answered(view: Shown, heading: str, *, proved: bool, same: bool) -> list[Any]:
    noise = view.worst_noise if proved else view.noise
    assert noise is not None
    said_of_all, afresh = view.headline.together(noise), view.headline.on_fresh_records(noise)
    together = escaped(_follows(view, noise, "together", said_of_all)) if said_of_all else ""
    said = answer.Said(
        guarantee=named(noise),
        reach=escaped(_reach(view, noise)),
        together=together,
        covered=slot("covered"),
        trials=slot("trials"),
        sensitivity=slot("moved"),
        guess=f"at most {slot('guess')} times in 100",
        left_out=left_out_of(view),
        such_as=slot("such"),
        weaker=slot("weaker") if view.headline.short_reach(view.noise) else "",
        weakly=escaped(_reach(view, view.noise, "weaker")),
        afresh=_follows(view, noise, "afresh", afresh) if afresh else "",
    )
    return _blocks(heading, *answer.put_together(view, said, proved=proved, same=same))


def _blocks(level: str, heading: str, body: list[str]) -> list[tuple[str, list[Piece]]]:
    return [(level, pieces(heading)), ("p", pieces(" ".join(body)))]


def named(noise: Calibrated[Any]) -> str:
    """The guarantee by its name, with slots for ε and γ."""
    guarantee = noise.guarantee
    name = words.name(guarantee).replace(f"ε = {guarantee.epsilon:g}", f"ε = {slot('epsilon')}")
    return name.replace(f"γ = {guarantee.gamma:g}", f"γ = {slot('gamma')}") if isinstance(guarantee, RandomDP) else name


def _reach(view: Shown, noise: Calibrated[Any], name: str = "reach") -> str:
    """The sentence of its kind, with a slot for the number."""
    return _follows(view, noise, "reach", view.headline.reach(noise), name)


def _follows(view: Shown, noise: Calibrated[Any], what: str, sentence: str, name: str = "") -> str:
    """A sentence with a slot in place of what follows the hand; the slot alone where its kind does not say which part does."""
    parts, put = of_kinds.said(view.headline, noise, named_scale("scale", noise.law.scale)), slot(name or what)
    if what not in parts:
        return put
    said = str(parts[what].value)
    return sentence.replace(said, put, 1) if said else sentence


def which(view: Shown) -> list[str]:
    """The variant for each γ."""
    worst = view.worst_case

    def of(value: float) -> str:
        if worst is None or not view.leads_over(value):
            return SAMPLED
        return SAME if worst.value <= value * (1 + answer.SAME) else PROVED

    return [of(value) for value in sensitivities(view).values.tolist()]


def sensitivities(view: Shown) -> tables.SensitivityTable:
    """Δ̂ for each γ, of the trials of a view."""
    return tables.sensitivities(view.trials.sample, tables.by_gamma(view.scenario))


@lru_cache(maxsize=64)
def _shares(gammas: tuple[float, ...]) -> dict[str, Any]:
    """Each γ as a share without a promise is written."""
    return by_place([words.at_most(gamma) for gamma in gammas])


def left_out_of(view: Shown) -> str:
    """How large the share without a promise is, with a slot for it."""
    guarantee = view.noise.guarantee
    assert isinstance(guarantee, RandomDP)
    return words.left_out(guarantee, slot("share"))


@lru_cache(maxsize=64)
def _guesses(guarantee: Guarantee, epsilons: tuple[float, ...]) -> dict[str, str]:
    """How many times in 100 whoever guesses is right at most, for each ε."""
    every = [words.guess(replace(guarantee, epsilon=epsilon)) for epsilon in epsilons]
    return roughly(np.array([float(one.removeprefix("at most ").removesuffix(" times in 100")) for one in every]))


def _at_one(guarantee: Any) -> Any:
    """The same guarantee whatever γ and ε are."""
    same = replace(guarantee, epsilon=1.0)
    return replace(same, gamma=0.5) if isinstance(same, RandomDP) else same


def by_place(every: list[str]) -> dict[str, Any]:
    """A text for each place: each run of the same once, and where it ends; without what all begin and end with."""
    changes = [place for place in range(1, len(every)) if every[place] != every[place - 1]]
    said = [every[place] for place in (0, *changes)]
    before = shared_beginning(said) if changes else ""
    after = shared_beginning([one[len(before) :][::-1] for one in said])[::-1] if changes else ""
    made = {"said": [one[len(before) : len(one) - len(after)] for one in said], "before": before, "after": after}
    return made | ({"ends": [*changes, len(every)]} if len(said) < len(every) else {})


def _such(view: Shown) -> dict[str, Any] | None:
    """An example of a record that is not protected: so many times Δ̂ apart, where that is less than the most that there is."""
    found = stride(view.scenario, view.columns)
    if found is None:
        return None
    times, most = found
    before, _, after = pieces(answer.such_words(view, slot("apart")))
    said = {"before": before["text"], "behind": after["text"], "times": times, "most": most if np.isfinite(most) else None}
    return said | unit(unmarked(answer.after_of(view)))
