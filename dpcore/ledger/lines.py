"""A line of a ledger: one charge, in strings and numbers, and what its guarantee rests on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Annotated, final

from dpcore.base import plain
from dpcore.base.checks import share, whole
from dpcore.errors import IncompatibleReleasesError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.mechanisms.response_law import LAPLACE, NORMAL

ENDED = "ended "  # begins the sample's name where draws were ended before the last, unseen: nothing will share them


class Event(Enum):
    """What was charged."""

    RELEASE = "release"
    DRAWS = "draws without an answer"
    FAILED = "a release that failed"
    ENTERED = "entered by hand"


class Standing(Enum):
    """What the guarantee of a line rests on (mathematics, section 4)."""

    PROVED = ""  # a proved sensitivity: holds whatever was asked before
    FIXED = "fixed before the first answer"
    LARGER = "chosen after an answer, at a larger γ"
    NONE = "chosen after an answer: no guarantee"
    APART = "a guarantee of its own"  # random DP of elsewhere, which joins no total
    HELD = "fixed beforehand by its holder's word"  # of a file that may not be whole: a guarantee of its own too
    INEXACT = "noise that is not known to be drawn exactly: no guarantee"

    @property
    def joins(self) -> bool:
        """Whether a line with it is part of a total."""
        return self not in (Standing.NONE, Standing.APART, Standing.HELD, Standing.INEXACT)

    @property
    def void(self) -> bool:
        """Whether nothing holds for a line with it."""
        return self in (Standing.NONE, Standing.INEXACT)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Which random-DP promise a line was certified for, before anything is said of when it was chosen.

    ``point_id`` is equal for two lines iff target, norm, n, adjacency, oracle, bound, γ, confidence and (but for a bound with
    confidence, under which m alone may adapt) m and k are. ``k``: the order of Δ̂ among its draws. ``run_id`` is that of one
    run of draws under TIME_UNIFORM, all of whose lengths hold at once. ``local``: the distance hangs on the two replaced
    records alone, which the oracle draws independently of the others. ``fitted``: the oracle was made of an answer, perhaps about
    this table (mathematics, section 7.3).
    """

    oracle: str
    oracle_id: str
    point_id: str
    sample_id: str | None
    k: Annotated[int, whole]
    gamma: Annotated[float, share]
    joint_gamma: Annotated[float, share]
    confidence: Annotated[float | None, share]
    local: bool
    run_id: str | None = None
    fitted: bool = False

    @property
    def adapted_gamma(self) -> float:
        """The γ averaged over the draws where m may have been chosen by a response: 1 − confidence·(1−γ), else as certified
        (mathematics, section 1.6)."""
        return self.joint_gamma if self.confidence is None else max(self.joint_gamma, 1 - self.confidence * (1 - self.gamma))

    def of_part(self, part: str) -> Drawn:
        """The same of one part of a table: of another part it is another event."""
        sample_id = None if self.sample_id is None else f"{self.sample_id} {_short(part)}"
        run_id = None if self.run_id is None else f"{self.run_id} {_short(part)}"
        return replace(self, point_id=f"{self.point_id} {_short(part)}", sample_id=sample_id, run_id=run_id)

    @property
    def ended(self) -> bool:
        """Whether the draws were ended before the last, and nobody looked at them."""
        return self.sample_id is not None and self.sample_id.startswith(ENDED)


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One charge. ``gamma`` and ``joint_gamma`` (averaged over the draws too) are what is promised; both 0 for DP proper.

    ``drawn`` is there where a sensitivity was sampled. ``noise`` names the mechanism with its ε and δ; ``composes_as`` (what is
    known of its noise beyond ε and δ; empty: nothing) and ``noise_ratio`` (the noise's scale over the sensitivity) say how its
    privacy loss is distributed, for tight totals. ``about``, ``answer`` and ``made`` are for people: what was asked, what came,
    when. ``doubled``: it was made where a record is added or removed, and counts here where one is replaced, at twice its ε.
    ``charge`` is the name of this one charge, the same wherever its ledger is kept; ``loaded`` says when the file was saved
    that it came from, and is empty where it was charged here. ``settles``: its response settles something of a later question.
    """

    event: Event
    target: str
    target_id: str
    n: Annotated[int, whole]
    adjacency: Adjacency
    epsilon: Annotated[float, plain.at_least_0]
    delta: Annotated[float, plain.below_1]
    gamma: Annotated[float, plain.below_1] = 0.0
    joint_gamma: Annotated[float, plain.below_1] = 0.0
    confidence: Annotated[float | None, share] = None
    drawn: Drawn | None = None
    standing: Standing = Standing.PROVED
    noise: str = ""
    mechanism: str | None = None
    noise_ratio: Annotated[float, plain.at_least_0] = 0.0
    composes_as: Annotated[str, plain.one_of("", LAPLACE, NORMAL)] = ""
    about: str = field(default="", compare=False)
    answer: str = field(default="", compare=False)
    made: str = field(default="", compare=False)
    charge: Annotated[str, plain.like("([0-9a-f]{32})?", "32 hexadecimal digits")] = field(default="", compare=False)
    loaded: str = field(default="", compare=False)
    doubled: bool = False
    settles: bool = False

    @property
    def responded(self) -> bool:
        """Whether something of the table was told: draws alone tell nothing of it."""
        return self.event is not Event.DRAWS

    @property
    def apart(self) -> bool:
        """Whether it joins no total: it was chosen after a response, is random DP of elsewhere, or rests on a word."""
        return not self.standing.joins

    @property
    def guarantee(self) -> Guarantee | None:
        """What holds for this line; None where nothing does."""
        if self.standing.void:
            return None
        if self.gamma:
            return RandomDP(self.epsilon, self.delta, self.gamma, self.confidence)
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    @property
    def without_earlier(self) -> RandomDP | None:
        """What would hold had it been chosen without the earlier responses; None for a proved sensitivity."""
        if self.drawn is None:
            return None
        return RandomDP(self.epsilon, self.delta, self.drawn.gamma, self.drawn.confidence)

    @property
    def sample_id(self) -> str | None:
        """Lines that share it share their γ."""
        return self.drawn.sample_id if self.drawn is not None else None

    @property
    def fixed_noise(self) -> tuple[str, str]:
        """What a tight total needs fixed of it: what it is about, and its mechanism with ε and δ."""
        return (self.target_id if self.drawn is None else self.drawn.point_id), self.noise

    @property
    def words(self) -> str:
        """What people read about where it stands."""
        told = "" if self.standing in (Standing.PROVED, Standing.FIXED) else self.standing.value
        twice = "for a row added or removed; a replaced row is both, so it counts twice" if self.doubled else ""
        return ", ".join(part for part in (self.event.value, "from a file" if self.loaded else "", told, twice) if part)

    def of_part(self, part: str) -> Line:
        """The same charge, where the database is this part of the table: another part shares no place of a plan, and no γ."""
        if not part:
            return self
        drawn = None if self.drawn is None else self.drawn.of_part(part)
        return replace(self, target_id=f"{self.target_id} {_short(part)}", drawn=drawn)

    def redrawn(self, name: str) -> Line:
        """The same charge with draws of its own: lines of one sample, or of one run, would share their γ."""
        return self if self.drawn is None else replace(self, drawn=replace(self.drawn, sample_id=name, run_id=None))

    def told(self, *, about: str = "", answer: str = "", made: str = "") -> Line:
        """The same charge with words for people."""
        return replace(self, about=about or self.about, answer=answer or self.answer, made=made or self.made)


def _short(part: str) -> str:
    return hashlib.sha256(part.encode()).hexdigest()[:32]


# Which lines can stand in one ledger: guarantees about other neighbours, sizes or oracles do not add up.


def refuse_unlike(first: Line, second: Line) -> None:
    """IncompatibleReleasesError where two lines differ in adjacency, in n, or in the oracle that they were drawn from."""
    if first.adjacency is not second.adjacency:
        raise IncompatibleReleasesError("adjacency", first.adjacency.value, second.adjacency.value)
    if first.n != second.n:
        raise IncompatibleReleasesError("number of rows", first.n, second.n)
    if first.drawn is not None and second.drawn is not None and first.drawn.oracle_id != second.drawn.oracle_id:
        names = [f"{drawn.oracle} ({drawn.oracle_id[:8]})" for drawn in (first.drawn, second.drawn)]
        raise IncompatibleReleasesError("oracle", *names)


def replacing(line: Line, n: int) -> Line:
    """A line as it counts among lines of n records of which one is replaced: pure DP for a record that is added or removed is
    pure DP at 2ε for one that is replaced (mathematics, section 4.8); any other line as it is.

    The other way round nothing follows.
    """
    pure = line.drawn is None and not line.gamma and not line.delta and line.standing is Standing.PROVED
    if not pure or line.adjacency is not Adjacency.ADD_OR_REMOVE_ONE_RECORD:
        return line
    twice = replace(line, adjacency=Adjacency.REPLACE_ONE_RECORD, n=n, epsilon=2 * line.epsilon, doubled=True)
    own = f"{line.target_id} twice"  # it is no release that a plan for replaced records lists
    return replace(twice, target_id=own, noise_ratio=0.0, composes_as="")  # of a replaced record nothing but 2ε is known


def alike(lines: tuple[Line, ...], plan: tuple[Line, ...], more: tuple[Line, ...]) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """The lines of a ledger, which are alike, and more of them, as they count together: where some are of records that are
    replaced, or the plan is, those that can be are counted so."""
    firsts = (*lines[:1], *plan[:1], *more)
    own = next((one for one in firsts if one.adjacency is Adjacency.REPLACE_ONE_RECORD), None)
    if own is None or all(one.adjacency is own.adjacency for one in firsts):
        return lines, more
    turned = [tuple(replacing(line, own.n) for line in some) for some in (lines, more)]
    if any(one.adjacency is not own.adjacency for some in turned for one in some):
        return lines, more  # which nothing lets count together
    return lines if turned[0] == lines else turned[0], turned[1]


def refuse_any_unlike(lines: Sequence[Line]) -> None:
    """The same of any two of several lines."""
    drawn = next((line for line in lines if line.drawn is not None), None)
    for line in lines:
        refuse_unlike(lines[0], line)
        if drawn is not None:
            refuse_unlike(drawn, line)
