"""The contract of every error: a sentence, its values as attributes, and pickling."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import pytest

from dpcore import errors
from dpcore.errors import DpcoreError, InvalidValueError

KINDS = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, DpcoreError) and kind is not DpcoreError
]
EXAMPLES: dict[str, Any] = {
    "str": "some words",
    "int": 1_305,
    "int | None": 7,
    "float": 0.0625,
    "object": (1, "two"),
    "dict[str, int]": {"raised ValueError": 3},
    "tuple[str, ...]": ("Mean", "Median"),
}


def _fields(kind: Any) -> dict[str, str]:
    return {name: str(argument.annotation) for name, argument in inspect.signature(kind).parameters.items()}


def _built(kind: type[DpcoreError]) -> DpcoreError:
    return kind(**{name: EXAMPLES[type_] for name, type_ in _fields(kind).items()})


@pytest.mark.parametrize("kind", KINDS)
def test_error_is_a_sentence_with_its_values(kind: type[DpcoreError]) -> None:
    error = _built(kind)
    assert str(error).endswith((".", "words"))
    assert len(str(error)) > 20
    assert kind.__doc__
    for name, type_ in _fields(kind).items():
        assert getattr(error, name) is EXAMPLES[type_]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_error_survives_pickling(kind: type[DpcoreError], protocol: int) -> None:
    error = _built(kind)
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is kind
    assert str(again) == str(error)
    assert set(vars(again)) == set(vars(error)) >= set(_fields(kind))
    for name, value in vars(error).items():
        assert getattr(again, name) == value


def test_error_of_unpicklable_value_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(InvalidValueError("oracle", "an entry with draw", lambda: None)))
    assert isinstance(again, InvalidValueError)
    assert (again.name, again.expected) == ("oracle", "an entry with draw")
    assert "lambda" in str(again)
