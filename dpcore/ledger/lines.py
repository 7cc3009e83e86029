"""A line of a ledger: one charge, in strings and numbers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, final

from dpcore.base import plain
from dpcore.base.checks import share, whole
from dpcore.errors import IncompatibleReleasesError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

ENDED = "ended "  # begins the sample's name if the draws were ended before the last, unseen


class Event(Enum):
    """What was charged."""

    RELEASE = "release"
    DRAWS = "draws without an answer"
    FAILED = "a release that failed"


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The random-DP promise that a line was certified for.

    ``point_id`` is equal for two lines iff target, norm, n, adjacency, oracle, bound, γ, confidence and (except for a bound with
    confidence, under which only m may adapt) m and k are.
    """

    oracle: str
    oracle_id: str
    point_id: str
    sample_id: str | None
    gamma: Annotated[float, share]
    joint_gamma: Annotated[float, share]
    confidence: Annotated[float | None, share]

    @property
    def adapted_gamma(self) -> float:
        """The γ averaged over the draws if m may have been chosen by a response: 1 − confidence·(1−γ), else as certified
        (mathematics, section 1.6)."""
        return self.joint_gamma if self.confidence is None else max(self.joint_gamma, 1 - self.confidence * (1 - self.gamma))

    def of_part(self, part: str) -> Drawn:
        """The same promise for one part of a table: each part has its own events."""
        sample_id = None if self.sample_id is None else f"{self.sample_id} {_short(part)}"
        return replace(self, point_id=f"{self.point_id} {_short(part)}", sample_id=sample_id)

    @property
    def ended(self) -> bool:
        """Whether the draws were ended before the last, and nobody saw them."""
        return self.sample_id is not None and self.sample_id.startswith(ENDED)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One charge.

    ``drawn`` is present if the sensitivity was sampled. ``noise`` names the mechanism with its ε and δ. ``composes_as`` (what is
    known of its noise beyond ε and δ; empty: nothing) and ``noise_ratio`` (the noise's scale over the sensitivity) say how its
    privacy loss is distributed, for tight totals. ``about``, ``answer`` and ``made`` are for people: the question, the answer,
    the time. ``doubled``: the release protects an added or removed record or user, and counts at twice its ε in a ledger of
    replaced ones. ``later``: it was planned, and made after a response.
    """

    event: Event
    target: str
    target_id: str
    n: Annotated[int, whole]
    adjacency: Adjacency
    epsilon: Annotated[float, plain.at_least_0]
    delta: Annotated[float, plain.below_1]
    drawn: Drawn | None = None
    noise: str = ""
    mechanism: str | None = None
    noise_ratio: Annotated[float, plain.at_least_0] = 0.0
    composes_as: Annotated[str, plain.one_of("", LAPLACE, NORMAL)] = ""
    about: str = field(default="", compare=False)
    answer: str = field(default="", compare=False)
    made: str = field(default="", compare=False)
    doubled: bool = False
    later: bool = False

    @property
    def gamma(self) -> float:
        """The γ that is promised; 0 for DP proper."""
        return 0.0 if self.drawn is None else self.drawn.gamma

    @property
    def joint_gamma(self) -> float:
        """The γ that is promised on average over the draws too; 0 for DP proper."""
        if self.drawn is None:
            return 0.0
        return self.drawn.adapted_gamma if self.later else self.drawn.joint_gamma

    @property
    def confidence(self) -> float | None:
        """The confidence over the draws, if the bound has one."""
        return None if self.drawn is None else self.drawn.confidence

    @property
    def responded(self) -> bool:
        """Whether the table was asked: draws tell nothing of it."""
        return self.event is not Event.DRAWS

    @property
    def ends_sampling(self) -> bool:
        """Whether nothing more may be sampled for the table afterwards: it was asked, or draws for a release were seen."""
        return self.responded or (self.drawn is not None and not self.drawn.ended)

    @property
    def guarantee(self) -> Guarantee:
        """The guarantee of this line by itself."""
        if self.drawn is not None:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    @property
    def sample_id(self) -> str | None:
        """Lines with the same one share their γ."""
        return self.drawn.sample_id if self.drawn is not None else None

    def serves(self, planned: Line) -> bool:
        """Whether it is what this line of a plan fixed: a proved release, an operating point, or these very draws of one."""
        if self.drawn is None or planned.drawn is None:
            return (self.drawn, planned.drawn, self.fixed_noise) == (None, None, planned.fixed_noise)
        return self.drawn.point_id == planned.drawn.point_id and planned.sample_id in (None, self.sample_id)

    @property
    def fixed_noise(self) -> tuple[str, str]:
        """What a tight total needs fixed: the target or operating point, and the mechanism with ε and δ."""
        return (self.target_id if self.drawn is None else self.drawn.point_id), self.noise

    @property
    def words(self) -> str:
        """What was charged, in words."""
        thing = "row" if self.adjacency.of_records else "person"
        twice = f"for a {thing} added or removed; a replaced {thing} is both, so it counts twice"
        return f"{self.event.value}, {twice}" if self.doubled else self.event.value

    def of_part(self, part: str) -> Line:
        """The same charge for one part of the table: another part has its own place in a plan, and its own γ."""
        if not part:
            return self
        drawn = None if self.drawn is None else self.drawn.of_part(part)
        return replace(self, target_id=f"{self.target_id} {_short(part)}", drawn=drawn)

    def told(self, *, about: str = "", answer: str = "", made: str = "") -> Line:
        """The same charge with words for people."""
        return replace(self, about=about or self.about, answer=answer or self.answer, made=made or self.made)


def _short(part: str) -> str:
    return hashlib.sha256(part.encode()).hexdigest()[:32]


# Lines of one ledger protect the same neighbours, at one n, and sampled ones have one oracle: nothing else adds up.


def counted_with(first: Line, line: Line) -> Line:
    """Return the line as it counts in a ledger that begins with ``first``.

    The first line fixes the unit (records or users) and the neighbours. Pure DP for an added or removed record, or user, counts
    at 2ε where one is replaced (mathematics, section 4.7); nothing else changes its neighbours.

    Raises:
        IncompatibleReleasesError: If neighbours or n differ.
    """
    if first.adjacency is _REPLACED.get(line.adjacency) and line.drawn is None and not line.delta:
        line = _doubled(line, first)
    if first.adjacency is not line.adjacency:
        raise IncompatibleReleasesError("adjacency", first.adjacency.value, line.adjacency.value)
    if first.n != line.n:
        raise IncompatibleReleasesError("number of rows", first.n, line.n)
    return line


_REPLACED = {
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: Adjacency.REPLACE_ONE_RECORD,
    Adjacency.ADD_OR_REMOVE_ONE_USER: Adjacency.REPLACE_ONE_USER,
}


def _doubled(line: Line, first: Line) -> Line:
    twice = replace(line, adjacency=first.adjacency, n=first.n, epsilon=2 * line.epsilon, doubled=True)
    # the distribution of its loss for a replaced record is unknown, and a plan for replaced records does not list it
    return replace(twice, target_id=f"{line.target_id} twice", noise_ratio=0.0, composes_as="")


def refuse_other_oracle(first: Drawn, second: Drawn) -> None:
    """IncompatibleReleasesError if two sampled lines have different oracles."""
    if first.oracle_id != second.oracle_id:
        names = [f"{drawn.oracle} ({drawn.oracle_id[:8]})" for drawn in (first, second)]
        raise IncompatibleReleasesError("oracle", *names)
