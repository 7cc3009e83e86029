"""The ledger: what releases have spent together, and a budget that refuses.

Pure and approximate DP add up whatever was asked. Random DP adds up only where all that its promise depends on was fixed
before the first response to the table (mathematics, section 4): ``standing`` tells, line by line.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Any, final

from dpcore.base.checks import share
from dpcore.base.norms import Norm
from dpcore.base.plain import kind_to_plain, to_plain
from dpcore.base.types import Oracle, Target
from dpcore.errors import BudgetExceededError, InvalidValueError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.charges import Planned, of_calibrated, of_ended, of_entered, of_release, of_sample, planned_line
from dpcore.ledger.lines import Drawn, Event, Line, Standing, alike, refuse_any_unlike, refuse_unlike
from dpcore.ledger.saved import ledger_from_plain
from dpcore.ledger.spending import Spent, Tally
from dpcore.ledger.standing import as_certified, by_word, pending, stand
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.sampling.sampler import SensitivitySample

__all__ = ["Drawn", "Event", "Ledger", "Line", "Planned", "Standing"]


@final
@dataclass(frozen=True, slots=True)
class Ledger:
    """An immutable list of charges to one table under a budget; ``add`` returns a new ledger or refuses.

    A budget of pure DP admits pure DP alone, of approximate DP also that, of random DP all three; none admits a line without
    a guarantee. ``plan`` holds what was fixed before the first response. ``after_responses`` says that there were some
    before this ledger, kept elsewhere: random-DP lines then hold only where they are of the plan.

        >>> import numpy as np
        >>> from dpcore import L1, Laplace, Ledger, PureDP, targets
        >>> count = targets.Proportion(interval=(0.0, 1.0)).global_sensitivity(L1, 3)
        >>> release = Laplace().calibrate(count, PureDP(0.5)).release(np.array([0.2, 0.4, 3.0]))
        >>> Ledger(PureDP(2.0)).add(release).add(release).total()
        PureDP(epsilon=1.0)
    """

    budget: Guarantee | None = None
    plan: tuple[Line, ...] = ()
    lines: tuple[Line, ...] = ()
    after_responses: bool = False
    _counted: tuple[tuple[Line, ...], Tally] = field(default=((), Tally()), repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.budget is not None and not isinstance(self.budget, (PureDP, ApproxDP, RandomDP)):
            raise InvalidValueError("budget", "a guarantee, or left out", self.budget)

    def planned(self, items: Iterable[Planned | Calibrated[Any] | Line]) -> Ledger:
        """The ledger with these releases fixed, each once; only before the first response to the table.

        ``Planned``: fresh draws are still to be made. A ``Calibrated`` of a global sensitivity holds without a plan too, and
        is listed for the sake of tight totals. Under TOLERANCE and TIME_UNIFORM m may still be chosen later, all else may not.
        """
        if self.responded:
            raise InvalidValueError("plan", "made before the first answer", len(self.lines))
        new = tuple(planned_line(item) for item in items)
        planned = replace(self, plan=self.plan + new)
        refuse_any_unlike((*self.lines, *planned.plan))
        planned._refuse(Spent.by(planned.lines, planned.pending, whole=True))
        return planned

    def add(
        self, item: Release[Any] | SensitivitySample[Norm], *, part: str = "", about: str = "", answer: str = "", made: str = ""
    ) -> Ledger:
        """Charge a release; or a sample whose draws were seen without a response, at (0, 0, γ).

        IncompatibleReleasesError for another n, adjacency or oracle, but that pure DP of an added or removed record counts at 2ε
        beside lines of a replaced one (mathematics, section 4.8); BudgetExceededError beyond the budget. ``part`` names the part
        of the table that the database is, where it has several (``Planned``); ``about``, ``answer``, ``made`` are for people.
        """
        if isinstance(item, Release):
            return self._with(of_release(item).of_part(part).told(about=about, answer=answer, made=made))
        if isinstance(item, SensitivitySample):
            return self._with(of_sample(item).of_part(part).told(about=about, answer=answer, made=made))
        raise InvalidValueError("item", "a release or a sensitivity sample", type(item).__name__)

    def add_draws(
        self,
        target: Target,
        oracle: Oracle,
        *,
        norm: Norm,
        n: int,
        at: OperatingPoint,
        adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
        looked: bool = True,
        part: str = "",
        about: str = "",
        made: str = "",
    ) -> Ledger:
        """Charge draws for a release that were ended before the last, at (0, 0, γ): redrawing until pleased is looking
        (mathematics, section 2.3).

        With ``looked`` some of their distances were seen, so that they take their place of a plan: whether they were drawn
        again until they were small could hang on a response. Draws that nobody saw leave the place free.
        """
        planned = Planned(target, oracle, norm, n, at, adjacency, part=part)
        return self._with(of_ended(planned, looked=looked).told(about=about, made=made))

    def add_failed(self, calibrated: Calibrated[Any], *, n: int, part: str = "", about: str = "", made: str = "") -> Ledger:
        """Charge in full a release that failed on a database of n records: that it failed was itself a response."""
        return self._with(of_calibrated(Event.FAILED, calibrated, n).of_part(part).told(about=about, made=made))

    def enter(
        self,
        guarantee: Guarantee | None,
        *,
        n: int,
        adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD,
        made: str,
        note: str,
        first: bool = True,
    ) -> Ledger:
        """Enter a release of the same table that was made elsewhere; the budget does not refuse what has happened.

        DP proper joins the total; random DP stands apart, and so does what has no guarantee (None). With ``first`` it came
        before every line here: these were then chosen after a response, so a plan falls, and what was sampled is judged
        again. Without, it came after them.
        """
        if guarantee is not None and not isinstance(guarantee, (PureDP, ApproxDP, RandomDP)):
            raise InvalidValueError("guarantee", "a guarantee, or left out", guarantee)
        line = _charged(of_entered(guarantee, n, adjacency).told(about=note, made=made))
        own, (line,) = alike(self.lines, self.plan, (line,))
        for other in own if first else (*own, *self.plan):
            refuse_unlike(other, line)
        if not first:
            return replace(self, lines=(*own, line))
        return replace(self, plan=(), lines=())._judged(line, own)

    def late(self) -> Ledger:
        """As it stands once it is known that there were responses, kept elsewhere, before all of it: a plan falls."""
        return replace(self, plan=(), lines=(), after_responses=True)._judged(None, self.lines)

    def joined(self, other: Ledger) -> Ledger:
        """The ledger with the lines and the plan of another one behind its own, each as it stands there; its own budget stays.
        IncompatibleReleasesError for lines of another n, adjacency or oracle."""
        lines, others = alike(self.lines, self.plan, other.lines)
        refuse_any_unlike((*lines, *self.plan, *others, *other.plan))
        after = self.after_responses or other.after_responses
        return replace(self, plan=self.plan + other.plan, lines=lines + others, after_responses=after)

    def by_word(self, loaded: str) -> Ledger:
        """As it stands where nothing but its holder's word says that it is whole: what was sampled joins no total any more, and
        neither will what is sampled for its plan, unless the plan came before every response. ``loaded``: when it was saved."""
        lines = tuple(by_word(replace(line, loaded=loaded)) for line in self.lines)
        plan = tuple(replace(line, standing=Standing.HELD) for line in self.plan) if self.responded else self.plan
        return replace(self, lines=lines, plan=plan)

    def to_json(self) -> dict[str, Any]:
        """Plain data that ``from_json`` reads. Nothing in it was computed from a record but the answers."""
        budget = None if self.budget is None else kind_to_plain(self.budget)
        return {"budget": budget, **{name: to_plain(getattr(self, name)) for name in ("plan", "lines", "after_responses")}}

    @classmethod
    def from_json(cls, value: object, *, loaded: str = "a day that was not said") -> Ledger:
        """The ledger of plain data, which holds by its holder's word alone (``by_word``): releases that were made since are not
        in it. InvalidValueError names the field that is wrong, IncompatibleReleasesError is of lines that add up nowhere."""
        budget, plan, lines, after = ledger_from_plain(value)
        refuse_any_unlike((*lines, *plan))
        return cls(budget, plan, lines, after).by_word(loaded)

    def _judged(self, first: Line | None, others: tuple[Line, ...]) -> Ledger:
        """These lines, each judged by those before it; the budget does not refuse what has happened."""
        ledger = replace(self, budget=None, lines=() if first is None else (first,))
        for other in others:
            ledger = ledger._with(other)
        return replace(ledger, budget=self.budget)

    def foresee(self, item: Planned | Calibrated[Any] | Line) -> Line:
        """The line that a release would add, as it would stand: to be said before anything is drawn.

        IncompatibleReleasesError where it would belong to a ledger of its own.
        """
        ledger, line = self._taking(planned_line(item))
        return ledger._standing(line)

    def holding(self, item: Planned | Calibrated[Any] | Line) -> Ledger:
        """The ledger as it would be after such a release, whatever the budget says: for looking ahead."""
        ledger, line = self._taking(planned_line(item))
        return replace(ledger, lines=(*ledger.lines, ledger._standing(line)))

    def refuse_beyond(
        self, guarantee: Guarantee, *, joint_gamma: float | None = None, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> None:
        """BudgetExceededError where a release of this guarantee, with fresh draws, would not fit: asked before drawing.

        ``joint_gamma`` is its operating point's: above γ under TIME_UNIFORM, and under TOLERANCE with a low confidence.
        Without it, 1 − confidence·(1−γ), which holds under both. Draws of the plan are charged already. ``adjacency``: of its
        neighbours, for it may count at 2ε beside these lines.
        """
        ledger, line = self._taking(of_entered(guarantee, 1, adjacency))  # it has a name of its own, as fresh draws have
        if line.gamma and joint_gamma is not None:
            line = replace(line, joint_gamma=max(line.gamma, joint_gamma))
        ledger._refuse(ledger._tally.with_(line).spent(ledger.pending))

    @property
    def responded(self) -> bool:
        """Whether there was a response to the table, here or elsewhere."""
        return self.after_responses or any(line.responded for line in self.lines)

    @property
    def pending(self) -> tuple[Line, ...]:
        """The lines of the plan that are still to be made."""
        return pending(self.plan, self.lines)

    @property
    def to_join(self) -> tuple[Line, ...]:
        """Those of them that will be part of a total: none that holds by a word alone."""
        return tuple(line for line in self.pending if line.standing is not Standing.HELD)

    @property
    def apart(self) -> tuple[Line, ...]:
        """The lines that join no total: chosen after a response, random DP of elsewhere, or held by a word alone."""
        return tuple(line for line in self.lines if line.apart)

    @property
    def fixed_beforehand(self) -> bool:
        """Whether number, mechanism, ε and δ of all lines were fixed before the first response, as a tight total needs."""
        left = [line.fixed_noise for line in self.plan]
        for line in self.lines:
            if line.fixed_noise not in left:
                return False
            left.remove(line.fixed_noise)
        proved = not any(line.standing is Standing.HELD for line in self.plan)
        return proved and bool(self.plan) and all(line.noise for line in self.plan)

    def total(self, *, delta: float | None = None) -> Guarantee | None:
        """The guarantee that covers every line together; None for no line, where lines stand apart, or with γ at 1 or more.

        Without ``delta``, (Σε, Σδ, Σγ), the γ of planned lines that are still to come among them: under a budget that was
        fixed in advance it also holds where an ε or δ was chosen by earlier responses. With it, the least ε at that δ by
        privacy loss distributions, never more than Σε where Σδ <= ``delta``, planned lines again included: it holds only
        where *the list of releases, with each mechanism, ε and δ, was fixed before the first response*, which
        ``fixed_beforehand`` knows of a plan and else you must. None where no finite ε is found at that δ.

        Under random DP the (ε, δ) is on the pairs that every line covers, all but Σγ of them (mathematics, section 4.7): δ + γ
        is not a δ. InvalidValueError for a ``delta`` outside (0, 1).
        """
        joint = self.joint(delta=delta)
        return None if self.apart else joint

    def joint(self, *, delta: float | None = None) -> Guarantee | None:
        """The guarantee that covers the lines that do join, whatever stands apart. ``delta`` as in ``total``."""
        if delta is not None:
            delta = share("delta", delta)
        lines = tuple(line for line in self.lines if not line.apart)
        if not lines:
            return None
        to_come = self.to_join
        spent = Spent.by(lines, to_come)
        return (spent if delta is None else spent.tightened((*lines, *to_come), delta)).guarantee()

    def _taking(self, line: Line) -> tuple[Ledger, Line]:
        """The ledger and a line, as they count together: of records that are added or removed beside replaced ones at 2ε."""
        own, (line,) = alike(self.lines, self.plan, (line,))
        return self if own is self.lines else replace(self, lines=own), line

    def _with(self, line: Line) -> Ledger:
        before, line = self._taking(line)
        line = _charged(before._standing(line))
        lines = (*before.lines, line)
        if self.budget is not None and line.standing.void and line.responded:
            raise BudgetExceededError(self.budget, None, "guarantee")
        ledger = replace(before, lines=lines, _counted=(lines, before._tally.with_(line)))
        ledger._refuse(ledger._tally.spent(ledger.pending))
        return ledger

    @property
    def _tally(self) -> Tally:
        """Of its lines: as it was counted line by line, where they are the ones that were counted."""
        lines, tally = self._counted
        return tally if lines is self.lines else Tally.of(self.lines)

    def _standing(self, line: Line) -> Line:
        drawn = (one for one in chain(self.lines, self.plan) if one.drawn is not None)
        first = islice(drawn, 1 if line.drawn is not None else 0)
        for other in (*self.lines[:1], *self.plan[:1], *first):  # all of them are alike
            refuse_unlike(other, line)
        return stand(as_certified(line), self.lines, self.plan, after_responses=self.after_responses)

    def _refuse(self, spent: Spent) -> None:
        if self.budget is not None and (what := spent.beyond(self.budget)):
            raise BudgetExceededError(self.budget, spent.guarantee() or spent, what)


def _charged(line: Line) -> Line:
    """With a name of its own, by which it is known wherever its ledger is read again."""
    return line if line.charge else replace(line, charge=secrets.token_hex(16))
