"""A curve over one dimension or more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, final, runtime_checkable

from dpcore.base.polynomials import BernsteinPolynomial
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.result_types.kind import KindOfAnswer


@final
@dataclass(frozen=True, slots=True)
class FittedCurve(KindOfAnswer):
    """``labels``: of its axes, the height's last. ``unit``: of its height, where that has one."""

    labels: tuple[str, ...] = field()
    unit: str = ""
    after: ClassVar[str] = ""

    def brief(self, response: BernsteinPolynomial, /) -> str:
        """Its degree."""
        return f"a curve of degree {response.degree:,}"

    def parts(self, response: BernsteinPolynomial, /) -> tuple[tuple[str, str], ...]:
        """Its degree, and where its coefficients are."""
        return (("The curve", f"a polynomial of degree {response.degree:,}; its coefficients are in the JSON below"),)

    def plain(self, response: BernsteinPolynomial, /) -> dict[str, Any]:
        """Its coefficients, degree and domain."""
        return response.to_json()


@runtime_checkable
class CurveOfNoise(Protocol):
    """What the law of a mechanism that answers with a curve can tell."""

    def polynomial(self, values: FloatArray, /) -> BernsteinPolynomial:
        """The curve of lattice values ((k+1)^ℓ,), noisy or not."""

    def curves(self, coefficients: FloatArray, points: FloatArray, /) -> FloatArray:
        """Simulated responses (b, (k+1)^ℓ) at points (p, ℓ) -> (b, p)."""


def drawing_curves(law: object) -> CurveOfNoise:
    """The law, of a mechanism that says that it answers with a curve; InvalidValueError where it cannot draw one."""
    if not isinstance(law, CurveOfNoise):
        raise InvalidValueError("law", "one that fits a polynomial and draws its curve", law)
    return law
