"""The ledger (privacy accountant): what releases have spent together, under a budget that refuses.

Pure and approximate DP add up whatever was asked. Random DP adds up only if everything that its guarantee depends on was fixed
before the first response to the table (mathematics, section 4.1). So a ledger accepts sampled lines until then; afterwards it
accepts those of its plan and refuses all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, final

from dpcore.base.checks import share
from dpcore.base.norms import Norm
from dpcore.base.serialization import a_list, an_object, from_plain, kind_to_plain, most, to_plain
from dpcore.base.types import Oracle, Target
from dpcore.errors import BudgetExceededError, InvalidValueError, SampledLaterError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.lines import (
    Drawn,
    Event,
    Line,
    Planned,
    counted_with,
    of_calibrated,
    of_ended,
    of_release,
    of_sample,
    planned_line,
    refuse_other_oracle,
)
from dpcore.ledger.spending import Spent
from dpcore.mechanisms.base import Calibrated, Release
from dpcore.sampling.sampler import SensitivitySample

__all__ = ["Drawn", "Event", "Ledger", "Line", "Planned"]
MOST_LINES = 1_000  # of one ledger that is loaded


@final
@dataclass(frozen=True, slots=True)
class Ledger:
    """Privacy accountant: an immutable list of charges to one table under a budget; ``add`` returns a new ledger or refuses.

    The first line fixes the unit (records or users), the neighbours and n. ``plan`` lists what was fixed before the first
    response. ``after_responses`` says that there may have been responses before this ledger, recorded elsewhere.

    A sampled line is accepted before the first response, or as part of the plan. Every other one raises ``SampledLaterError``,
    because a response may have led to it and then nothing holds for it (mathematics, section 4.5). Draws for a release that were
    seen count as a response here. A budget of pure DP admits only pure DP, of approximate DP also that, of random DP all three.

    Attributes:
        budget: The largest total, or None.
        plan: The lines that were fixed before the first response.
        lines: The charges.
        after_responses: True if there may have been responses before this ledger.

    Raises:
        InvalidValueError: If the budget is no guarantee.

    Examples:
        >>> import numpy as np
        >>> from dpcore import L1, LaplaceMechanism, Ledger, PureDP, targets
        >>> count = targets.Proportion(interval=(0.0, 1.0)).global_sensitivity(L1, 3)
        >>> release = LaplaceMechanism().calibrate(count, PureDP(0.5)).release(np.array([0.2, 0.4, 3.0]))
        >>> Ledger(PureDP(2.0)).add(release).add(release).total()
        PureDP(epsilon=1.0)
    """

    budget: Guarantee | None = None
    plan: tuple[Line, ...] = ()
    lines: tuple[Line, ...] = ()
    after_responses: bool = False

    def __post_init__(self) -> None:
        if self.budget is not None and not isinstance(self.budget, (PureDP, ApproxDP, RandomDP)):
            raise InvalidValueError("budget", "a guarantee, or left out", self.budget)

    def planned(self, items: Iterable[Planned | Calibrated[Any] | Line]) -> Ledger:
        """Return the ledger with these releases fixed, each once: all sampled questions of a release, before any is answered.

        Args:
            items: The releases. A ``Calibrated`` has made its draws, a ``Planned`` makes them later; under TOLERANCE and
                TIME_UNIFORM its m may still be chosen, everything else may not. A proved sensitivity needs no plan, and is
                listed only for the sake of tight totals.

        Returns:
            The ledger with this plan.

        Raises:
            InvalidValueError: If there was a response already.
            SampledLaterError: If an item is sampled, and draws for a release of this table were seen already.
            IncompatibleReleasesError: If neighbours, n or oracle differ.
            BudgetExceededError: If all of them together would spend more than the budget.
        """
        if self.responded:
            raise InvalidValueError("plan", "made before the first answer", len(self.lines))
        # Everything that the guarantees depend on is fixed here, before the first response (mathematics, section 4.1).
        made = self
        for item in items:
            made = replace(made, plan=(*made.plan, made._accepted(planned_line(item), listed=False)))
        made._refuse(Spent.by(made.lines, made.pending, whole=True))
        return made

    def add(
        self, item: Release[Any] | SensitivitySample[Norm], *, part: str = "", about: str = "", answer: str = "", made: str = ""
    ) -> Ledger:
        """Charge a release; or a sample whose draws were seen without a response, at (0, 0, γ).

        After such a sample no sampled release is accepted that is not of the plan; more samples are charged.

        Args:
            item: The release or the sample.
            part: Name of the part of the table that the database is, if it has several (``Planned``).
            about: The question, for people.
            answer: The answer, for people.
            made: The time, for people.

        Returns:
            The ledger with the charge.

        Raises:
            SampledLaterError: If it is sampled, after a response, and not of the plan.
            IncompatibleReleasesError: If neighbours, n or oracle differ. Pure DP for an added or removed record counts at 2ε
                beside lines of a replaced one (mathematics, section 4.7).
            BudgetExceededError: If it would spend more than the budget.
            InexactNoiseError: If the release has no guarantee, because its noise is not known to be drawn exactly.
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
        """Charge draws for a release that were ended before the last, at (0, 0, γ).

        Args:
            target: The target.
            oracle: The oracle.
            norm: The norm.
            n: Number of records, or of users.
            at: The operating point.
            adjacency: The neighbours.
            looked: True if some of their distances were seen. Then nothing more may be sampled for this table, except what is
                planned.
            part: Name of the part of the table (``Planned``).
            about: The question, for people.
            made: The time, for people.

        Returns:
            The ledger with the charge.

        Raises:
            SampledLaterError: If it is sampled, after a response, and not of the plan.
            IncompatibleReleasesError: If neighbours, n or oracle differ.
            BudgetExceededError: If it would spend more than the budget.
        """
        # Redrawing until pleased is looking (mathematics, section 2.3).
        planned = Planned(target, oracle, norm, n, at, adjacency, part=part)
        return self._with(of_ended(planned, looked=looked).told(about=about, made=made))

    def add_failed(self, calibrated: Calibrated[Any], *, n: int, part: str = "", about: str = "", made: str = "") -> Ledger:
        """Charge in full a release that failed: the failure itself was a response.

        Args:
            calibrated: The calibrated mechanism whose release failed.
            n: Number of records of the database, or of users.
            part: Name of the part of the table (``Planned``).
            about: The question, for people.
            made: The time, for people.

        Returns:
            The ledger with the charge.

        Raises:
            SampledLaterError: If it is sampled, after a response, and not of the plan.
            IncompatibleReleasesError: If neighbours, n or oracle differ.
            BudgetExceededError: If it would spend more than the budget.
        """
        return self._with(of_calibrated(Event.FAILED, calibrated, n).of_part(part).told(about=about, made=made))

    def foresee(self, item: Planned | Calibrated[Any] | Line) -> Line:
        """Return the line that a release would add, whatever the budget says. Ask before anything is drawn.

        Args:
            item: The release.

        Returns:
            The line as it would count here.

        Raises:
            SampledLaterError: If the ledger would refuse it as sampled later.
            IncompatibleReleasesError: If neighbours, n or oracle differ.
        """
        return self._accepted(planned_line(item))

    def holding(self, item: Planned | Calibrated[Any] | Line) -> Ledger:
        """Return the ledger as it would be after such a release, whatever the budget says.

        Args:
            item: The release.

        Returns:
            The ledger with its line.

        Raises:
            SampledLaterError: If the ledger would refuse it as sampled later.
            IncompatibleReleasesError: If neighbours, n or oracle differ.
        """
        return replace(self, lines=(*self.lines, self.foresee(item)))

    @property
    def responded(self) -> bool:
        """True if there was a response to the table, here or elsewhere."""
        return self.after_responses or any(line.responded for line in self.lines)

    @property
    def sampling_ended_by(self) -> str:
        """The event that ended sampling, so that only sampled lines of the plan are accepted; empty without such an event."""
        if any(line.responded for line in self.lines):
            return "an answer about this table"
        if self.after_responses:
            return "answers that are not in this ledger"
        return "draws for a release that were seen" if any(line.ends_sampling for line in self.lines) else ""

    @property
    def pending(self) -> tuple[Line, ...]:
        """The lines of the plan that are still to be made. Draws that were ended before the last, unseen, make none."""
        if not self.plan:
            return ()
        # Draws that were ended unseen may be made again; each other line takes one place of the plan.
        made = [line for line in self.lines if line.drawn is None or not line.drawn.ended]
        left = []
        for planned in self.plan:
            place = next((i for i, line in enumerate(made) if line.serves(planned)), None)
            if place is None:
                left.append(planned)
            else:
                del made[place]
        return tuple(left)

    @property
    def fixed_beforehand(self) -> bool:
        """True if number, mechanism, ε and δ of all lines were fixed before the first response, as a tight total needs."""
        left = [line.fixed_noise for line in self.plan]
        for line in self.lines:
            if line.fixed_noise not in left:
                return False
            left.remove(line.fixed_noise)
        return not self.after_responses and bool(self.plan) and all(line.noise for line in self.plan)

    def total(self, *, delta: float | None = None) -> Guarantee | None:
        """Return the guarantee that covers every line together; None for no line, or with γ at 1 or more.

        Without ``delta``, (Σε, Σδ, Σγ), with the γ of planned lines that are still to come: under a budget that was fixed in
        advance it also holds if an ε or δ was chosen by earlier responses (mathematics, section 4.2). With it, the least ε at
        that δ by privacy loss distributions: it holds only if *the list of releases, with each mechanism, ε and δ, was fixed
        before the first response*, which ``fixed_beforehand`` knows of a plan and otherwise you must.

        Under random DP the (ε, δ) is on the pairs that every line covers, all but Σγ of them (mathematics, section 4.6): δ + γ
        is not a δ.

        Args:
            delta: δ of the total, above 0 and below 1; None for the sum.

        Returns:
            The guarantee; None if no finite ε is found at that δ.

        Raises:
            InvalidValueError: If ``delta`` is out of range.
        """
        if delta is not None:
            delta = share("delta", delta)
        if not self.lines:
            return None
        spent = Spent.by(self.lines, self.pending)
        return (spent if delta is None else spent.tightened((*self.lines, *self.pending), delta)).guarantee()

    def to_json(self) -> dict[str, Any]:
        """Return plain data that ``from_json`` reads. Nothing in it was computed from a record except the answers."""
        return {"budget": None if self.budget is None else kind_to_plain(self.budget), "lines": to_plain(self.lines)}

    @classmethod
    def from_json(cls, value: object) -> Ledger:
        """Return the ledger of plain data, accepted whole or refused whole.

        No file can prove that nothing was released since it was saved. So ``after_responses`` is set: the ledger takes nothing
        sampled, and has no plan.

        Args:
            value: Plain data.

        Returns:
            The ledger.

        Raises:
            InvalidValueError: If a field is wrong; it is named.
            IncompatibleReleasesError: If the lines cannot be of one ledger.
        """
        given = an_object("ledger", value, ("budget", "lines"))
        budget: Guarantee | None = from_plain(Guarantee | None, given["budget"], "guarantee")
        lines = tuple(map(_line_from_plain, most(MOST_LINES)("lines", a_list("lines", given["lines"]))))
        for line in lines[1:]:
            if counted_with(lines[0], line) is not line:
                raise InvalidValueError("lines", "counted for the neighbours of the first", line.adjacency.value)
        drawn = [line.drawn for line in lines if line.drawn is not None]
        for one in drawn[1:]:
            refuse_other_oracle(drawn[0], one)
        return cls(budget, lines=lines, after_responses=True)

    @property
    def _first(self) -> Line | None:
        return next(chain(self.lines, self.plan), None)

    def _with(self, line: Line) -> Ledger:
        ledger = replace(self, lines=(*self.lines, self._accepted(line)))
        ledger._refuse(Spent.by(ledger.lines, ledger.pending))
        return ledger

    def _accepted(self, line: Line, *, listed: bool = True) -> Line:
        """Return the line as it counts here. ``listed``: whether it may be of the plan."""
        # The first line fixes the unit, the neighbours and n (mathematics, section 4.7).
        first = self._first
        line = line if first is None else counted_with(first, line)
        if line.drawn is None:
            return line
        # Random DP adds up over one oracle only: a covered pair is a pair of that oracle (mathematics, section 4.1).
        other = next((one.drawn for one in chain(self.lines, self.plan) if one.drawn is not None), None)
        if other is not None:
            refuse_other_oracle(other, line.drawn)
        # Draws are charged until there is a response.
        why = self.sampling_ended_by
        if not why or (line.event is Event.DRAWS and not self.responded):
            return line
        # After a response a sampled line holds only if it was fixed before (mathematics, section 4.5).
        if not (listed and any(line.serves(planned) for planned in self.pending)):
            raise SampledLaterError(why)
        return replace(line, later=self.responded)

    def _refuse(self, spent: Spent) -> None:
        if self.budget is not None and (what := spent.beyond(self.budget)):
            raise BudgetExceededError(self.budget, spent.guarantee() or spent, what)


def _line_from_plain(value: object) -> Line:
    """Return the line of plain data; InvalidValueError names the field that no line has."""
    line: Line = from_plain(Line, value)
    drawn = line.drawn
    if drawn is None:
        # A proved release spends ε, and none is later than its plan.
        fits = line.event is not Event.DRAWS and line.epsilon > 0 and not line.later
    else:
        # Without a confidence γ is averaged over the draws already; draws spend no ε.
        certified = drawn.confidence is not None or drawn.joint_gamma == drawn.gamma
        fits = certified and (line.epsilon > 0) == (line.event is not Event.DRAWS)
    # Only pure DP for an added or removed record is counted twice (mathematics, section 4.7).
    if line.doubled:
        fits = fits and drawn is None and not line.delta and not line.adjacency.removes
    if not fits or line.n < 1:
        raise InvalidValueError("line", "one whose event and numbers go together", to_plain(line))
    return line
