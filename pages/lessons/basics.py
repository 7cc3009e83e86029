"""Four lessons on the mean of 500 times: neighbours, noise and ε, sampled sensitivity, and the worst case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from dpcore.oracles.continuous import Exponential
from pages.figures.lessons import before, curves, dot_rows, with_ruler
from pages.figures.theme import Chart
from pages.lessons.example import RULER, YEARS, Example, best_guess, most_right
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

# Neighbouring tables differ in one row

_PAIRS = 100
_ALL, _THIS = f"{_PAIRS} random changes", "this change"


def _moves() -> tuple[FloatArray, FloatArray]:
    """Return how far apart the two rows of each pair are, and how far the mean moves."""
    of = Example()
    pairs = of.pairs(_PAIRS)
    apart = np.array([float(np.abs(one - other).sum()) for one, other in pairs])
    return apart, np.array([abs(of.answer(one) - of.answer(other)) for one, other in pairs])


def _all_moves() -> Chart:
    apart, moved = _moves()
    widest = int(np.argmax(apart))
    return curves(
        (),
        dots=((_ALL, apart, moved), (_THIS, apart[[widest]], moved[[widest]])),
        x="how far apart the two rows are (years)",
        y=YEARS,
        alt=f"{_PAIRS} random changes of one row. The mean moves in proportion to the change, "
        f"by at most {figure(moved.max())} years.",
    )


def _one_record() -> Result:
    of, (apart, moved) = Example(), _moves()
    widest = int(np.argmax(apart))
    one, other = of.pairs(_PAIRS)[widest]
    place = int(np.flatnonzero(one != other)[0])
    return Result(
        float(moved[widest]),
        before(_all_moves(), alt="Empty axes, with a line at this difference of the two rows.", at=(_THIS, apart[widest])),
        _all_moves(),
        {
            "n": of.n,
            "old": one[place],
            "new": other[place],
            "apart": apart[widest],
            "before": f"{of.answer(one):.4f}",
            "after": f"{of.answer(other):.4f}",
            "moved": moved[widest],
            "pairs": _PAIRS,
        },
    )


def _largest() -> Result:
    apart, moved = _moves()
    return Result(
        "far",
        dot_rows(((_ALL, moved),), x=YEARS, alt=f"How far {_PAIRS} random changes move the mean. One is far to the right."),
        _all_moves(),
        {"apart": apart.max(), "moved": moved.max(), "pairs": _PAIRS, "typical": np.median(moved)},
    )


def _more_records() -> Result:
    small = Example()
    large = replace(small, n=10 * small.n)
    rows = [(f"{of.n:,} rows", of.sample().distances) for of in (small, large)]
    furthest = " and ".join(f"{figure(float(moves.max()))} years with {name}" for name, moves in rows)
    whole = dot_rows(rows, x=YEARS, alt=f"{small.m} simulated changes of each table. The largest moves are {furthest}.")
    return Result(
        "tenth",
        before(whole, rows[0][0], alt=f"{small.m} simulated changes of {small.n:,} rows. The second row is empty."),
        whole,
        {
            "n": small.n,
            "large": large.n,
            "m": small.m,
            "small_median": np.median(rows[0][1]),
            "large_median": np.median(rows[1][1]),
        },
    )


NEIGHBOURS = read_lesson(
    "neighbours",
    {
        "one_record": (Slider(0, 0.03, 0.001, 0.025, "{} years", "y"), _one_record),
        "the_most": (Choice(), _largest),
        "more_records": (Choice(), _more_records),
    },
    Example().scenario,
)

# Noise and ε

_LESS, _MORE = 0.5, 5.0  # ε, beside that of the example
_MOST_NOISE = 0.98  # share of the noise on a chart


def noise(epsilon: float) -> NoiseLaw:
    """Return the noise at an ε."""
    law: NoiseLaw = Example(epsilon=epsilon).noise()
    return law


def right(epsilon: float) -> float:
    """Return how often the best guess is right, in percent, for tables whose answers are Δ̂ apart."""
    return float(best_guess(noise(epsilon), Example().sample().order_statistic)[0])


def _two_tables(epsilon: float, numbers: dict[str, str | float]) -> Result:
    """Return the guess which of two tables an answer is from, at an ε."""
    law, apart, truth = noise(epsilon), Example().sample().order_statistic, round(right(epsilon))
    reach = law.half_width(_MOST_NOISE)
    at = np.linspace(-reach, apart + reach, 400)
    chart = curves(
        (("first table", at, law.density(at)), ("its neighbour", at, law.density(at - apart))),
        x="private answer − answer of the first table (years)",
        y="how likely",
        density=True,
        alt=f"How likely each private answer is with two neighbouring tables, whose exact answers are {figure(apart)} years "
        f"apart, at ε = {figure(epsilon)}. The curves overlap and cross halfway.",
    )
    told = replace(chart, alt=f"{chart.alt} A guess is right {truth}% of the time.")
    return Result(truth, with_ruler(chart, RULER), with_ruler(told, RULER, truth), numbers | {"right": truth})


def _attacker() -> Result:
    of = Example()
    apart = of.sample().order_statistic
    return _two_tables(of.epsilon, {"apart": apart, "epsilon": of.epsilon, "most": most_right(of.epsilon)})


def _half() -> Result:
    of = Example()
    narrow, wide = noise(of.epsilon), noise(_LESS)
    at = np.linspace(-1, 1, 401) * wide.half_width(_MOST_NOISE)
    names = [f"ε = {figure(of.epsilon)}", f"ε = {figure(_LESS)}"]
    reach = [figure(law.half_width(SHARE_WITHIN)) for law in (narrow, wide)]
    whole = curves(
        ((names[0], at, narrow.density(at)), (names[1], at, wide.density(at))),
        x="noise (years)",
        y="how likely",
        density=True,
        alt=f"How likely each noise is. 95% is within ±{reach[0]} years at {names[0]}, and within ±{reach[1]} at {names[1]}.",
    )
    return Result(
        "twice",
        before(whole, names[0], alt=f"How likely each noise is at {names[0]}. 95% is within ±{reach[0]} years."),
        whole,
        {
            "epsilon": of.epsilon,
            "less": _LESS,
            "narrow": reach[0],
            "wide": reach[1],
            "right": f"{right(_LESS):.0f}",
            "before": f"{right(of.epsilon):.0f}",
        },
    )


def _large() -> Result:
    epsilon = Example().epsilon
    reach, wide = (noise(one).half_width(SHARE_WITHIN) for one in (_MORE, epsilon))
    return _two_tables(_MORE, {"more": _MORE, "epsilon": epsilon, "reach": reach, "before": wide})


NOISE = read_lesson(
    "noise",
    {
        "attacker": (Slider(50, 100, 1, 90, "{}%", "ruler"), _attacker),
        "half": (Choice(), _half),
        "large": (Slider(50, 100, 1, 75, "{}%", "ruler"), _large),
    },
    Example(epsilon=_LESS).scenario,
    live="epsilon",
)

# Sampled sensitivity

_WIDER = replace(Example(), oracle=Exponential(Example().oracle.rate / 2))  # rows that are spread out twice as far
_BEFORE, _TWICE = "as before", "twice as far"


def _pairs(*examples: Example) -> Chart:
    samples = [of.sample() for of in examples]
    rows = [(name, one.distances) for name, one in zip((_BEFORE, _TWICE), samples, strict=False)]
    moved = " and ".join(figure(one.order_statistic) for one in samples)
    return dot_rows(
        rows,
        [one.order_statistic for one in samples],
        x=YEARS,
        alt=f"{examples[0].m} simulated changes of one row. Lines mark Δ̂ = {moved} years.",
    )


def _furthest() -> Result:
    of, whole = Example(), _pairs(Example())
    sample = of.sample()
    return Result(
        sample.order_statistic,
        before(whole, _BEFORE, alt=f"{of.m} simulated changes of one row. Most move the mean a little, a few move it far."),
        whole,
        {
            "n": of.n,
            "m": of.m,
            "k": of.point.k,
            "beyond": of.m - of.point.k,
            "sampled": sample.order_statistic,
            "most": sample.distances.max(),
        },
    )


def _spread() -> Result:
    of, whole = Example(), _pairs(Example(), _WIDER)
    return Result(
        "twice",
        before(whole, _BEFORE, alt=f"{of.m} simulated changes of one row. The second row is empty."),
        whole,
        {
            "sampled": of.sample().order_statistic,
            "wider": _WIDER.sample().order_statistic,
            "typical": 1 / of.oracle.rate,
            "typical_wider": 1 / _WIDER.oracle.rate,
        },
    )


def _simulated() -> Result:
    of, whole = Example(), _pairs(Example())
    return Result("simulated", whole, whole, {"sampled": of.sample().order_statistic, "m": of.m})


SENSITIVITY = read_lesson(
    "sensitivity",
    {
        "furthest": (Slider(0, 0.014, 0.0001, 0.001, "{} years", "x"), _furthest),
        "spread": (Choice(), _spread),
        "made_of": (Choice(), _simulated),
    },
    _WIDER.scenario,
)

# The worst case and the likely case (Example 6 of Rubinstein and Aldà 2017)

_LONG = 5_000.0  # years
_MOST = 20.0  # years, at which times are clipped, so there is a worst case
_BOUNDED = Example().limited(_MOST)
_FEWER = 0.001  # γ, beside that of the example
_SHOWN = 0.95  # share of the wider noise on a chart


def _worst() -> Result:
    of = Example()
    database, _ = of.pairs(1)[0]
    times = np.linspace(database[0], _LONG, 25)
    answers = np.array([of.answer(np.concatenate(([time], database[1:]))) for time in times])
    moved, sampled = np.abs(answers - answers[0]), of.sample().order_statistic
    near = f"Δ̂ = {figure(sampled)}"
    whole = curves(
        (("one row", times, moved), (near, times, np.full(len(times), sampled))),
        x="the row's new time (years)",
        y=YEARS,
        alt=f"The longer one row's time, the further the mean moves, without a limit: {figure(moved[-1])} years at {_LONG:,.0f} "
        f"years. {near} is close to zero.",
    )
    return Result(
        "no_end",
        before(whole, near, alt=f"How far the mean moves, by the new time of one row. {near} is close to zero."),
        whole,
        {"n": of.n, "long": f"{_LONG:,.0f}", "moved": moved[-1], "sampled": sampled},
    )


def covered(of: Example, gamma: float) -> float:
    """Return the distance that all but a share γ of random changes stay within, from the true distribution.

    Args:
        of: The example.
        gamma: The share.
    """
    from scipy.optimize import brentq  # slow to import

    return float(brentq(lambda far: float(of.true_cdf(far)) - (1 - gamma), 0, 1, xtol=1e-14))


def _likely() -> Result:
    of = Example()
    gammas = of.gamma, _FEWER
    less, more = (covered(of, gamma) for gamma in gammas)
    some, few = (f"1 in {1 / gamma:,.0f}" for gamma in gammas)
    at = np.linspace(0, 1.2 * more, 300)
    whole = curves(
        (("true distribution", at, 100 * of.true_cdf(at)),),
        dots=[
            (f"all but {name}", [far], [100 * (1 - gamma)])
            for name, far, gamma in zip((some, few), (less, more), gammas, strict=True)
        ],
        x=YEARS,
        y="share of changes (%)",
        alt=f"How many random changes move the mean by at most a distance. All but {some} stay within {figure(less)} years, "
        f"and all but {few} within {figure(more)} years.",
    )
    return Result(
        more / less,
        before(whole, f"all but {some}", alt=f"One point: all but {some} random changes stay within {figure(less)} years."),
        whole,
        {
            "some": some,
            "few": few,
            "less": less,
            "more": more,
            "fold": f"{of.gamma / _FEWER:.0f}",
            "times": more / less,
            "m": of.m,
            "sampled": of.sample().order_statistic,
        },
        unit=less,
    )


def _bounded() -> Result:
    of, sampled, proved = _BOUNDED, _BOUNDED.noise(), _BOUNDED.proved()
    worst, reach = proved.law, sampled.half_width(SHARE_WITHIN)
    at = np.linspace(-1, 1, 401) * worst.half_width(_SHOWN)
    whole = curves(
        (("for Δ̂", at, sampled.density(at)), ("for the worst case", at, worst.density(at))),
        x="noise (years)",
        y="how likely",
        density=True,
        alt=f"How likely each noise is. 95% is within ±{figure(reach)} years if it is calibrated to Δ̂, and within "
        f"±{figure(worst.half_width(SHARE_WITHIN))} years if it is calibrated to the worst case.",
    )
    return Result(
        worst.scale / sampled.scale,
        before(
            whole,
            "for Δ̂",
            alt=f"How likely each noise is that is calibrated to Δ̂. 95% is within ±{figure(reach)} years.",
            at=("end of 95%", reach),
        ),
        whole,
        {
            "n": of.n,
            "most": _MOST,
            "worst": proved.sensitivity.value,
            "sampled": of.sample().order_statistic,
            "times": worst.scale / sampled.scale,
            "some": f"1 in {1 / of.gamma:,.0f}",
        },
        unit=reach,
    )


WORST_CASE = read_lesson(
    "worst_case",
    {
        "worst": (Choice(), _worst),
        "bounded": (Slider(1, 12, 0.1, 2, "{} times as wide", "x"), _bounded),
        "likely": (Slider(1, 6, 0.1, 5, "{} times as far", "x"), _likely),
    },
    _BOUNDED.scenario,
)
