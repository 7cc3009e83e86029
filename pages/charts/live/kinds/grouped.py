"""A number for each group: bars or dots side by side, with whiskers in units of the noise's scale."""

from __future__ import annotations

from typing import Any

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.charts.answers.grouped import SAMPLED, WORST, described
from pages.charts.drawn import BLUE, GREEN, VERMILION, with_unit
from pages.charts.groups import APART, FAINT, WIDE
from pages.charts.live.encoded import unit
from pages.charts.live.kinds import BY, Beside, errors, of_scale_one, side_by_side
from pages.experiment.headlines.grouped import GroupedHeadline
from pages.experiment.headlines.numbers import NumbersHeadline


def names(shown: GroupedHeadline) -> tuple[str, ...]:
    """None where a ± is not so many times the noise's scale, as of a choice, or of a ratio of noisy numbers."""
    of_numbers = all(isinstance(headline, NumbersHeadline) for headline in shown.each)
    return ("answers", "error") if of_numbers and isinstance(shown.noise.law, NoiseLaw) else ()


def views(shown: GroupedHeadline, off: float) -> dict[str, dict[str, Any]]:
    """Own numbers, and how far private ones lie from them."""
    bars = bool(facts(shown.answer).from_zero)
    own = Beside(name=shown.exact.name, colour=GREEN, symbol="circle", wide=WIDE * bars, opacity=FAINT if bars else 1.0)
    one, two = _half(shown), shown.worst is not None
    looks = [{"name": SAMPLED, "colour": BLUE}, {"name": WORST, "colour": VERMILION, "dash": "dot"}]
    whiskers = [
        Beside(by=by, half=one, ends=look, apart=apart if two else 0.0)
        for by, look, apart in zip(BY[: 1 + two], looks, (-APART, APART), strict=False)
    ]
    alt = f"{described(shown)} lie within{', and a dashed one under the worst case' if two else ''}."
    drawn = side_by_side(
        shown.labels, shown.centres, [own, *whiskers], up=with_unit("answer", shown.answer.unit), alt=alt, worst=two, zero=bars
    )
    law: Any = of_scale_one(shown.noise).law
    return {"answers": drawn, "error": errors(shown) | {"mean": shown.error(law)}}


def said(shown: GroupedHeadline) -> dict[str, Any]:
    """Of a ± in units of the noise's scale, ``half``; and of what all groups keep within at once, ``all``."""
    together = float(shown.joint_reaches(of_scale_one(shown.noise)).max())
    return {"half": _half(shown), "all": together} | unit(shown.answer.after)


def follows(shown: GroupedHeadline, noise: Any) -> dict[str, str]:
    """What of its sentences the browser puts in, as it is under this noise."""
    together = f"± {counted(figure(float(shown.joint_reaches(noise).max())), shown.answer.after)}"
    return {"reach": shown.short_reach(noise), "together": together}


def _half(shown: GroupedHeadline) -> float:
    """The same of every group, for all have the same noise."""
    return float(shown.reaches(of_scale_one(shown.noise), SHARE_WITHIN).max())
