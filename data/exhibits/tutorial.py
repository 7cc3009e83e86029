"""The tutorial on user-level privacy: the sum of scores, with at most s games of each player."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from data.exhibits.exhibit import TABLE_ROWS, Axis, Chart, Check, Series, StoredTable, live
from dpcore import L1, Adjacency, LaplaceMechanism, PureDP, targets
from dpcore.base.arrays import Database
from dpcore.base.users import per_user

SCORES, PLAYERS = (-10.0, 10.0), 4
PRINTED, BUDGET = -0.8179450015793795, 50.0  # the release that the tutorial prints, and its ε
CAPS = (1, 2, 3, 4, 5, 6, 8, 10)
EPSILONS = (50.0, 10.0, 1.0)
SUMS, ERRORS = "The sum without noise", "Expected distance from the whole sum"


def games() -> tuple[Database, Database]:
    """Return the scores, and the player of each."""
    with (Path(__file__).parents[1] / "players.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return np.array([float(row["score"]) for row in rows]), np.array([row["player"] for row in rows])


def capped(s: int) -> targets.ContributionBounded:
    """Return the sum of scores, each player's games weighing s at most."""
    return targets.ContributionBounded(targets.Query(targets.Sum(SCORES), ("score",)), "player", rows=s)


def answer(s: int) -> float:
    """Return the capped sum of the nine games."""
    scores, players = games()
    return float(capped(s)(per_user(scores.view([("score", float)]), players, person="player"))[0])


def by_hand(s: int) -> float:
    """Return Σ over players of min(1, s/N)·Σ scores, as the tutorial's code has it."""
    scores, players = games()
    return float(sum(min(1.0, s / np.sum(players == one)) * scores[players == one].sum() for one in np.unique(players)))


def scale(s: int, epsilon: float) -> float:
    """Return the largest change by one player, 10·s, over ε; proved and raised for rounding."""
    proved = capped(s).global_sensitivity(L1, PLAYERS, Adjacency.ADD_OR_REMOVE_ONE_USER)
    assert proved is not None
    return float(LaplaceMechanism().law(capped(s), proved.value, PureDP(epsilon)).scale)


def error(s: int, epsilon: float) -> float:
    """Return E|bias + noise| = |bias| + b·exp(−|bias|/b) for Laplace noise of scale b."""
    bias, b = abs(answer(s) - answer(CAPS[-1])), scale(s, epsilon)
    return float(bias + b * np.exp(-bias / b))


def tutorial() -> dict[str, Any]:
    """Return the results of the exhibit."""
    caps = np.array(CAPS, dtype=float)
    errors = {epsilon: np.array([error(s, epsilon) for s in CAPS]) for epsilon in EPSILONS}
    best = {epsilon: CAPS[int(values.argmin())] for epsilon, values in errors.items()}
    games_axis = Axis("games of a player that count, s")
    sums = Series(name="sum", role="no privacy", x=caps, y=np.array([answer(s) for s in CAPS]), drawn="points")
    less, farther = scale(3, BUDGET) / scale(5, BUDGET), float(np.exp(-abs(PRINTED + 1)))
    question = capped(3)
    return {
        "charts": (
            Chart(title=SUMS, x=games_axis, y=Axis("sum of scores", "points"), series=(sums,)),
            Chart(
                title=ERRORS,
                x=games_axis,
                y=Axis("mean distance", "points", log=True),
                series=tuple(
                    Series(name=f"ε = {epsilon:g}", role=role, x=caps, y=values)
                    for role, (epsilon, values) in zip(("first", "second", "third"), errors.items(), strict=True)
                ),
                guarantee="Differential privacy with ε for adding or removing one player.",
            ),
        ),
        "tables": (
            StoredTable(
                title="What a cap costs",
                columns=(
                    "s",
                    "sum",
                    "scale of the noise at ε = 50",
                    *(f"mean distance at ε = {epsilon:g}" for epsilon in EPSILONS),
                ),
                rows=tuple(
                    (s, answer(s), scale(s, BUDGET), *(float(values[i]) for values in errors.values()))
                    for i, s in enumerate(CAPS)
                ),
            ),
        ),
        "checks": (
            *(
                Check(f"The sum where {s} games of a player count", answer(s), total - 1e-9, total + 1e-9)
                for s, total in ((5, -1.0), (3, 4.2), (1, 6.4))
            ),
            Check("Scale of the noise at ε = 50 where 5 games count", scale(5, BUDGET), 1.0, 1.0 + 1e-6),
            Check("Scale where 3 games count over that: the tutorial says 2/5 less", less, 0.599, 0.601),
            Check("Share of releases that are farther from −1 than the printed one", farther, 0.01, 0.99),
            Check("The best s at ε = 50", best[50.0], 5, 5),
            Check("The best s at ε = 1", best[1.0], 1, 1),
        ),
        "live": live(
            "players",
            tuple(question.fields),
            question,
            TABLE_ROWS,
            n=PLAYERS,
            m=199,
            gamma=0.05,
            epsilon=10.0,
            seed=1,
            adjacency=Adjacency.ADD_OR_REMOVE_ONE_USER,
        ),
    }
