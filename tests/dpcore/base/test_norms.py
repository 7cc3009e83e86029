"""Norms by their names: one object each, in every process, and read back from JSON as it."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from dpcore.base.fingerprint import fingerprint, to_json
from dpcore.base.norms import NORMS, Norm, norm_named
from dpcore.errors import UnknownKindError

WRONG = ("RANGE_1", "RANGE_2", "RANGE_", "RANGE ", "range", "L3", "", 2, None, True, ["RANGE"], "__import__")


def _again(norm: Norm) -> bool:
    return norm is norm_named(norm.name) and repr(norm) == norm.name


@pytest.mark.parametrize("norm", NORMS.values(), ids=repr)
def test_its_name_is_read_back_as_it(norm: Norm) -> None:
    assert norm is pickle.loads(pickle.dumps(norm)) is norm_named(json.loads(json.dumps(to_json(norm))))
    assert [fingerprint(norm) == fingerprint(other) for other in NORMS.values()].count(True) == 1


def test_it_is_one_object_in_every_process() -> None:
    with ProcessPoolExecutor(1) as pool:
        assert all(pool.map(_again, NORMS.values()))


@pytest.mark.parametrize("name", WRONG, ids=repr)
def test_another_name_is_refused_with_those_that_are_known(name: object) -> None:
    with pytest.raises(UnknownKindError) as caught:
        norm_named(name)
    assert (caught.value.what, caught.value.got) == ("norm", name)
    assert caught.value.known == ("L1", "L2", "LINF", "RANGE")
