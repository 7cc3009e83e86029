"""Tables for the browser, which computes charts and texts from them while a slider moves. Independent of Streamlit."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import L1, RANGE
from dpcore.base.types import LatticeTarget
from dpcore.guarantees.operating_points import Bound, orders, reachable_m
from dpcore.mechanisms.bernstein import BernsteinMechanism
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.gaussian import GaussianMechanism, analytic_scale
from dpcore.mechanisms.laplace import LaplaceMechanism
from dpcore.mechanisms.two_steps import TwoStepMechanism
from pages.experiment.accuracy import PER_DECADE
from pages.experiment.noise import UNREACHABLE
from pages.experiment.scenario import LEAST_EPSILON, LEAST_GAMMA, LEAST_M, MOST_GAMMA, SLIDER_EPSILON, Noise, Scenario
from pages.experiment.view import View
from pages.figures.charts import epsilons_to
from pages.figures.theme import plain

STEPS = 118


def stops(least: float, most: float, value: float) -> list[float]:
    """Return the stops of a slider: at most 120, closer together at small values.

    Args:
        least: Lower end.
        most: Upper end.
        value: A value that must be a stop.
    """
    return sorted({*_spaced(least, most), value})


@lru_cache(maxsize=16)
def _spaced(least: float, most: float) -> tuple[float, ...]:
    return tuple(sorted({*(float(f"{one:.2g}") for one in np.geomspace(least, most, STEPS)), least, most}))


def epsilon_stops(epsilon: float) -> list[float]:
    """Return the stops of the slider of ε: up to 20, and the selected ε, which can be larger if it was typed."""
    return stops(LEAST_EPSILON, SLIDER_EPSILON, epsilon)


def gamma_stops(gamma: float) -> list[float]:
    """Return the stops of the slider of γ."""
    return stops(LEAST_GAMMA, MOST_GAMMA, gamma)


def m_stops(most: int, m: int) -> list[int]:
    """Return the stops of the slider of m.

    Args:
        most: Number of existing draws.
        m: A value that must be a stop.
    """
    return sorted({int(one) for one in _spaced(LEAST_M, most)} | {m})


def tables_of(view: View) -> dict[str, Any]:
    """Return the tables of a view.

    Args:
        view: A view with draws.

    Returns:
        ``distances``: all draws in their order, base64 of little-endian float64. ``stops``: stops of the three sliders.
        ``orders``: k for each m and γ, 0 if m cannot certify γ, base64 of uint32. ``needs``: the smallest m for each γ.
        ``fixed``: the sensitivity if it is not sampled. ``scale``: the rule from a sensitivity and an ε to the noise's scale,
        or None. ``curve``: the same rule on the grid of the chart against ε. ``error``: logarithms of the error on the grid of
        scales, or None. ``right``: accuracy of the best attacker at each ε. ``id``: a digest of all this.
    """
    assert view.sample is not None
    scenario, exist = view.scenario, len(view.sample.distances)
    epsilons, gammas, ms = epsilon_stops(scenario.epsilon), gamma_stops(scenario.gamma), m_stops(exist, scenario.m)
    rule = scale_rule(view.released.scenario, epsilons) if scenario.noise is not Noise.BLOCKS else None
    curve = epsilons_to(scenario.epsilon)
    found: dict[str, Any] = {
        "distances": _encoded(view.sample.distances, "<f8"),
        "stops": {"epsilon": epsilons, "gamma": gammas, "m": ms},
        "orders": _encoded(order_table(tuple(ms), scenario.gamma, scenario.bound, scenario.confidence), "<u4"),
        "needs": list(_needs(tuple(gammas), scenario.bound, scenario.confidence)),
        "fixed": None if scenario.noise is Noise.SAMPLED or view.noise is None else view.noise.sensitivity.value,
        "scale": rule,
        "curve": {"epsilons": curve, "scale": None if rule is None else scale_rule(view.released.scenario, curve.tolist())},
        "error": None if rule is None or view.noise is None else _errors(view, epsilons),
        "right": None if view.noise is None else [_right(view, epsilon) for epsilon in epsilons],
    }
    found = plain(found)
    found["id"] = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]
    return found


def _encoded(values: FloatArray, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values).astype(kind).tobytes()).decode()


def order_table(ms: tuple[int, ...], gamma: float, bound: Bound, confidence: float | None) -> FloatArray:
    """Return k for each m and each stop of γ, shape (len(ms), len(gammas)).

    Args:
        ms: Stops of m.
        gamma: A value that must be a stop of γ.
        bound: Theorem that certifies γ.
        confidence: Its confidence, if it has one.

    Returns:
        The smallest order that certifies γ, 0 if m cannot certify it.
    """
    grid = _spaced(LEAST_GAMMA, MOST_GAMMA)
    rows = np.array([_order_row(m, grid, bound, confidence) for m in ms])
    if gamma in grid:
        return rows
    column = [float(orders(m, np.array([gamma]), bound, confidence)[0]) for m in ms]
    return np.insert(rows, int(np.searchsorted(grid, gamma)), column, axis=1)


@lru_cache(maxsize=4_096)
def _order_row(m: int, gammas: tuple[float, ...], bound: Bound, confidence: float | None) -> tuple[float, ...]:
    return tuple(orders(m, np.array(gammas), bound, confidence).tolist())


@lru_cache(maxsize=64)
def _needs(gammas: tuple[float, ...], bound: Bound, confidence: float | None) -> tuple[int, ...]:
    return tuple(_least_m(gamma, bound, confidence) for gamma in gammas)


_least_m = lru_cache(maxsize=4_096)(reachable_m)


def scale_rule(scenario: Scenario, epsilons: list[float]) -> dict[str, Any] | None:
    """Return the rule from a sensitivity Δ to the noise's scale at each ε.

    The rule has the mechanism's order of floating-point operations, so the browser computes the same number.

    Args:
        scenario: The scenario; its mechanism, target and δ are used.
        epsilons: Values of ε.

    Returns:
        ``times`` and ``divide``: the float above times·Δ/divide, with times·Δ rounded up first if ``up``. Or ``units``: the
        float above unit·Δ. None at an ε without noise. None for mechanisms without a known rule.
    """
    mechanism, target = scenario.mechanism, scenario.target
    if isinstance(mechanism, LaplaceMechanism):
        return {"times": 1.0, "up": False, "divide": epsilons}
    if isinstance(mechanism, ExponentialMechanism):
        return {"times": 1.0 if mechanism.norm == RANGE else 2.0, "up": False, "divide": epsilons}
    if isinstance(mechanism, TwoStepMechanism):
        return {"times": 1.0, "up": False, "divide": [mechanism.epsilons(epsilon)[0] for epsilon in epsilons]}
    if isinstance(mechanism, BernsteinMechanism) and isinstance(target, LatticeTarget):
        in_l1 = mechanism.norm == L1
        points = 1.0 if in_l1 else float((target.degree + 1) ** len(target.domain))
        return {"times": points, "up": not in_l1, "divide": epsilons}
    if isinstance(mechanism, GaussianMechanism) and scenario.delta is not None:
        if mechanism.calibration == "analytic":
            return {"units": [_analytic(epsilon, scenario.delta) for epsilon in epsilons]}
        times = math.sqrt(2 * math.log(1.25 / scenario.delta))
        return {"times": times, "up": False, "divide": [epsilon if epsilon < 1 else None for epsilon in epsilons]}
    return None


_analytic = lru_cache(maxsize=4_096)(analytic_scale)


def _errors(view: View, epsilons: list[float]) -> dict[str, Any] | None:
    """Return the error on the grid of all scales that the sliders can select."""
    accuracy = view.released.accuracy
    if not accuracy.in_scale:
        return None
    assert view.sample is not None
    assert view.noise is not None
    distances = view.sample.distances
    known = [*distances[np.isfinite(distances) & (distances > 0)].tolist(), view.noise.sensitivity.value]
    high, low = _first_scale(view, max(known), epsilons), _first_scale(view, min(known), epsilons[::-1])
    if high is None or low is None:
        return None
    first, logs = accuracy.grid(low, high)
    return {"first": first, "logs": logs, "per_decade": PER_DECADE}


def _first_scale(view: View, sensitivity: float, epsilons: list[float]) -> float | None:
    """Return the noise's scale at the first ε at which the mechanism has noise, or None. A larger ε has a smaller scale."""
    scenario = view.released.scenario
    for epsilon in epsilons:
        with suppress(*UNREACHABLE):
            law: Any = scenario.mechanism.law(scenario.target, sensitivity, replace(scenario.privacy, epsilon=epsilon))
            if 0 < law.scale < math.inf:
                return float(law.scale)
    return None


def _right(view: View, epsilon: float) -> float | None:
    """Return the accuracy of the best attacker on a change by exactly the sensitivity, or None without noise."""
    noise: Any = view.noise
    scenario = view.released.scenario
    with suppress(*UNREACHABLE):
        law = scenario.mechanism.law(scenario.target, 1.0, replace(scenario.privacy, epsilon=epsilon))
        sensitivity = replace(noise.sensitivity, value=1.0)
        there = replace(noise, law=law, guarantee=replace(noise.guarantee, epsilon=epsilon), sensitivity=sensitivity)
        return float(there.attacker(view.released.exact.size).right(1.0))
    return None
