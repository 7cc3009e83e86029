"""Two lessons on sampled pairs: reading the empirical CDF of the sensitivity, and what γ, m and k can promise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.operating_points import OperatingPoint, chance_of_missing_more, half_width
from pages.figures.charts import staircase
from pages.figures.lessons import Points, before, curves
from pages.figures.theme import BLUE, Chart, line, transparent
from pages.lessons.example import YEARS, Example, with_fewest_pairs
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

# Reading the empirical CDF: a height, a position, and the band around it

_AT = 0.002  # years
_FEW = 19
_END = 0.014  # years, of the chart with the band


def _steps(of: Example, end: float = 0.0) -> Points:
    """Return the empirical CDF in percent, under its name."""
    moves = np.sort(of.sample().distances)
    x, y = staircase(moves, max(end, float(moves[-1])))
    return f"{of.m} pairs", np.repeat(x, 2)[1:], 100 * np.repeat(y, 2)[:-1]


def _cdf(of: Example, *lines: Points) -> Chart:
    largest = figure(float(of.sample().distances.max()))
    return curves(
        (_steps(of), *lines),
        x=YEARS,
        y="share of the pairs (%)",
        alt=f"The share of {of.m} sampled pairs that move the mean by at most this far. It reaches 100% at {largest} years.",
    )


def _height() -> Result:
    of = Example()
    within = int(np.count_nonzero(of.sample().distances <= _AT))
    share, name = 100 * within / of.m, f"{figure(_AT)} years"
    whole = _cdf(of, (name, np.array([_AT, _AT, 0.0]), np.array([0.0, share, share])))
    return Result(
        share,
        before(whole, f"{of.m} pairs", alt=f"{whole.alt} A line marks {name}.", at=(name, _AT)),
        whole,
        {"at": _AT, "m": of.m, "within": within, "share": share, "true": 100 * float(of.true_cdf(_AT))},
    )


def _inverse() -> Result:
    of = Example()
    value, height, wanted = of.sample().order_statistic, 100 * of.point.k / of.m, 100 * (1 - of.gamma)
    whole = _cdf(of, (f"Δ̂ = {figure(value)}", np.array([0.0, value, value]), np.array([height, height, 0.0])))
    share = (f"{wanted:g}%", np.array([0.0, float(of.sample().distances.max())]), np.full(2, wanted))
    return Result(
        value,
        replace(_cdf(of, share), alt=f"{whole.alt} A line marks {wanted:g}%."),
        whole,
        {"m": of.m, "k": of.point.k, "kept": f"{wanted:g}", "sampled": value, "more": of.m + 1},
    )


def _with_band(of: Example) -> Chart:
    """Return the empirical and the true CDF with the band of Dvoretzky, Kiefer, Wolfowitz and Massart."""
    name, x, y = _steps(of, _END)
    at: FloatArray = np.linspace(0, _END, 200)
    reach = 100 * half_width(of.m)
    chart = curves(
        ((name, x, y), ("true CDF", at, 100 * of.true_cdf(at))),
        x=YEARS,
        y="share of the pairs (%)",
        y_range=(0, 104),
        alt=f"The empirical CDF of {of.m} sampled pairs, a band of ±{reach:.0f} percentage points around it, and the true CDF.",
    )
    edges = np.concatenate([x, x[::-1]]), np.clip(np.concatenate([y + reach, (y - reach)[::-1]]), 0, 100)
    look = {"fill": "toself", "fillcolor": transparent(BLUE, 0.2), "line": {"width": 0}, "hoverinfo": "skip"}
    return replace(chart, traces=[line("95% band", *edges, BLUE) | look, *chart.traces])


def _band() -> Result:
    of = Example()
    return Result(
        "wider",
        _with_band(of),
        _with_band(replace(of, m=_FEW)),
        {
            "m": of.m,
            "few": _FEW,
            "narrow": 100 * half_width(of.m),
            "wide": 100 * half_width(_FEW),
            "times": half_width(_FEW) / half_width(of.m),
            "fold": f"{of.m / _FEW:.0f}",
        },
    )


READING_THE_CDF = read_lesson(
    "reading_the_cdf",
    {
        "height": (Slider(0, 100, 1, 20, "{}%", "y"), _height),
        "inverse": (Slider(0, 0.014, 0.0001, 0.001, "{} years", "x"), _inverse),
        "band": (Choice(), _band),
    },
    Example().scenario,
    live="gamma",
)

# Nineteen pairs: γ, m and k

_RUNS = 4_000


def running_share() -> FloatArray:
    """Return, for runs of m pairs and one new change, the share so far in which the new change went furthest."""
    size = with_fewest_pairs().m + 1
    moves = replace(Example(), m=_RUNS * size).sample().distances.reshape(_RUNS, size)
    further = moves[:, -1] > moves[:, :-1].max(axis=1)
    return np.asarray(np.cumsum(further) / np.arange(1, _RUNS + 1))


def _further() -> Result:
    m, share = with_fewest_pairs().m, running_share()
    chance, runs, name = 100 / (m + 1), np.arange(1, _RUNS + 1, dtype=np.float64), f"1 in {m + 1}"
    seen = figure(100 * float(share[-1]))
    whole = curves(
        (("runs so far", runs[9:], 100 * share[9:]), (name, runs, np.full(_RUNS, chance))),
        x="runs",
        y="new change went furthest (%)",
        alt=f"How often a new change went further than all {m} pairs. It settles near {chance:g}%. After {_RUNS:,} runs it is "
        f"{seen}%.",
    )
    return Result(
        chance,
        before(whole, alt=f"Empty axes for {_RUNS:,} runs."),
        whole,
        {
            "m": m,
            "more": m + 1,
            "chance": chance,
            "runs": _RUNS,
            "seen": str(round(_RUNS * share[-1])),
            "share": seen,
            "some": name,
        },
    )


def _misses(*points: OperatingPoint) -> Chart:
    shares, gamma = np.linspace(0, 0.25, 200), points[0].gamma
    chances = [np.array([100 * chance_of_missing_more(point, x) for x in shares]) for point in points]
    lines = [(f"{point.m} pairs", 100 * shares, chance) for point, chance in zip(points, chances, strict=True)]
    mark = (f"γ = {gamma:g}", np.full(2, 100 * gamma), np.array([0.0, 100.0]))
    far = ", ".join(f"{100 * chance_of_missing_more(point, 2 * gamma):.3g}% with {point.m} pairs" for point in points)
    return curves(
        (*lines, mark),
        x="not protected (% of changes)",
        y="runs with more than that (%)",
        alt=f"How many runs leave more than a share of changes unprotected. More than {200 * gamma:g}%: {far}.",
    )


def _one_run() -> Result:
    point = with_fewest_pairs().point
    whole, chance = _misses(point), round(100 * chance_of_missing_more(point))
    return Result(
        chance,
        before(whole, f"γ = {point.gamma:g}", alt=f"A line marks the promised {100 * point.gamma:g}%."),
        whole,
        {
            "m": point.m,
            "gamma": 100 * point.gamma,
            "chance": chance,
            "twice": 200 * point.gamma,
            "far": f"{100 * chance_of_missing_more(point, 2 * point.gamma):.0f}",
        },
    )


def _more_pairs() -> Result:
    small, large = with_fewest_pairs().point, Example().point
    whole = _misses(small, large)
    return Result(
        "closer",
        before(whole, f"{small.m} pairs", f"γ = {small.gamma:g}", alt=_misses(small).alt),
        whole,
        {
            "few": small.m,
            "many": large.m,
            "k": large.k,
            "gamma": 100 * small.gamma,
            "twice": 200 * small.gamma,
            "far": 100 * chance_of_missing_more(small, 2 * small.gamma),
            "rare": 100 * chance_of_missing_more(large, 2 * small.gamma),
        },
    )


def losing_more(of: Example, times: FloatArray | float) -> FloatArray:
    """Return how many random changes lose more than tε, in percent: 1 − Φ(tΔ̂) (mathematics, section 12.1).

    Args:
        of: The example.
        times: The multiple t.
    """
    return 100 * (1 - of.true_cdf(times * of.sample().order_statistic))


def _people() -> Result:
    of, times = Example(), np.linspace(0, 2.5, 200)
    beyond, twice = (float(losing_more(of, many)) for many in (1.0, 2.0))
    whole = curves(
        (("random changes", times, losing_more(of, times)), ("the promised ε", np.ones(2), np.array([0.0, 100.0]))),
        x="loss (multiples of ε)",
        y="changes that lose more (%)",
        alt="How many random changes lose more than a multiple of ε. "
        f"{figure(beyond)}% lose more than ε, and fewer lose even more.",
    )
    return Result(
        "nobody_knows",
        whole,
        whole,
        {
            "n": of.n,
            "gamma": 100 * of.gamma,
            "count": f"{of.n * of.gamma:.0f}",
            "epsilon": of.epsilon,
            "beyond": beyond,
            "beyond_twice": twice,
        },
    )


NINETEEN_PAIRS = read_lesson(
    "nineteen_pairs",
    {
        "further": (Slider(0, 50, 0.5, 30, "{}%", "y"), _further),
        "one_run": (Slider(0, 100, 1, 5, "{}%", "y"), _one_run),
        "more_pairs": (Choice(), _more_pairs),
        "people": (Choice(), _people),
    },
    with_fewest_pairs().scenario,
)
