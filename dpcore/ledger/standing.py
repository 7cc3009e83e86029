"""What a line's guarantee rests on, by what came before it (mathematics, section 4).

A random-DP line holds if all that its covering event depends on was fixed before the first response to the table: it came
before it, it is of the plan, or it takes no smaller Δ̂ of the draws of a line that did hold. A line that was chosen after a
response has no guarantee, not even one of its own, because the response tells whether the table is one of the unusual ones.

But for a target that is a sum over records, and an oracle whose records are independent, G hangs on the two replaced records
x, x' alone. Replace x by a fresh one in the database that the earlier responses came from: by their own promises they then
change by at most (Σε, Σδ), off events of Σγ, and no longer know x. So whatever they led to,

    P(G > Δ̂) <= exp(Σε)·γ₂ + Σδ + Σγ over the earlier lines,                                                           (5)

with γ₂ the largest γ on offer to later lines, which was fixed before the first response (mathematics, section 4.6). It is printed
with three digits, rounded up. Where an earlier ε was itself chosen by a response, (5) holds on average over the responses, as γ
does. (5) asks for one oracle that no response led to (mathematics, section 7): behind a private choice one that was not fixed
before the first response has no such promise, whatever the target.

A ledger that was read from a file may lack releases. What was sampled for it rests on its holder's word that it is whole, so it
joins no total, and neither does what is sampled for a plan that came with it (``HELD``). Behind a line that was read from a file
(5) is not used: its Σε may lack an answer.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from decimal import ROUND_CEILING, Context

from dpcore.guarantees.privacy import Adjacency
from dpcore.ledger.lines import Drawn, Line, Standing
from dpcore.ledger.spending import Spent

LATER_GAMMA = 0.05
"""γ₂ of (5) where nothing sampled was fixed before the first response."""

_THREE_DIGITS = Context(prec=3, rounding=ROUND_CEILING)
_REPLACE_ONE = (Adjacency.REPLACE_ONE_RECORD, Adjacency.REPLACE_ONE_USER)


def stand(line: Line, earlier: tuple[Line, ...], plan: tuple[Line, ...], *, after_responses: bool) -> Line:
    """The line as it stands after these: with its standing, and the γ that is then promised.

    ``after_responses``: there were responses to the table that are not among the earlier lines.
    """
    judged = _judged(line, earlier, plan, after_responses=after_responses)
    return by_word(judged) if line.loaded else judged


def by_word(line: Line) -> Line:
    """The line as it stands on its holder's word alone that a file is whole and unchanged: it joins no total."""
    rests = line.drawn is not None and line.standing in (Standing.FIXED, Standing.LARGER)
    return replace(line, standing=Standing.HELD) if rests else line


def _judged(line: Line, earlier: tuple[Line, ...], plan: tuple[Line, ...], *, after_responses: bool) -> Line:
    drawn = line.drawn
    if drawn is None or line.standing is Standing.INEXACT:
        return line
    listed = [one for one in pending(plan, earlier) if one.drawn is not None and one.drawn.point_id == drawn.point_id]
    planned = Standing.HELD if listed and all(one.standing is Standing.HELD for one in listed) else Standing.FIXED
    if not after_responses and not any(other.responded for other in earlier):
        return replace(line, standing=planned)
    if met := [other for other in earlier if other.drawn is not None and _one_draw(drawn, other.drawn)]:
        return _shared(line, drawn, met)
    if listed:
        return replace(line, standing=planned, joint_gamma=drawn.adapted_gamma)
    larger = None if after_responses else larger_gamma(line, earlier, plan)
    if larger is None:
        return replace(line, standing=Standing.NONE)
    return replace(line, standing=Standing.LARGER, gamma=larger, joint_gamma=larger, confidence=None)


def pending(plan: tuple[Line, ...], lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The lines of the plan that were not drawn yet. Draws that were ended before the last, unseen, count as not drawn."""
    if not plan:
        return ()
    drawn = [line.drawn for line in lines if line.drawn is not None and line.standing in (Standing.FIXED, Standing.HELD)]
    made = Counter(point_id for point_id, _ in {(one.point_id, one.sample_id) for one in drawn if not one.ended})
    made.update(line.target_id + line.noise for line in lines if line.drawn is None)
    left = []
    for line in plan:
        name = line.target_id + line.noise if line.drawn is None else line.drawn.point_id
        if made[name]:
            made[name] -= 1
        else:
            left.append(line)
    return tuple(left)


def largest_later(earlier: tuple[Line, ...], plan: tuple[Line, ...]) -> float:
    """γ₂ of (5): the largest γ that was fixed before the first response, in the plan or by the first line; a word is no proof."""
    planned = [line.drawn.adapted_gamma for line in plan if line.drawn is not None and line.standing is not Standing.HELD]
    fixed = [line.joint_gamma for line in earlier if line.standing is Standing.FIXED]
    return max(planned + fixed, default=LATER_GAMMA)


def larger_gamma(line: Line, earlier: tuple[Line, ...], plan: tuple[Line, ...]) -> float | None:
    """The γ of (5), where its conditions hold and it is below 1; None elsewhere."""
    drawn = line.drawn
    if drawn is None or not drawn.local or line.adjacency not in _REPLACE_ONE:
        return None
    if any(other.loaded for other in earlier):  # the sums below would be of a ledger that nothing shows to be whole
        return None
    settled = any(other.settles for other in earlier)  # what a choice settles can lead to another oracle
    if settled and drawn.oracle_id not in _oracles_beforehand(earlier, plan):
        return None
    if not all(_of_its_own(other, line) for other in earlier):
        return None
    most = largest_later(earlier, plan)
    if drawn.joint_gamma > most:
        return None
    spent = Spent.by(earlier)
    if spent.epsilon > 700:
        return None
    gamma = math.exp(spent.epsilon) * most + spent.delta + spent.joint_gamma  # (5)
    gamma = float(_THREE_DIGITS.create_decimal_from_float(gamma * (1 + 2.0**-50)))  # which a few roundings could have lowered
    return gamma if gamma < 1 else None


def _oracles_beforehand(earlier: tuple[Line, ...], plan: tuple[Line, ...]) -> set[str]:
    """The oracles that were fixed before the first response: (5) speaks of one oracle, which no response may have made."""
    fixed = [line.drawn for line in earlier if line.standing is Standing.FIXED]
    planned = [line.drawn for line in plan if line.standing is not Standing.HELD]
    return {drawn.oracle_id for drawn in (*fixed, *planned) if drawn is not None}


def _of_its_own(earlier: Line, line: Line) -> bool:
    """Whether an earlier line holds a replace-one promise of its own, on pairs of the line's oracle and size."""
    alike = earlier.n == line.n and earlier.adjacency is line.adjacency
    if earlier.drawn is None:
        return alike and earlier.standing is Standing.PROVED
    return alike and earlier.standing.joins and line.drawn is not None and earlier.drawn.oracle_id == line.drawn.oracle_id


def _one_draw(first: Drawn, second: Drawn) -> bool:
    """Whether two promises rest on the same draws, or on two lengths of one run."""
    return (first.sample_id is not None and first.sample_id == second.sample_id) or _one_run(first, second)


def _one_run(first: Drawn, second: Drawn) -> bool:
    return first.run_id is not None and first.run_id == second.run_id


def _shared(line: Line, drawn: Drawn, met: list[Line]) -> Line:
    """The line under the promise of one whose event covers its own: a Δ̂ of the same draws that is no larger, or the same run
    (mathematics, section 4.4).

    Other draws that were met before are neither fixed nor fresh, whatever the plan says: the least of several Δ̂ could be picked.
    """
    for other in met:
        if other.drawn is None or not other.standing.joins:
            continue
        if other.drawn.k <= drawn.k or _one_run(other.drawn, drawn):
            return replace(
                line, standing=other.standing, gamma=other.gamma, joint_gamma=other.joint_gamma, confidence=other.confidence
            )
    return replace(line, standing=Standing.NONE)


def as_certified(line: Line) -> Line:
    """The line before anything was said of when it was chosen."""
    if line.drawn is None:
        return line
    drawn, standing = line.drawn, line.standing if line.standing is Standing.INEXACT else Standing.PROVED
    return replace(line, gamma=drawn.gamma, joint_gamma=drawn.joint_gamma, confidence=drawn.confidence, standing=standing)
