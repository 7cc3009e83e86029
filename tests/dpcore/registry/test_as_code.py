"""Values as Python: read again they are equal, and no line is longer than it has to be."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcore
from dpcore import Adjacency, Bound, Condition, Exponential, Groups, OperatingPoint, PureDP, curves, oracles, per_user, targets
from dpcore.base.declared import Column
from dpcore.base.norms import RANGE, norm_named
from dpcore.registry.as_code import in_lines, to_code
from dpcore.registry.laid_out import WIDTH

NAMES = vars(dpcore) | {"np": np, "Column": Column, "norm_named": norm_named}
LONG = "never " * 40 + "\n'\"\\\u202e"


def _again(code: str) -> Any:
    return eval(code, {"__builtins__": {}}, NAMES)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -3,
        0.1,
        float("inf"),
        -float("inf"),
        "it's",
        LONG,
        (),
        (1,),
        [1.5, "a"],
        {"kind": "x", "y": (1, 2)},
        np.float64(0.25),
        Adjacency.REPLACE_ONE_USER,
        Bound.TIME_UNIFORM,
        RANGE,
        OperatingPoint.for_both(199, 0.05),
        PureDP(0.5),
        Condition("a b", "it's", excluded=True),
        Condition("age", interval=(18.0, 65.0)),
        Groups("sex", ("F", "\u202eM\n")),
        targets.On(targets.Sum((0.0, 1.0)), ("a",), (Condition("b", 1.0),), Groups("c", (0.0, 1.0))),
        targets.Together((targets.Mean((0.0, 1.0)), targets.Count(category=1.0)), (0.5, 10.0)),
        targets.Capped(targets.On(targets.Sum((0.0, 1.0)), ("a",)), "who", 3),
        targets.OnLattice(curves.KernelDensity(0.1), 20),
        Exponential(("a", "b"), selection="gumbel"),
        Column("a", bounds=(0.0, 1.0), category_names=("x", "y")),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_its_code_makes_an_equal_value_on_one_line_and_on_several(value: Any) -> None:
    assert _again(to_code(value)) == value
    lines = in_lines(value, before="value = ")
    made: dict[str, Any] = {}
    exec(lines, NAMES | {}, made)
    assert made["value"] == value
    assert all(len(line) <= WIDTH for line in lines.split("\n"))


@pytest.mark.parametrize(
    "array",
    [
        np.linspace(0, 1, 50),
        np.arange(6).reshape(3, 2),
        np.array(["a", "ü\n"]),
        np.array([[0.5, np.nan], [np.inf, 1.0]]),
        np.array([(0.5, "a")], dtype=[("x", float), ("t", "U3")]),
        per_user(np.array([(0.5,), (1.5,)], dtype=[("x", float)]), np.array(["b", "a"]), person="who"),
    ],
    ids=lambda array: str(array.dtype),
)
def test_an_array_keeps_its_type_and_its_bytes(array: Any) -> None:
    again = _again(in_lines(array))
    assert again.dtype == array.dtype
    assert again.tobytes() == array.tobytes()
    assert again.shape == array.shape


def test_an_oracle_of_records_has_code_too() -> None:
    held = oracles.Resample(np.arange(100.0))
    assert (_again(in_lines(held)).records == held.records).all()


@pytest.mark.parametrize("value", [lambda x: x, object(), {1: 2}, PureDP], ids=["function", "object", "numbered", "class"])
def test_what_has_no_code_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        to_code(value)


@pytest.mark.slow
@settings(derandomize=True, max_examples=100, deadline=None, database=None)
@given(
    st.recursive(st.text() | st.floats(allow_nan=False) | st.integers(), lambda part: st.lists(part).map(tuple), max_leaves=30)
)
def test_any_values_within_one_another(value: Any) -> None:
    lines = in_lines(value, before="value = ", after="  # end")
    made: dict[str, Any] = {}
    exec(lines, {"np": np}, made)
    assert made["value"] == value
    assert not any(isinstance(node, ast.Call) for node in ast.walk(ast.parse(lines)))
