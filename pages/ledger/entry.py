"""What came of one press, as the page shows it and as it is downloaded."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, final

from dpcore.answers.answer import Within, read_at
from dpcore.answers.kind import KindOfAnswer
from dpcore.base.counted import counted
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Guarantee, RandomDP, Unit
from dpcore.ledger.accounting import Line
from dpcore.mechanisms.base import Release
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.blocks import accuracy_words
from pages.experiment.computable import answered
from pages.experiment.descriptions import oracle_words, question, target_words
from pages.experiment.noise import worst_case
from pages.experiment.oracle_origin import OracleOrigin, origin_of
from pages.experiment.scenario import Scenario, TableRecords
from pages.experiment.unprotected import stride
from pages.files.tables import Column, Table
from pages.ledger.reach import Near, told


def now() -> str:
    """The time to the minute, as people and JSON read it."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


@final
@dataclass(frozen=True, kw_only=True)
class About:
    """What a response is about, in the words of the table's declarations: nothing of its records."""

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
    origin: OracleOrigin  # of the oracle
    stride: tuple[float, float] | None = None  # what ``unprotected.stride`` gives, for an example of who is not protected
    proved: bool = False  # whether a worst case of the target is proved
    foretold: str = ""  # how far off an answer of blocks is, on made-up tables

    @classmethod
    def of(cls, scenario: Scenario, table: Table) -> About:
        """For one scenario on its table."""
        columns = tuple(table.column(name) for name in scenario.columns)
        told = tuple(
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
        drawn = scenario.oracle
        oracle = drawn.words if isinstance(drawn, TableRecords) else oracle_words(drawn)
        return cls(
            question=question(scenario, table),
            target=target_words(scenario.target, columns),
            oracle=oracle,
            table=table.title or table.name,
            public=table.public,
            records=scenario.n,
            columns=told,
            answer=answered(scenario, columns),
            protected=table.unit,
            missing=table.missing_rule(scenario.columns, scenario.target),
            read_as=table.read_as(scenario.columns),
            settings=_settings(scenario),
            origin=origin_of(scenario, table),
            stride=_stride(scenario, columns),
            proved=worst_case(scenario) is not None,
            foretold=accuracy_words(scenario, table),
        )

    def read_at(self, scale: float) -> About:
        """The same, of a response under noise of this scale."""
        return replace(self, answer=read_at(self.answer, scale))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Entry:
    """One press and what came of it: a response with the line that it was charged, or why there is none."""

    ticket: str
    digest: str  # of the table's values: for these alone a choice is taken up; it is in no download
    about: About
    problem: str
    caveats: tuple[str, ...] = ()  # why no guarantee holds any more
    release: Release[Any] | None = None
    line: Line | None = None
    part: str = ""  # which function of the file the target got (``book.part_of``)
    asked: bool = True  # or it was left out before anything was drawn
    incomplete: str = ""  # that the ledger came from a file that may not be all
    reach: Within = None  # 95 in 100 responses lie this close to the answer without noise, each number taken alone
    made: str = field(default_factory=now)
    near: Near = None
    number: int = 0  # of the question in its list, from 1 on; 0 of a single question
    guess: str = ""  # that a guess of the table was wrong, by what was released
    ranks: int | None = None  # of what is picked by its rank: ``reach.ranks_of``

    @property
    def title(self) -> str:
        """What was asked of which table, with its number in a list."""
        which = f"Question {self.number}: " if self.number else ""
        return f"{which}{self.about.question} in {self.about.table}"

    @property
    def of_list(self) -> str:
        """The press of the list that it is from; empty of none."""
        return self.ticket.rpartition(".")[0] if self.number else ""

    @property
    def covered(self) -> bool:
        """Whether a guarantee still covers the response."""
        return self.line is not None and not self.caveats

    @property
    def promise(self) -> str:
        """The guarantee in words."""
        assert self.line is not None
        assert self.release is not None
        holds, unit, adjacency = self.line.guarantee, self.about.protected, self.line.adjacency
        return f"{descriptions.sentence(holds, adjacency, unit)} {descriptions.protects(unit, holds, adjacency)}"

    @property
    def not_protected(self) -> str:
        """Whom the guarantee leaves out, why, and when there are more of them; empty where it leaves nobody out, and of none."""
        guarantee = None if self.line is None else self.line.guarantee
        if self.release is None or not isinstance(guarantee, RandomDP):
            return ""
        who = descriptions.counted_in(self.release.adjacency)
        worst = "The noise is not sized to the proved worst case" if self.about.proved else "No worst case is proved here"
        return (
            f"Not protected: unusual {who}{self._such_as}. {worst}, so an unusual one can move the answer by more than the noise "
            f"was sized to. A wrong oracle, whose {who} differ less than real ones do, leaves out more."
        )

    @property
    def _such_as(self) -> str:
        """An example, in the column's own unit, where there is one."""
        assert self.release is not None
        found, sensitivity = self.about.stride, float(self.release.provenance["sensitivity"] or 0)
        if found is None or sensitivity * found[0] >= found[1]:
            return ""
        column = self.about.columns[0]
        apart = counted(descriptions.figure(sensitivity * found[0]), f" {column['unit']}" if column["unit"] else "")
        return f", as where {column['label']} changes by more than {apart}"

    @property
    def _sensitivity(self) -> str:
        sampled = self.line is not None and self.line.drawn is not None
        return "sampled, and fixed before the first answer" if sampled else "proved for all tables"

    def as_json(self) -> str:
        """Return the released answer as JSON for download."""
        return json.dumps(self.to_json(), indent=2, ensure_ascii=False)

    def to_json(self) -> dict[str, Any]:
        """Return the released answer as plain data. Nothing in it is confidential, because nothing in a release is."""
        assert self.release is not None
        assert self.line is not None
        holds = self.line.guarantee
        return {
            "release": self.ticket,
            "question": self.about.question,
            "number_in_list": self.number or None,
            "target": self.about.target,
            "response": self.about.answer.plain(self.release.response),
            "unit": self.about.answer.unit,
            "within": told(self.reach),
            "within_ranks": self.ranks,
            "within_share": None if self.reach is None and self.ranks is None else SHARE_WITHIN,
            "foretold": self.about.foretold or None,
            "wrong_guess": self.guess or None,
            "guarantee": type(holds).__name__,
            "in_words": self.promise,
            "not_protected": self.not_protected or None,
            "parameters": _parameters(holds),
            "sensitivity_is": self._sensitivity,
            "caveats": list(self.caveats),
            "ledger": self.incomplete or None,
            "date": self.made,
            "table": self.about.table,
            "public": self.about.public,
            "records": self.about.records,
            "columns": list(self.about.columns),
            "missing_values": self.about.missing,
            "read_as": self.about.read_as or None,
            "protected_unit": self.about.protected.name,
            "one_person_can_have_several": _several(self.about.protected),
            "adjacency": self.line.adjacency.value,
            "mechanism": self.release.mechanism,
            "scale": self.release.scale,
            "noise": self.release.sampling.words,
            "provenance": dict(self.release.provenance),
            "settings": self.about.settings,
        }


def _parameters(guarantee: Guarantee) -> dict[str, Any]:
    return {name: getattr(guarantee, name) for name in guarantee.__dataclass_fields__}


def _settings(scenario: Scenario) -> dict[str, Any] | None:
    """As JSON; None for a target of somebody's own, which has none."""
    try:
        return scenario.to_json()
    except TypeError:
        return None


def _stride(scenario: Scenario, columns: tuple[Column, ...]) -> tuple[float, float] | None:
    """None for a target that raises, too: a response has come by now, and an example is all that it lacks."""
    try:
        return stride(scenario, columns)
    except Exception:
        return None


def _several(unit: Unit) -> str:
    if not unit.answered:
        return "not said"
    return "not about persons" if unit.several is None else "yes" if unit.several else "no"
