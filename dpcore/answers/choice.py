"""One of several candidates, picked by their scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, final, runtime_checkable

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.result_types.kind import KindOfAnswer


@final
@dataclass(frozen=True, slots=True)
class Choice(KindOfAnswer):
    """``labels``: one a candidate. ``unit``: of the scores."""

    labels: tuple[str, ...] = field()
    unit: str = ""
    after: ClassVar[str] = ""  # a candidate has no unit
    picked: ClassVar[bool] = True

    def brief(self, response: object, /) -> str:
        """The candidate."""
        return str(response)

    def parts(self, response: object, /) -> tuple[tuple[str, str], ...]:
        """The candidate, named as the choice."""
        return (("The choice", str(response)),)

    def plain(self, response: object, /) -> object:
        """The candidate itself."""
        return response


@runtime_checkable
class ChoosingLaw(Protocol):
    """What the law of a mechanism that answers with a choice can tell, given the scores."""

    def probabilities(self, scores: FloatArray, /) -> FloatArray:
        """P(r) for each candidate."""

    def winners(self, scores: FloatArray, /) -> tuple[Any, ...]:
        """The candidates with the largest score, several where it is shared."""

    def shortfall(self, scores: FloatArray, /) -> float:
        """E[max s − s(r)]: how far the response's score falls short of the best, on average."""


def choosing(law: object) -> ChoosingLaw:
    """The law, of a mechanism that says that it answers with a choice; InvalidValueError where it knows no chances."""
    if not isinstance(law, ChoosingLaw):
        raise InvalidValueError("law", "one with probabilities, winners and shortfall of scores", law)
    return law
