"""What is worth saying of a ±: that it is about as large as the answers, or that a response shows its forecast to be wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, groups_of, person_of
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from pages.old.experiment.headlines.base import Headline, MeasuredHeadline

# Whether a ± is about as large as the answers themselves, on a made-up or a public table: then they say next to nothing.


_PART = 0.7  # of the size of an answer, from which on a ± is about as large


def as_large(headline: MeasuredHeadline, reach: float) -> str:
    """That it is so, and what would help; empty where it is not. Of a number between bounds, half their width is its size."""
    target: Any = headline.asked or headline.scenario.target
    bounds = facts(headline.answer).bounds
    sizes = np.abs(headline.centres) if not bounds else np.array([(bounds[1] - bounds[0]) / 2])
    if not sizes.size or not 0 < _PART * float(np.median(sizes)) <= reach:
        return ""
    people, groups = person_of(target) is not None and (facts(target).rows or 1) > 1, len(groups_of(target)) > 2
    helps = ["a larger ε", *["a smaller s"] * people, *["fewer groups"] * groups]
    would = helps[0] if len(helps) == 1 else f"{', '.join(helps[:-1])} or {helps[-1]}"
    of = "in a made-up table" if headline.exact.simulated else "in this public table"
    near = counted(figure(reach), headline.answer.after)
    return f"± {near} is about as large as such answers are {of}. What would help: {would}."


_DOUBT = 1e-3  # of a sentence about a table that is as was foretold
_NUMBERS = 2  # of a mean of known values: their sum and how many they are


def wrong_guess(headline: Headline, noise: Calibrated[Any], response: FloatArray, *, doubt: float = _DOUBT) -> str:
    """A sentence where the released numbers of known values lie further from what was foretold than their noise reaches; else
    empty. Where the table is as was foretold there is one in at most ``doubt`` of all releases. ``headline``: of the made-up
    table by which the ± was foretold. ``response``: released."""
    if headline.foretold is None:
        return ""
    groups = len(groups_of(headline.asked or headline.scenario.target)) or 1
    law: Any = noise.law
    released, made_up = (float(np.reshape(value, (-1, _NUMBERS))[:, 1].sum()) for value in (response, headline.exact.value))
    of_people = not headline.scenario.adjacency.of_records
    if headline.scenario.adjacency is Adjacency.REPLACE_ONE_RECORD:
        released = min(released, headline.scenario.n)  # which is public: what is above it is noise
    near = law.half_width(1 - doubt) * math.sqrt(groups)
    least, most = headline.foretold.least * made_up, headline.foretold.most * made_up
    if least - near <= released <= most + near:
        return ""
    larger = "larger" if released < least else "smaller"
    guesses = headline.exact.guesses
    guessed = guesses is not None and guesses.known is not None and (guesses.rows is not None or not of_people)
    so = "a guess of this table was wrong" if guessed else "this table is not as was assumed"
    return (
        f"About {max(0.0, released):,.0f} known values were counted, and {least:,.0f} to {most:,.0f} were foretold. So {so}, and "
        f"the ± is {larger} than the foretold one. {headline.foretold.words}"
    )


def hangs_on_guesses(answer: Any) -> bool:
    """Whether a ± of this kind of answer, or of one of several, is foretold from guesses."""
    inside = facts(answer).of or ()
    kinds = inside if isinstance(inside, tuple) else (inside,)
    return facts(answer).foretold is not None or any(hangs_on_guesses(kind) for kind in kinds)
