"""Two lessons on the limits of random differential privacy: ways to void the guarantee, and who is not protected."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from dpcore import OperatingPoint
from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.figures.lessons import PERCENT_RIGHT, before, curves, dot_rows, right_guesses, with_ruler
from pages.lessons.example import RULER, YEARS, Example, best_guess, most_right, with_fewest_pairs
from pages.lessons.lesson import Choice, Result, Slider, read_lesson

# The guarantee is void: a wrong oracle, a look at the table, redrawing, and a choice after an answer

_SPREAD = 2.0  # real rows, compared with the oracle's
_DRAWS = 10  # samples, until one looks good
_LONG = 50.0  # years
_SHOWN = 20  # samples on a chart
_UNPROTECTED = "not protected (% of changes)"
# The second γ is chosen after the first answer (mathematics, section 4.5).
_EPSILON, _FIRST = 20.0, 0.005  # of the first question
_LARGE, _GENEROUS, _STRICT = 3.5, 0.2, 0.001  # the second γ is generous if the first answer is above this many years
_PAIRS, _PAIRS_SEED, _POINTS = 400_000, 5, 400


def missed(point: OperatingPoint, times: float) -> float:
    """Return the average unprotected share if real exponential rows are spread out differently: E V^(1/times).

    V, the unprotected share under the oracle, has the distribution Beta(m − k + 1, k) (mathematics, section 1.3).

    Args:
        point: The operating point.
        times: Spread of real rows, in multiples of the oracle's.
    """
    from scipy.special import beta  # slow to import

    first = point.m - point.k + 1
    return float(beta(first + 1 / times, point.k) / beta(first, point.k))


def _wrong_oracle() -> Result:
    of, times = Example(), np.linspace(0.25, 4, 100)
    unprotected = np.array([100 * missed(of.point, float(one)) for one in times])
    truth = 100 * missed(of.point, _SPREAD)
    whole = curves(
        (("not protected", times, unprotected), ("promised", times, np.full(len(times), 100 * of.gamma))),
        dots=(("this world", [_SPREAD], [truth]),),
        x="spread of real rows (multiples of the oracle's)",
        y=_UNPROTECTED,
        alt=f"How many real changes are unprotected, by the spread of real rows. If it is the oracle's, it is the promised "
        f"{100 * of.gamma:g}%. At twice the spread it is {truth:.0f}%.",
    )
    return Result(
        truth,
        before(
            whole,
            "promised",
            alt=f"{100 * of.gamma:g}% is promised. A line marks rows that are spread out {figure(_SPREAD)} times as far.",
            at=("this world", _SPREAD),
        ),
        whole,
        {"gamma": 100 * of.gamma, "left": truth, "times": _SPREAD, "fold": truth / 100 / of.gamma},
    )


def looked() -> tuple[tuple[float, NoiseLaw], tuple[float, NoiseLaw]]:
    """Return answer and noise of a table and of its neighbour with a long time, if each is clipped at its own longest time."""
    table, _ = Example().pairs(1)[0]
    return _clipped_at_longest(table), _clipped_at_longest(np.concatenate(([_LONG], table[1:])))


def _clipped_at_longest(table: FloatArray) -> tuple[float, NoiseLaw]:
    of = Example().limited(float(table.max()))
    return of.answer(table), of.proved().law


def distinguished() -> float:
    """Return how often the best guess between the two tables is right: ½ + ¼·∫|p − p′|."""
    from scipy.integrate import quad  # slow to import

    (first, narrow), (other, wide) = looked()
    reach, bends = 12 * max(narrow.half_width(0.5), wide.half_width(0.5)), (first, other)

    def apart(at: float) -> float:
        return float(abs(narrow.density(np.array([at - first])) - wide.density(np.array([at - other])))[0])

    return 0.5 + 0.25 * float(quad(apart, first - reach, other + reach, points=bends, limit=200)[0])


def _looking() -> Result:
    (first, narrow), (other, wide) = looked()
    truth, epsilon = round(100 * distinguished()), Example().epsilon
    at = np.linspace(first - 0.15, other + 0.2, 600)
    reach = [figure(law.half_width(SHARE_WITHIN)) for law in (narrow, wide)]
    chart = curves(
        (("without the long time", at, narrow.density(at - first)), ("with it", at, wide.density(at - other))),
        x="private answer (years)",
        y="how likely",
        density=True,
        alt=f"How likely each private answer is with two neighbouring tables. 95% is within ±{reach[0]} years without the row of "
        f"{_LONG:g} years, and within ±{reach[1]} years with it.",
    )
    told = replace(chart, alt=f"{chart.alt} A guess is right {truth}% of the time.")
    numbers = {"epsilon": epsilon, "bound": most_right(epsilon), "right": truth, "long": _LONG}
    return Result(truth, with_ruler(chart, RULER), with_ruler(told, RULER, truth), numbers)


def redrawn(times: int, m: int) -> float:
    """Return the average unprotected share if the smallest Δ̂ of several samples is kept, with k = m.

    It is 1 − E min of so many Beta(m, 1), which is 1 − Π i·m/(i·m + 1) over i = 1, …, times (mathematics, section 2.3).

    Args:
        times: Number of samples.
        m: Pairs in each sample.
    """
    return 1 - math.prod(one * m / (one * m + 1) for one in range(1, times + 1))


def _redrawing() -> Result:
    point, numbers = with_fewest_pairs().point, np.arange(1, _SHOWN + 1, dtype=np.float64)
    unprotected = np.array([100 * redrawn(int(one), point.m) for one in numbers])
    truth, name = float(unprotected[_DRAWS - 1]), f"{_DRAWS} samples"
    whole = curves(
        (("not protected", numbers, unprotected), ("promised", numbers, np.full(_SHOWN, 100 * point.gamma))),
        dots=((name, [float(_DRAWS)], [truth]),),
        x="samples, of which the smallest Δ̂ is kept",
        y=_UNPROTECTED,
        alt=f"One sample of {point.m} pairs leaves {unprotected[0]:.0f}% of changes unprotected, and the best-looking one of "
        f"{_SHOWN} samples {unprotected[-1]:.0f}%.",
    )
    return Result(
        truth,
        before(whole, "promised", alt=f"{100 * point.gamma:g}% is promised. A line marks {name}.", at=(name, _DRAWS)),
        whole,
        {"m": point.m, "gamma": 100 * point.gamma, "draws": _DRAWS, "left": truth, "sum": 100 * _DRAWS * point.gamma},
    )


def chosen_afterwards() -> tuple[FloatArray, float]:
    """Simulate tables of one row from Exponential(1), whose row is replaced. Φ(G) is then uniform.

    Returns:
        The share so far of pairs that are unprotected by at least one question, at ``_POINTS`` numbers of pairs, and the sum of
        both γ, on average.
    """
    rng = np.random.default_rng(_PAIRS_SEED)
    record, other = rng.exponential(size=(2, _PAIRS))
    level = -np.expm1(-np.abs(record - other))  # Φ(G)
    first, generous, strict = (OperatingPoint.for_gamma(gamma) for gamma in (_FIRST, _GENEROUS, _STRICT))
    reached = _sampled_level(first, rng)
    answer = record - np.log1p(-reached) / _EPSILON * rng.laplace(size=_PAIRS)  # noise of scale Δ̂/ε
    large = answer > _LARGE
    second = np.where(large, _sampled_level(generous, rng), _sampled_level(strict, rng))
    unprotected = (level > reached) | (level > second)
    so_far = np.cumsum(unprotected) / np.arange(1, _PAIRS + 1)
    promised = first.gamma + float(np.where(large, generous.gamma, strict.gamma).mean())
    return so_far[_PAIRS // _POINTS - 1 :: _PAIRS // _POINTS], promised


def _sampled_level(point: OperatingPoint, rng: np.random.Generator) -> FloatArray:
    """Return Φ(Δ̂) of fresh samples: the k-th of m uniform numbers, Beta(k, m − k + 1)."""
    return rng.beta(point.k, point.m - point.k + 1, _PAIRS)


def _after_an_answer() -> Result:
    so_far, promised = chosen_afterwards()
    left, sums = 100 * float(so_far[-1]), "sum of both γ"
    tried = np.arange(1, _POINTS + 1) * (_PAIRS / _POINTS / 1000)
    whole = curves(
        (("not protected so far", tried, 100 * so_far), (sums, tried, np.full(_POINTS, 100 * promised))),
        x="changes tried (thousands)",
        y=_UNPROTECTED,
        alt=f"After {_PAIRS:,} changes {figure(left)}% are unprotected by one answer or the other. Both γ "
        f"add up to {figure(100 * promised)}%.",
    )
    return Result(
        left,
        before(whole, sums, alt=f"The sum of both γ is {figure(100 * promised)}%."),
        whole,
        {
            "strict": 100 * _FIRST,
            "generous": 100 * _GENEROUS,
            "least": 100 * _STRICT,
            "years": _LARGE,
            "pairs": _PAIRS,
            "promised": 100 * promised,
            "left": left,
            "epsilon": _EPSILON,
        },
    )


VOID = read_lesson(
    "void",
    {
        "wrong_oracle": (Slider(0, 60, 0.5, 40, "{}%", "y"), _wrong_oracle),
        "looking": (Slider(50, 100, 1, 70, "{}%", "ruler"), _looking),
        "redrawing": (Slider(0, 50, 0.5, 30, "{}%", "y"), _redrawing),
        "after_an_answer": (Slider(0, 10, 0.1, 6, "{}%", "y"), _after_an_answer),
    },
    with_fewest_pairs().scenario,
)

# Who is not protected: a person with an unusual row, and an attacker who looks for that row

_UNUSUAL, _USUAL = 12.0, 1.0  # years
_LIMIT = 20.0  # years, at which times are clipped
_TABLES, _TABLES_SEED = 199, 14  # tables on a chart
_LASTED = "time in the row (years)"
_AT = np.linspace(_USUAL, _LIMIT, 58)


def _outlier() -> Result:
    of = Example()
    law, delta = of.noise(), of.sample().order_statistic
    chances = best_guess(law, (_AT - _USUAL) / of.n)
    right = round(float(best_guess(law, (_UNUSUAL - _USUAL) / of.n)[0]))
    edge, name, limit = _USUAL + of.n * delta, f"{_UNUSUAL:g} years", "protected up to here"
    whole = right_guesses(
        (("the best guess", _AT, chances), (limit, np.full(2, edge), np.array(PERCENT_RIGHT))),
        dots=((name, [_UNUSUAL], [float(right)]),),
        x=_LASTED,
        alt=f"How often a guess about one row is right, by its time. At {name} it is {right}%, and it rises further.",
    )
    return Result(
        right,
        before(whole, limit, alt=f"One line marks the end of the protected rows, another one {name}.", at=(name, _UNUSUAL)),
        whole,
        {
            "n": of.n,
            "epsilon": of.epsilon,
            "long": _UNUSUAL,
            "usual": _USUAL,
            "covered": f"{float(best_guess(law, delta)[0]):.0f}",
            "right": right,
            "limit": edge,
            "times": (_UNUSUAL - _USUAL) / of.n / delta,
        },
    )


def found_by_an_attacker(n: int, beyond: float) -> float:
    """Return the share of tables in which replacing the longest time by a random one is unprotected.

    Let x be the longest of n times from Exponential(1), x′ the other, and a = e^(−beyond). u = e^(−x′) is uniform, so
    P(x > x′ + beyond) = E[1 − (1 − a·u)^n]. With probability a, x′ is beyond, and then x′ − beyond is distributed as x′, so
    P(x′ > x + beyond) = a·E[(1 − u)^n]. Together that is 1 − (1 − (1 − a)^(n+1))/(a(n+1)) + a/(n+1).

    Args:
        n: Number of rows.
        beyond: n·Δ̂.
    """
    a = math.exp(-beyond)
    return 1 + math.expm1((n + 1) * math.log1p(-a)) / (a * (n + 1)) + a / (n + 1)


def simulated() -> tuple[FloatArray, FloatArray]:
    """Return how far the mean of simulated tables moves if a random time replaces a random row, and the longest one."""
    of = Example()
    drawn = np.asarray(of.oracle.draw(_TABLES, of.n + 1, rng=np.random.default_rng(_TABLES_SEED)), dtype=np.float64)
    tables, others = drawn.reshape(_TABLES, of.n + 1)[:, :-1], drawn.reshape(_TABLES, of.n + 1)[:, -1]
    return np.abs(tables[:, 0] - others) / of.n, np.abs(tables.max(axis=1) - others) / of.n


def _looked_for() -> Result:
    of, rows = Example(), dict(zip(("random rows", "longest times"), simulated(), strict=True))
    beyond = of.sample().order_statistic
    share = 100 * found_by_an_attacker(of.n, of.n * beyond)
    random, longest = (int((moves > beyond).sum()) for moves in rows.values())
    whole = dot_rows(
        list(rows.items()),
        (beyond,),
        x=YEARS,
        alt=f"{_TABLES} simulated tables. {random} changes of a random row are beyond Δ̂, and {longest} of the longest time.",
    )
    alt = f"{_TABLES} simulated tables in which a random row is replaced. The row of the longest times is empty."
    asked = before(whole, "random rows", f"Δ̂ = {figure(beyond)}", alt=alt)
    ruler, ends = "longest time not protected (% of tables)", (0.0, 100.0)
    return Result(
        share,
        with_ruler(asked, ruler, ends=ends),
        with_ruler(whole, ruler, share, ends=ends),
        {"n": of.n, "gamma": 100 * of.gamma, "share": share, "shown": _TABLES, "random": random, "longest": longest},
    )


def _helps() -> Result:
    of = Example().limited(_LIMIT)
    sampled, worst = of.noise(), of.proved().law
    guessed, hidden = (best_guess(law, (_AT - _USUAL) / of.n) for law in (sampled, worst))
    name = "calibrated to Δ̂"
    whole = right_guesses(
        ((name, _AT, guessed), ("calibrated to the worst case", _AT, hidden)),
        x=_LASTED,
        alt=f"How often a guess about one row is right, by its time. At {_LIMIT:g} years it is {guessed[-1]:.0f}% with noise "
        f"calibrated to Δ̂, and {hidden[-1]:.0f}% with noise calibrated to the worst case.",
    )
    return Result(
        "limit",
        before(
            whole,
            name,
            alt="How often a guess about one row is right, by its time, with noise calibrated to Δ̂. It rises with each year.",
        ),
        whole,
        {
            "limit": _LIMIT,
            "most": f"{float(best_guess(worst, _LIMIT / of.n)[0]):.0f}",
            "gamma": 100 * of.gamma,
            "times": worst.half_width(0.5) / sampled.half_width(0.5),
        },
    )


WHO_IS_NOT_PROTECTED = read_lesson(
    "who_is_not_protected",
    {
        "outlier": (Slider(50, 100, 1, 70, "{}%", "y"), _outlier),
        "looked_for": (Slider(0, 100, 1, 5, "{}%", "ruler"), _looked_for),
        "helps": (Choice(), _helps),
    },
    Example().limited(_LIMIT).scenario,
)
