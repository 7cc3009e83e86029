"""A command as a target: it is given the table to the last bit, and is sampled and released as any other target."""

from __future__ import annotations

import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Column, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity
from dpcore.base.facts import facts
from dpcore.base.fingerprint import fingerprint
from dpcore.errors import InfiniteSensitivityError, InvalidValueError
from dpcore.programs import Program, program
from tests.contracts.suited import NAMED
from tests.contracts.target_contract import CHECKS

ROOT = Path(__file__).parents[3]
COST = (Column("cost", bounds=(0.0, 100.0)),)
LAW = oracles.Product((oracles.Uniform(0, 100),), ("cost",))
MEAN = ("awk", 'NR > 1 { s += $1 } END { printf "%.17g\\n", s / (NR - 1) }')
BITS = "import csv, sys; print(*(x or '-1' for row in list(csv.reader(sys.stdin))[1:] for x in row))"
BITS_OF_PARQUET = (
    "import io, sys, pyarrow.parquet as p; print(*p.read_table(io.BytesIO(sys.stdin.buffer.read()))['cost'].to_pylist())"
)
ALL_SET = """
import os, zlib
print(len(os.listdir()), len(os.environ), *(zlib.crc32(f"{name}={os.environ[name]}".encode()) for name in os.environ))
"""


def _costs(*values: float) -> Any:
    table = np.array([(value,) for value in values], dtype=[("cost", float)])
    table.flags.writeable = False
    return table


def _python(code: str, numbers: int = 1, table: tuple[Column, ...] = COST, **of: Any) -> Program:
    return Program((sys.executable, "-c", code), table, numbers, **of)


# What it is given, and what it answers.


def test_it_reads_the_table_and_its_answer_is_what_it_prints() -> None:
    assert Program(MEAN, COST)(_costs(10.0, 20.0, 900.0)).tolist() == [130.0 / 3]
    two = Program(("awk", "NR > 1 { s += $1 } END { print s, NR - 1 }"), COST, numbers=2)
    assert two(_costs(1.0, 2.5)).tolist() == [3.5, 2.0]
    assert two.answer(COST).labels == ("number 1", "number 2")


@pytest.mark.parametrize(("form", "code"), [("csv", BITS), ("parquet", BITS_OF_PARQUET)])
def test_numbers_go_there_and_back_to_the_last_bit(form: Any, code: str) -> None:
    drawn = np.random.default_rng(5).integers(0, 2**64, 400, dtype=np.uint64).view(np.float64)
    strange = [0.1, 1 / 3, -0.0, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308, 1e16, 1e22, 123456789.123456789]
    values = np.array([*strange, *drawn[np.isfinite(drawn)]])
    answer = _python(code, len(values), (Column("cost"),), form=form)(_costs(*values))
    assert answer.tobytes() == values.tobytes()


def test_it_has_the_same_few_settings_each_time_an_empty_folder_and_nothing_of_ours(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said = _python(ALL_SET, 12)
    before = said(_costs(1.0)).tolist()
    monkeypatch.setenv("OUR_SECRET", "x")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "left").touch()
    assert said(_costs(1.0)).tolist() == before
    assert before[:2] == [0, 10]
    given = _python("import os; print(os.environ.get('MORE', '0'))")
    assert given(_costs(1.0)) == 0
    assert replace(given, command=("env", "MORE=7", *given.command))(_costs(1.0)) == 7


def test_no_shell_reads_a_word() -> None:
    with pytest.raises(ValueError, match=r"printed “\$\(\(1\+1\)\)”, which is no finite number"):
        Program(("printf", "%s", "$((1+1))"), COST)(_costs(1.0))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_to_what_targets_promise(check: Any) -> None:
    table = (Column("a", bounds=(0.25, 1.25)), Column("b"), Column("t", role="text", categories=("b", "nà", "cc")))
    counts = 'NR > 1 { a += $1; b += $2; t += $3 == "nà" } END { printf "%.17g %.17g %d\\n", a, b, t }'
    check(Program(("awk", "-F,", counts), table, 3), NAMED)


def test_threads_that_ask_at_once_get_their_own_answers() -> None:
    tables, target = [_costs(float(value), 50.0) for value in range(40)], Program(MEAN, COST)
    with ThreadPoolExecutor(8) as pool:
        assert [answer.tolist() for answer in pool.map(target, tables)] == [[(value + 50) / 2] for value in range(40)]


# It is sampled and released.


def _sample(command: tuple[str | Path, ...], m: int, n: int = 20, **of: Any) -> Any:
    at = OperatingPoint.for_sample_size(m)
    return sample_sensitivity(Program(command, COST, **of), LAW, norm=L1, n=n, at=at, seed=3)


def _mean(database: Any) -> float:
    return float(database["cost"].mean())


def test_it_moves_as_the_same_function_in_python_does_and_is_released() -> None:
    sample = _sample(MEAN, 49)
    own = sample_sensitivity(_mean, LAW, norm=L1, n=20, at=sample.point, seed=3)
    assert sample.way == own.way == "plain"
    assert sample.distances == pytest.approx(own.distances, rel=1e-9)
    release = Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).release(_costs(*np.linspace(0, 100, 20)))
    assert (release.guarantee.epsilon, release.guarantee.gamma) == (1.0, 0.02)


def test_failed_pairs_are_counted_with_their_reason_and_nothing_is_lost() -> None:
    """It ends with the code 3 where the first cost is above 90: on all other pairs it moves as ever."""
    fails = ("awk", 'NR == 2 && $1 > 90 { print "too dear: " $1 > "/dev/stderr"; exit 3 } ' + MEAN[1])
    sample, whole = _sample(fails, 39), _sample(MEAN, 39)
    failed, said = np.isinf(sample.distances), "the program ended with the exit code 3 and said “too dear: 9"
    assert 0 < failed.sum() == len(sample.failures) < 20
    assert sample.distances[~failed].tolist() == whole.distances[~failed].tolist()
    assert all(reason.startswith(f"ValueError: {said}") for reason in sample.failures.values())
    with pytest.raises(InfiniteSensitivityError) as refused:
        sample.sensitivity()
    assert (refused.value.failed, refused.value.m) == (len(sample.failures), 39)
    assert said in str(refused.value)


def test_one_that_never_answers_has_no_sensitivity() -> None:
    with pytest.raises(InfiniteSensitivityError, match=r"the program took longer than 0\.05 s") as refused:
        _sample(("sleep", "60"), 3, seconds_at_most=0.05).sensitivity()
    assert refused.value.failed == 3


# What it is.


def test_a_fingerprint_follows_the_command_its_files_and_the_columns(tmp_path: Path) -> None:
    file = tmp_path / "mean.awk"
    file.write_text(MEAN[1])
    target, same = Program(("awk", "-f", file), COST), Program(("awk", "-f", str(file)), COST)
    assert (target.command[1:], [name for name, _ in target.files]) == (("-f", str(file)), [target.command[0], str(file)])
    others = [
        replace(target, command=("awk", file, "-f")),
        replace(target, numbers=2),
        replace(target, seconds_at_most=3.0),
        replace(target, table=(replace(COST[0], bounds=(0.0, 99.0)),)),
    ]
    assert target(_costs(1.0, 3.0)) == 2.0
    file.write_text(MEAN[1].replace("s /", "2 * s /"))
    with pytest.raises(ValueError, match="a file that the command names is gone, or was changed after the target was made"):
        target(_costs(1.0, 3.0))
    changed = Program(("awk", "-f", file), COST)
    assert changed(_costs(1.0, 3.0)) == 4.0
    prints = [fingerprint(one) for one in (target, *others, changed)]
    assert len(set(prints)) == len(prints)
    assert fingerprint(same) == fingerprint(target) == fingerprint(pickle.loads(pickle.dumps(target)))
    assert (same == target, changed == target) == (True, False)


def test_a_fingerprint_is_the_same_in_another_process() -> None:
    code = """
from dpcore.base.fingerprint import fingerprint
from tests.dpcore.programs.test_program import COST, MEAN, Program
print(fingerprint(Program(MEAN, COST)))
"""
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == fingerprint(Program(MEAN, COST))


def test_its_facts() -> None:
    said = facts(Program(MEAN, COST))
    assert (said.fields, said.columns, said.takes_fields, said.numbers, said.title) == (("cost",), ("cost",), True, 1, "Program")
    assert (said.seconds, said.batch) == (None, None)
    assert Program(MEAN, COST).fits(COST)
    assert not Program(MEAN, COST).fits((Column("cost", role="text"),))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"command": "awk 1"}, "command must be a tuple with a program and its arguments, each a text or a Path: no shell"),
        ({"command": ()}, "command must be a tuple with a program"),
        ({"command": ("awk", 1)}, "command must be a tuple with a program"),
        ({"command": ("awk", "\0")}, "command must be without the character 0"),
        ({"command": ("no-such-program",)}, "command must be of a program that is installed here and may be run"),
        ({"command": (Path("README.md"),)}, "command must be of a program that is installed here and may be run"),
        ({"command": ("awk", "-f", "README.md")}, "command must be with its files as paths, for it runs in an"),
        ({"table": ()}, "table must be the declared columns of the table, at least one"),
        ({"table": (*COST, *COST)}, "table must be of columns with different names"),
        ({"table": (Column("who", role="person"),)}, "table must be without the column that says whose a row is"),
        ({"numbers": 0}, "numbers must be a whole number of at least 1"),
        ({"numbers": 70_000}, "numbers must be at most 65,536"),
        ({"seconds_at_most": 0.0}, "seconds_at_most must be a number above 0"),
        ({"form": "json"}, "form must be “csv” or “parquet”"),
    ],
)
def test_each_bad_setting_has_a_sentence(given: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(InvalidValueError) as refused:
        Program(**{"command": MEAN, "table": COST} | given)
    assert str(refused.value).startswith(said)


def test_another_database_than_was_declared_fails() -> None:
    with pytest.raises(InvalidValueError, match="with the named columns cost"):
        Program(MEAN, COST)(np.ones(3))
    with pytest.raises(InvalidValueError, match="column cost must be numbers"):
        Program(MEAN, COST)(np.array([("a",)], dtype=[("cost", "U1")]))


def test_where_no_group_of_processes_can_be_ended_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "os", SimpleNamespace(name="nt"))
    with pytest.raises(InvalidValueError, match="run where all processes of a group can be ended, as on Linux"):
        Program(MEAN, COST)
