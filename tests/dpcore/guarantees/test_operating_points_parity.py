"""The DKW bound picks what diffpriv 0.4.2 picks, and refuses what it refuses (and m = 1, which it should have)."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import Bound, OperatingPoint
from dpcore.errors import GammaOutOfReachError, InvalidValueError
from tests.reference.read import lines

GAMMA_ONLY = lines("operating_points_gamma_only.csv")
M_ONLY = lines("operating_points_m_only.csv")
BOTH = lines("operating_points_m_gamma.csv")
OUT_OF_REACH = [line for line in BOTH if "must exceed" in line["error"]]
NOT_SCALAR = [line for line in BOTH if "is not scalar" in line["error"]]


def _number(text: str) -> Any:
    return float(text) if "." in text else int(text)


def _point(line: dict[str, str], bound: Bound) -> OperatingPoint:
    """The point that a line of the files asks for: by m, by γ, or by both."""
    if not line["in_gamma"]:
        return OperatingPoint.for_sample_size(_number(line["in_m"]), bound=bound)
    if not line["in_m"]:
        return OperatingPoint.for_gamma(_number(line["in_gamma"]), bound=bound)
    return OperatingPoint.for_both(_number(line["in_m"]), _number(line["in_gamma"]), bound=bound)


def _assert_same(point: OperatingPoint, line: dict[str, str]) -> None:
    assert (point.m, point.k) == (int(line["m"]), int(line["k"]))
    assert point.gamma == pytest.approx(float(line["gamma"]), rel=1e-12)
    assert point.rho == pytest.approx(float(line["rho"]), rel=1e-12)


def test_the_files_hold_what_these_tests_expect() -> None:
    kinds = (len(GAMMA_ONLY), len(M_ONLY), len(BOTH), len(OUT_OF_REACH), len(NOT_SCALAR))
    assert kinds == (20, 28, 61, 21, 11)


@pytest.mark.parametrize("line", GAMMA_ONLY, ids=lambda line: line["in_gamma"])
def test_a_gamma_gives_the_same_point(line: dict[str, str]) -> None:
    _assert_same(OperatingPoint.for_gamma(float(line["in_gamma"]), bound=Bound.DKW), line)


@pytest.mark.parametrize("line", M_ONLY[1:], ids=lambda line: line["in_m"])
def test_a_sample_size_gives_the_same_point(line: dict[str, str]) -> None:
    _assert_same(OperatingPoint.for_sample_size(int(line["in_m"]), bound=Bound.DKW), line)


def test_one_draw_is_refused_where_diffpriv_answers_gamma_above_1() -> None:
    assert M_ONLY[0]["in_m"] == "1"
    assert float(M_ONLY[0]["gamma"]) > 1
    with pytest.raises(InvalidValueError) as caught:
        OperatingPoint.for_sample_size(1, bound=Bound.DKW)
    assert (caught.value.name, caught.value.got) == ("m", 1)


@pytest.mark.parametrize(
    "line", [line for line in BOTH if not line["error"]], ids=lambda line: f"{line['in_m']}-{line['in_gamma']}"
)
def test_both_give_the_same_point(line: dict[str, str]) -> None:
    _assert_same(OperatingPoint.for_both(int(line["in_m"]), float(line["in_gamma"]), bound=Bound.DKW), line)


@pytest.mark.parametrize("line", OUT_OF_REACH, ids=lambda line: f"{line['in_m']}-{line['in_gamma']}")
def test_a_gamma_out_of_reach_is_refused_with_the_same_least_gamma(line: dict[str, str]) -> None:
    m, gamma = int(line["in_m"]), float(line["in_gamma"])
    with pytest.raises(GammaOutOfReachError) as caught:
        OperatingPoint.for_both(m, gamma, bound=Bound.DKW)
    assert (caught.value.m, caught.value.gamma, caught.value.bound) == (m, gamma, "DKW")
    assert caught.value.least_gamma == pytest.approx(float(line["error"].split()[-1]), rel=1e-12)


@pytest.mark.parametrize("line", NOT_SCALAR, ids=lambda line: f"{line['in_m']}-{line['in_gamma']}")
@pytest.mark.parametrize("bound", [Bound.DKW, Bound.RANK])
def test_what_is_no_m_or_no_gamma_is_refused(line: dict[str, str], bound: Bound) -> None:
    name = line["error"].split()[1]
    with pytest.raises(InvalidValueError) as caught:
        _point(line, bound)
    assert caught.value.name == name
    assert caught.value.got == _number(line["in_m"] if name == "m" else line["in_gamma"])
