"""Released answers, as the page shows them and as they are downloaded, and their margins of error."""

from __future__ import annotations

import json
import math
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, final

from dpcore.base.text import TOO_FEW, counted, plus_minus, rows
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Adjacency, RandomDP, Unit
from dpcore.ledger.accounting import Line
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from dpcore.result_types.kind import KindOfAnswer, Within
from pages.experiment.blocks import accuracy_words
from pages.experiment.descriptions import oracle_words, question, target_words
from pages.experiment.noise import answered, worst_case
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

CLOSED = (
    "This table and another upload turned out to be one table after answers about each were counted apart. No guarantee covers "
    "these answers together, and nothing more can be released of it."
)
Near = tuple[float, ...] | None  # margin of each number by itself; may be empty


def now() -> str:
    """Return the time to the minute, for people and JSON."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


@final
@dataclass(frozen=True, kw_only=True)
class About:
    """A question described by the declarations of its table, without any record.

    Args:
        question: The question.
        target: The target in words.
        oracle: The oracle in words.
        table: Title of the table.
        public: Whether the table is public.
        records: n.
        columns: Declarations of the columns, as JSON.
        answer: The kind of answer.
        protected: What one row is.
        missing: The rule for missing values.
        read_as: How text and dates were read as numbers.
        settings: The scenario as JSON; None if its target is from outside dpcore.
        proved: True if a worst case of the target is proved.
        foretold: Predicted accuracy of an answer by blocks.
    """

    question: str
    target: str
    oracle: str
    table: str
    public: bool
    records: int
    columns: tuple[dict[str, Any], ...]
    answer: KindOfAnswer
    protected: Unit
    missing: str
    read_as: str
    settings: dict[str, Any] | None
    proved: bool = False
    foretold: str = ""

    @classmethod
    def of(cls, scenario: Scenario, table: Table) -> About:
        """Describe a scenario on its table."""
        columns = tuple(table.column(name) for name in scenario.columns)
        declared = tuple(
            {
                "name": column.name,
                "label": column.label or column.name,
                "unit": column.unit,
                "bounds": column.bounds,
                "categories": column.categories,
                "read_as": column.read_as or None,
            }
            for column in columns
        )
        settings = None
        with suppress(TypeError):  # a target from outside dpcore
            settings = scenario.to_json()
        return cls(
            question=question(scenario, table),
            target=target_words(scenario.target, columns),
            oracle=oracle_words(scenario.oracle),
            table=table.title or table.name,
            public=table.public,
            records=scenario.n,
            columns=declared,
            answer=answered(scenario, columns),
            protected=table.unit,
            missing=table.missing_rule(scenario.columns, scenario.target),
            read_as=table.read_as(scenario.columns),
            settings=settings,
            proved=worst_case(scenario) is not None,
            foretold=accuracy_words(scenario, table),
        )

    def read_at(self, scale: float) -> About:
        """Return the description of a response under noise of this scale."""
        return replace(self, answer=self.answer.under(scale))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Entry:
    """The outcome of one question of a release: a response with its ledger line, or a problem.

    Args:
        ticket: The ticket of the click, which the answers of a list share.
        digest: The table's name in the book. It is in no download.
        about: Description of the question.
        problem: Why the response is missing; empty with a response.
        closed: True if the guarantee was lost because two tables turned out to be one.
        release: The response.
        line: The line of the ledger.
        asked: False if the question was left out before anything was drawn.
        incomplete: Why the ledger may lack answers.
        reach: 95% of responses are this close to the exact value, each number by itself.
        number: The question's number in its list, from 1; 0 for a single question.
        ranks: The margin in ranks of a value that is picked by its rank.
        made: When it was released.
    """

    ticket: str
    digest: str
    about: About
    problem: str
    closed: bool = False
    release: Release[Any] | None = None
    line: Line | None = None
    asked: bool = True
    incomplete: str = ""
    reach: Within = None
    number: int = 0
    ranks: int | None = None
    made: str = field(default_factory=now)

    @property
    def title(self) -> str:
        """The question and the table, with the question's number in a list."""
        which = f"Question {self.number}: " if self.number else ""
        return f"{which}{self.about.question} in {self.about.table}"

    @property
    def key(self) -> str:
        """A name that no other entry has."""
        return f"{self.ticket}.{self.number}" if self.number else self.ticket

    @property
    def near(self) -> Near:
        """The margin of each number by itself, or None."""
        return None if self.release is None else near_of(self.reach, self.about.answer, self.release.response)

    @property
    def covered(self) -> bool:
        """True if a guarantee still covers the response."""
        return self.line is not None and not self.closed

    @property
    def promise(self) -> str:
        """The guarantee in words."""
        assert self.line is not None
        holds, unit, adjacency = self.line.guarantee, self.about.protected, self.line.adjacency
        return f"{descriptions.sentence(holds, adjacency, unit)} {descriptions.protects(unit, holds, adjacency)}"

    @property
    def not_protected(self) -> str:
        """The sentences on unprotected changes; empty if all changes are protected, and without a response."""
        if self.release is None or self.line is None or not isinstance(self.line.guarantee, RandomDP):
            return ""
        who = descriptions.counted_in(self.release.adjacency)
        worst = "The noise is not calibrated to the proved worst case" if self.about.proved else "No worst case is proved here"
        return (
            f"Not protected: unusual {who}. {worst}, so an unusual one can move the answer by more "
            f"than the noise hides. If the oracle's {who} differ less than real ones, more of them are not protected."
        )

    def as_json(self) -> str:
        """Return the released answer as JSON for download."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False)

    def to_json(self) -> dict[str, Any]:
        """Return the released answer as plain data. Nothing in it is confidential, because nothing in a release is."""
        release, line, about = self.release, self.line, self.about
        assert release is not None
        assert line is not None
        several = {None: "not about persons", True: "yes", False: "no"}[about.protected.several]
        return {
            "release": self.key,
            "question": about.question,
            "number_in_list": self.number or None,
            "target": about.target,
            "response": about.answer.plain(release.response),
            "unit": about.answer.unit,
            "within": _plain_near(self.reach),
            "within_ranks": self.ranks,
            "within_share": None if self.reach is None and self.ranks is None else SHARE_WITHIN,
            "foretold": about.foretold or None,
            "guarantee": type(line.guarantee).__name__,
            "in_words": self.promise,
            "not_protected": self.not_protected or None,
            "parameters": asdict(line.guarantee),
            "sensitivity_is": "proved for all tables" if line.drawn is None else "sampled, and fixed before the first answer",
            "caveats": [CLOSED] * self.closed,
            "ledger": self.incomplete or None,
            "date": self.made,
            "table": about.table,
            "public": about.public,
            "records": about.records,
            "columns": list(about.columns),
            "missing_values": about.missing,
            "read_as": about.read_as or None,
            "protected_unit": about.protected.name,
            "one_person_can_have_several": several if about.protected.answered else "not said",
            "adjacency": line.adjacency.value,
            "mechanism": release.mechanism,
            "scale": release.scale,
            "noise": release.sampling.words,
            "provenance": dict(release.provenance),
            "settings": about.settings,
        }


# How close 95% of responses are to the exact value.


def reach_of(law: Any, answer: KindOfAnswer, response: Any) -> Within:
    """Return how close 95% of responses are to the exact value, each number by itself; None for a choice or a curve.

    An answer that is computed from noisy numbers has margins that depend on the response.
    """
    if answer.within is not None:
        within: Within = answer.within(law, response, SHARE_WITHIN)
        return within
    return law.half_width(SHARE_WITHIN) if isinstance(law, NoiseLaw) else None


def near_of(reach: Any, answer: KindOfAnswer, response: Any) -> Near:
    """Return the margin of each number of a response by itself, or None."""
    if reach is None or isinstance(reach, tuple):
        return reach
    if answer.within is not None:
        return (reach,)
    return None if answer.values(response) is None else (reach,) * len(answer.parts(response))


def _plain_near(near: Within) -> Any:
    """Return a margin, or one for each number, as JSON."""
    if isinstance(near, tuple):
        return [_plain_near(one) for one in near]
    return TOO_FEW if near == math.inf else near


def brief(response: Any, answer: KindOfAnswer, reach: Within) -> str:
    """Return a response for the ledger, with its margin if all parts have the same."""
    if not isinstance(reach, float):
        return counted(answer.brief(response), answer.after)
    parts = rows(answer, response, (reach,))
    text, near = parts[0][1:] if len(parts) == 1 else (answer.brief(response), plus_minus(reach, answer.after))
    return f"{text} {near}".rstrip()


def ranks_of(law: Any, answer: Any) -> int | None:
    """Return the margin in ranks of a quantile that was picked among public candidates.

    In 95% of releases it misses the rank by at most this many more than the best candidate does. It depends on ε and the number
    of candidates, and nothing of a table (mathematics, section 5.4). None if the scores of the candidates count no ranks.
    """
    most = law.most_missed
    return math.ceil(most(SHARE_WITHIN)) if most is not None and answer.ranked else None


def ranks_short(ranks: int | None) -> str:
    """Return a margin in ranks, to follow an answer; empty without one."""
    return "" if ranks is None else counted(f"±\u00a0{ranks:,}", " ranks")


def ranks_in_words(ranks: int, adjacency: Adjacency) -> str:
    """Explain a margin in ranks, and its limits."""
    weights = "" if adjacency.of_records else ", a row that counts in part by that part"
    return (
        f"In 95% of such releases of any table the answer misses the requested rank by at most {ranks:,} more than the best "
        f"public value would. The rank of a value is the number of known values up to it{weights}. If values are tied, or closer "
        "together than the public values, the best one misses it too."
    )
