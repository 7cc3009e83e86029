"""Figures of the tabs: icons, an attacker's accuracy against distance, simulated releases, and the cost of a wrong oracle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.figures.theme import BLUE, GREEN, GREY, VERMILION, Chart, axis, chosen, line, log_axis, markers, transparent, with_unit

_ICONS, _COLUMNS, _ROWS = 100, 20, 5
_BINS, _OUTLIERS = 60, 0.002
_LOW = 0.45  # an interval around random guessing includes values below 50%
_PERCENT = {"tickformat": ".0%"}


def icons_chart(title: str, count: int, yes: str, no: str) -> Chart:
    """Return 100 icons: first filled circles, then open squares.

    Args:
        title: Title of the chart.
        count: Number of filled icons.
        yes: Meaning of a filled icon.
        no: Meaning of an open icon.
    """
    place = np.arange(_ICONS)
    x, y = place % _COLUMNS, _ROWS - 1 - place // _COLUMNS
    hidden: dict[str, Any] = {"visible": False, "fixedrange": True}
    filled = {"color": BLUE, "size": 12, "symbol": "circle"}
    empty = {"color": VERMILION, "size": 11, "symbol": "square-open", "line": {"width": 2}}
    return Chart(
        title=title,
        traces=[
            markers(f"{yes}: {count}", x[:count], y[:count], BLUE, marker=filled, hoverinfo="skip"),
            markers(f"{no}: {_ICONS - count}", x[count:], y[count:], VERMILION, marker=empty, hoverinfo="skip"),
        ],
        layout={
            "xaxis": hidden | {"range": [-0.7, _COLUMNS - 0.3]},
            "yaxis": hidden | {"range": [-0.7, _ROWS - 0.3]},
            "height": 190,
            "margin": {"l": 8, "r": 8, "t": 64, "b": 8},
        },
        alt=f"{title}. {yes}: {count} of 100; {no}: {_ICONS - count}.",
        rows=[{"of 100": yes, "number": str(count)}, {"of 100": no, "number": str(_ICONS - count)}],
    )


def odds_chart(
    distances: FloatArray, right: FloatArray, trials: Sequence[tuple[float, float]], sensitivity: float, *, unit: str, exact: bool
) -> Chart:
    """Return the attacker's accuracy against the distance by which a change moves the answer.

    Args:
        distances: Distances in ascending order, shape (p,).
        right: Accuracy at these distances, or a bound, shape (p,).
        trials: Distance and accuracy of pairs beyond Δ̂.
        sensitivity: Δ̂.
        unit: Unit of the distances.
        exact: Whether the accuracy is exact.
    """
    what = "attacker’s accuracy" if exact else "bound on the attacker’s accuracy"
    hover = {"hovertemplate": "%{x:.3g}: %{y:.1%}<extra></extra>"}
    traces = [
        line(what, distances, right, BLUE, **hover),
        line("Δ̂", [sensitivity] * 2, [0.5, 1.0], VERMILION, dash="dash", hoverinfo="skip"),
    ]
    if trials:
        marker = {"color": VERMILION, "size": 11, "symbol": "x"}
        x, y = np.array(trials).T
        traces.append(markers("sampled pairs beyond Δ̂", x, y, VERMILION, marker=marker, **hover))
    band = {"type": "rect", "x0": sensitivity, "x1": distances[-1], "y0": 0, "y1": 1, "yref": "paper", "line": {"width": 0}}
    said = "; ".join(f"{figure(distance)}: {share:.1%}" for distance, share in trials)
    return Chart(
        title="Beyond Δ̂ nothing is protected",
        traces=traces,
        layout={
            "xaxis": axis(with_unit("how far the change moves the answer", unit), range=[0, distances[-1]]),
            "yaxis": axis("accuracy", range=[0.49, 1.01], **_PERCENT),
            "shapes": [band | {"fillcolor": transparent(VERMILION, 0.1), "layer": "below"}],
        },
        alt=f"{what.capitalize()} against distance, rising from 50%. Δ̂ = {figure(sensitivity)}. "
        f"Pairs beyond it: {said or 'none'}.",
        rows=[{"distance": figure(float(d)), what: f"{p:.1%}"} for d, p in zip(distances[::8], right[::8], strict=True)],
    )


def releases_chart(shown: tuple[FloatArray, FloatArray], names: tuple[str, str], *, what: str, unit: str = "") -> Chart:
    """Return the histograms of simulated releases of two tables; the second one has a dashed outline.

    Args:
        shown: A number for each release of the two tables.
        names: Names of the tables.
        what: Name of the number.
        unit: Its unit.
    """
    both = np.concatenate(shown)
    low, high = (float(end) for end in np.quantile(both, [_OUTLIERS, 1 - _OUTLIERS]))
    if not low < high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, _BINS + 1)
    shares = [np.histogram(one, edges)[0] / len(one) for one in shown]
    middles = (edges[1:] + edges[:-1]) / 2
    styles = zip(names, shares, (VERMILION, BLUE), ("solid", "dot"), strict=True)
    traces = [
        line(name, middles, share, colour, fill="tozeroy", fillcolor=transparent(colour, 0.25))
        | {"line": {"color": colour, "dash": dash, "shape": "hvh"}, "hovertemplate": "%{x:.4g}: %{y:.1%}<extra></extra>"}
        for name, share, colour, dash in styles
    ]
    medians = [f"{name} {figure(float(np.median(one)))}" for name, one in zip(names, shown, strict=True)]
    common = float(np.minimum(*shares).sum())
    return Chart(
        title="Simulated releases of two neighbouring tables",
        traces=traces,
        layout={
            "xaxis": axis(with_unit(what, unit), tickformat="~g"),
            "yaxis": axis("share of releases", rangemode="tozero", **_PERCENT),
        },
        alt=f"Histograms of simulated releases. Medians: {', '.join(medians)}. They overlap by {common:.0%}.",
        rows=[
            {what: f"{middle:.5g}", names[0]: f"{first:.2%}", names[1]: f"{second:.2%}"}
            for middle, first, second in zip(middles[::3], shares[0][::3], shares[1][::3], strict=True)
        ],
    )


def found_chart(found: float, interval: tuple[float, float], promised: float | None) -> Chart:
    """Return the accuracy of an attack with its interval, and the promised accuracy.

    Args:
        found: Accuracy of the attack.
        interval: Ends of its interval.
        promised: The largest accuracy that the guarantee allows; None without a promise.
    """
    bar = {"type": "data", "symmetric": False, "array": [interval[1] - found], "arrayminus": [found - interval[0]], "width": 8}
    point = markers("found", [found], [0], BLUE, error_x=bar, hovertemplate="found: %{x:.1%}<extra></extra>")
    traces = [line("random guessing", [0.5, 0.5], [-1, 1], GREY, dash="dot", hoverinfo="skip"), point]
    if promised is not None:
        promise = line(
            "promised at most", [promised] * 2, [-1, 1], GREEN, dash="dash", hovertemplate="promised: %{x:.1%}<extra></extra>"
        )
        traces.append(promise)
    ends = f"{interval[0]:.1%} to {interval[1]:.1%}"
    said = "Nothing is promised" if promised is None else f"Promised: at most {np.ceil(1000 * promised - 1e-9) / 10:.1f}%"
    return Chart(
        title="Accuracy found and promised",
        traces=traces,
        layout={
            "xaxis": axis("attacker’s accuracy", range=[_LOW, 1.01], **_PERCENT),
            "yaxis": {"visible": False, "range": [-1, 1]},
            "height": 170,
        },
        alt=f"Found: {found:.1%}, interval {ends}. {said}.",
        rows=[{"accuracy": "found", "value": f"{found:.1%} ({ends})"}, {"accuracy": "promised", "value": said}],
    )


def gamma_chart(taus: FloatArray, gammas: FloatArray, gamma: float, tau: float, here: float) -> Chart:
    """Return the share of unprotected changes against the divergence of the world from the oracle (Proposition 8).

    Args:
        taus: Divergences in ascending order, shape (t,).
        gammas: The largest share for each divergence, shape (t,).
        gamma: The share that the guarantee states.
        tau: The selected divergence.
        here: The share at ``tau``.
    """
    hover = {"hovertemplate": "τ = %{x:.3g}: %{y:.2%}<extra></extra>"}
    return Chart(
        title="If the oracle is wrong by τ",
        traces=[
            line("unprotected at most", taus, gammas, VERMILION, **hover),
            line("γ, if the oracle is right", taus[[0, -1]], [gamma] * 2, GREY, dash="dot", hoverinfo="skip"),
            chosen(tau, here, **hover),
        ],
        layout={
            "xaxis": log_axis("τ, divergence of the world from the oracle", taus[0], taus[-1]),
            "yaxis": axis("unprotected changes", range=[0, 1.02], **_PERCENT),
        },
        alt=f"Largest share of unprotected changes against τ: {gamma:.3g} at 0, {here:.3g} at τ = {tau:g}.",
        rows=[
            {"τ": f"{one:g}", "unprotected at most": f"{share:.2%}"} for one, share in zip(taus[::6], gammas[::6], strict=True)
        ],
    )


def missed_chart(shares: dict[str, tuple[float, float, float]], gamma: float) -> Chart:
    """Return the shares of random changes beyond Δ̂ for several oracles, with intervals, and γ.

    Args:
        shares: For each oracle the share, and the ends of its interval.
        gamma: The share that the guarantee states.
    """
    names = list(shares)
    found, low, high = (np.array(one) for one in zip(*shares.values(), strict=True))
    bar = {"type": "data", "symmetric": False, "array": high - found, "arrayminus": found - low, "width": 8}
    point = markers("beyond Δ̂, 95% interval", found, names, BLUE, error_x=bar, hovertemplate="%{y}: %{x:.2%}<extra></extra>")
    edge = min(1.02, 1.15 * float(max(high.max(), gamma)))
    rows = [
        {"oracle": name, "beyond Δ̂": f"{one[0]:.2%}", "95% interval": f"{one[1]:.2%} to {one[2]:.2%}"}
        for name, one in shares.items()
    ]
    said = "; ".join(f"{row['oracle']}: {row['beyond Δ̂']} ({row['95% interval']})" for row in rows)
    return Chart(
        title="Another oracle tried",
        traces=[line("γ", [gamma] * 2, [names[0], names[-1]], GREEN, dash="dash", hoverinfo="skip"), point],
        layout={
            "xaxis": axis("unprotected changes", range=[0, edge], tickformat=".2~%"),
            "yaxis": {"type": "category", "automargin": True, "range": [len(names) - 0.5, -0.5]},
            "height": 190,
        },
        alt=f"Share of random changes beyond Δ̂. {said}. γ = {gamma:.2%}.",
        rows=rows,
    )
