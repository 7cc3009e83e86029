"""What a label says of a promise, in the words that pages and reports have for it.

Its order is that of the pyramid in NIST SP 800-226: how strong the promise is and whom it protects stand above what it rests on,
and at the end is what no promise covers, such as how the data came about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.facts import facts
from dpcore.base.version import VERSION
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, RandomDP
from dpcore.guarantees.unit import Unit
from pages.charts.label import Look, Part, Words
from pages.shared.counted_odds import guessed_in_100

PROTECTED, NOT_PROTECTED = "Who is protected?", "Who and what is not protected?"
RESTS_ON = "What does the promise rest on?"
_ORACLE = 2  # lines of it
TRUST = f"You trust whoever holds the table and sees all of it, and this program (dpcore {VERSION})."


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Promised:
    """A guarantee, and of whom and of what it is. ``seen``: what somebody guesses from. ``oracles``: what the made-up tables were
    drawn from, and ``came``: where that came from, a sentence; both empty where a worst case is proved."""

    guarantee: Guarantee
    adjacency: Adjacency
    unit: Unit
    seen: str = "this answer"
    oracles: tuple[str, ...] = ()
    came: str = ""

    @property
    def random(self) -> RandomDP | None:
        """The guarantee, where it is the weaker one."""
        return self.guarantee if isinstance(self.guarantee, RandomDP) else None

    @property
    def who(self) -> str:
        """What n counts: "rows"."""
        return words.counted_in(self.adjacency)

    def parts(self, cautions: tuple[str, ...] = ()) -> tuple[Part, ...]:
        """All that is said of it. ``cautions``: what holds by a word alone, or is not covered."""
        return self._odds(), self._protected(), self._not_protected(), self._rests_on(cautions)

    def _odds(self) -> Part:
        mine, other = words.in_or_not(self.adjacency, self.unit)
        about = "one row" if mine.startswith("this row") else "you"
        guess = words.guess(self.guarantee)
        lead = Words(guess[0].upper() + guess[1:] if self.random is None else f"Where protected: {guess}", Look.LEAD)
        said = (
            f"Somebody sees {self.seen}, knows everything else of the table, and guesses whether {mine} or {other}. "
            f"{'Where it is not protected, nothing limits the guess.' if self.random else ''}"
        )
        inside = (lead, Words(said), Words(strength(self.guarantee)))
        return Part(f"How often is a guess about {about} right?", inside, guessed_in_100(self.guarantee))

    def _protected(self) -> Part:
        protected = words.protected(self.unit, self.guarantee, self.adjacency)
        look = Look.PLAIN if self.random is None else Look.CARE
        return Part(PROTECTED, (Words(protected), Words(kind(self.guarantee, self.adjacency), look)))

    def _not_protected(self) -> Part:
        left_out = [] if self.random is None else [self._left_out(self.random)]
        said = [*left_out, *not_covered(self.adjacency, self.unit, weaker=self.random is not None)]
        return Part(NOT_PROTECTED, tuple(map(Words, said)))

    def _left_out(self, guarantee: RandomDP) -> str:
        sure = "" if guarantee.confidence is None else f", with confidence {words.sure(guarantee.confidence)}"
        share = f"{words.left_out(guarantee)}{sure} is left out (γ = {words.no_less(guarantee.gamma)})"
        return (
            f"Unusual {self.who} are not protected: those that move the answer more than made-up {self.who} do. Of changes that "
            f"are made up so, {share}. Of the real {self.who} here it can be none, or more."
        )

    def _rests_on(self, cautions: tuple[str, ...]) -> Part:
        of = Words("No assumption about the data: the noise is sized to what is proved for every possible table.")
        rest: tuple[Words, ...] = ()
        if self.random:
            of = Words(f"{assumed(self.adjacency)} These come from:")
            rest = (*(Words(one, most=_ORACLE) for one in self.oracles), Words(self.came))
        return Part(RESTS_ON, (of, *rest, *(Words(one, Look.CARE) for one in cautions), Words(TRUST)))


def not_covered(adjacency: Adjacency, unit: Unit, *, weaker: bool) -> tuple[str, str]:
    """What no promise of this kind covers. ``weaker``: whether it is one of random DP, which says nothing of groups."""
    who, nobodys = words.counted_in(adjacency), adjacency.of_records and unit.of_no_person
    groups = f"{'Nothing' if weaker else 'Less'} is promised for several {who} together{'' if nobodys else ', such as a family'}."
    yours = "" if nobodys else ", and may be true of you"
    return (
        f"{groups} What is true of most {who} is not hidden{yours}.",
        "No promise covers how the data came about.",
    )


def assumed(adjacency: Adjacency) -> str:
    """What random DP rests on, and whose assumption that is."""
    return f"Whoever published this assumes that real {words.counted_in(adjacency)} differ no more than made-up ones."


def named(guarantee: Guarantee) -> str:
    """A guarantee by its name, with numbers that promise no more than it does."""
    delta, gamma, sure = facts(guarantee).delta, facts(guarantee).gamma, facts(guarantee).confidence
    numbers = {"ε": guarantee.epsilon, "δ": delta, "γ": gamma}
    said = [f"{name} = {words.no_less(value)}" for name, value in numbers.items() if value]
    return ", ".join([words.kind(guarantee), *said]) + (f" with confidence {words.sure(sure)}" if sure is not None else "")


def limit(guarantee: Guarantee) -> str:
    """The odds of a guess, in the middle of a sentence."""
    return f"a guess is right {words.guess(guarantee)}{', where protected' if isinstance(guarantee, RandomDP) else ''}"


def strength(guarantee: Guarantee) -> str:
    """ε and δ, and what they are."""
    delta = facts(guarantee).delta
    slip = f" δ = {words.no_less(delta)}: a small chance that more is told than ε allows." if delta else ""
    epsilon = words.no_less(guarantee.epsilon)
    return f"Strength: ε = {epsilon}. The larger ε is, the less is protected; at ε = 0 nothing is told.{slip}"


def kind(guarantee: Guarantee, adjacency: Adjacency) -> str:
    """Which promise it is, and for whom it holds."""
    every = f"every {words.unit_of(adjacency).removeprefix('a ')}"
    if isinstance(guarantee, RandomDP):
        return f"Random differential privacy: weaker than differential privacy, which protects {every}."
    if isinstance(guarantee, ApproxDP):
        return f"Approximate differential privacy: for {every}, whatever the table, but for a small chance (δ)."
    return f"Differential privacy: for {every}, whatever the table."
