"""Questions of a Parquet file on disk: the in-memory answer to the last bit, in any order; sentences for all that is refused."""

from __future__ import annotations

import hashlib
import hmac
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore import L1, L2, Column, Condition, Gaussian, Groups, Laplace, Ledger, OperatingPoint, PureDP, oracles, targets
from dpcore import sample_sensitivity as sampled
from dpcore.errors import DatabaseMismatchError, GuaranteeMismatchError, InvalidValueError, ReleaseFailedError, TableError
from dpcore.guarantees.privacy import ApproxDP
from dpcore.sql.parquet_table import ParquetTable
from dpcore.sql.parquet_values import values_of
from dpcore.sql.scan import scan
from tests.dpcore.sql.parquet_files import COLUMNS, as_database, drawn, shuffled, written
from tests.pages.prose import refuse_code

BOUNDS = (-3.0, 100.0)
MEAN, SUM, ROWS = targets.KnownMean(BOUNDS), targets.Sum(BOUNDS), targets.KnownCount()
WHERES = (
    (),
    (Condition("age", interval=(18.0, 65.0)), Condition("ward", category="Hill", excluded=True)),
    (Condition("age", interval=(18.0, 65.0), excluded=True), Condition("code", category=-0.5)),
)
BYS = (None, Groups("ward", ("Hill", "Park")), Groups("ward", ("other", "Nowhere", "Park")), Groups("code", (2.0, -0.5)))
ASKED = (
    (MEAN, "cost"),
    (targets.KnownShare(interval=(-1.0, 30.0)), "cost"),
    (targets.KnownShare(category="Hill"), "ward"),
    (targets.Count(category=2.0), "code"),
    (targets.Count(interval=(20.0, 40.0)), "age"),
    (ROWS, "ward"),
    (ROWS, "cost"),
)
PARTS = 6
QUESTIONS = [  # every two of a kind, conditions and groups stand together in one of them
    targets.On(target, (column,), where, by)
    for i, (target, column) in enumerate(ASKED)
    for j, where in enumerate(WHERES)
    for k, by in enumerate(BYS)
    if (i + j + k) % 3 == 0
]


@pytest.fixture(scope="module")
def rows() -> pa.Table:
    return drawn()


@pytest.fixture(scope="module")
def table(rows: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> ParquetTable:
    return ParquetTable.open(written(rows, tmp_path_factory.mktemp("disk") / "stays.parquet"), COLUMNS)


def _mean() -> targets.On:
    return targets.On(MEAN, ("cost",), by=BYS[1])


@pytest.mark.parametrize("part", range(PARTS))
def test_every_question_has_the_answer_of_memory_to_the_last_bit(table: ParquetTable, rows: pa.Table, part: int) -> None:
    database = as_database(rows)
    for question in QUESTIONS[part::PARTS]:
        assert table.answer(question).tolist() == question(database).tolist(), question
    assert any(np.any(question(database)) for question in QUESTIONS[part::PARTS])


def test_order_row_groups_and_files_change_no_digit_where_sums_of_floats_change(rows: pa.Table, tmp_path: Path) -> None:
    whole = ParquetTable.open(written(rows, tmp_path / "a.parquet"), COLUMNS)
    other = ParquetTable.open(written(shuffled(rows, 2), tmp_path / "b.parquet", rows=7), COLUMNS)
    folder = tmp_path / "parts"
    (folder / "deeper").mkdir(parents=True)
    again = shuffled(rows, 3)
    for place, name in enumerate(("1.parquet", "2.pq", "deeper/3.parquet")):
        written(again.slice(place * 400, 400), folder / name)
    parts = ParquetTable.open(folder, COLUMNS)
    assert (parts.n, len(parts.files)) == (len(rows), 3)
    for question in (_mean(), targets.On(SUM, ("cost",))):
        answers = {tuple(one.answer(question).tolist()) for one in (whole, other, parts)}
        assert len(answers) == 1
    naive = {float(np.clip(one.column("cost").drop_null().to_numpy(), *BOUNDS).cumsum()[-1]) for one in (rows, again)}
    finite = {
        sum(v for v in one.column("cost").to_pylist() if v is not None and math.isfinite(v) and v < 1e9) for one in (rows, again)
    }
    assert len(naive) == 2 or len(finite) == 2, "plain sums of these would not tell orders apart"


def test_questions_together_and_one_that_names_no_column_are_answered_as_in_memory(table: ParquetTable, rows: pa.Table) -> None:
    together = targets.Together((_mean(), targets.On(ROWS, ("age",), WHERES[1])), (3.0, 0.7))
    assert table.answer(together).tolist() == together(as_database(rows)).tolist()
    assert table.answer(MEAN, ("cost",)).tolist() == MEAN(as_database(rows)["cost"]).tolist()
    proved = MEAN.global_sensitivity(L1, table.n)
    assert proved is not None
    assert Laplace().calibrate(proved, PureDP(1.0)).release_on_disk(table, ("cost",)).response.shape == (2,)
    mixed = targets.Together((_mean(), targets.On(targets.KnownVariance(BOUNDS), ("cost",))), (1.0, 1.0))
    with pytest.raises(TableError, match="no answer on disk"):
        table.answer(mixed)


def test_numbers_of_every_type_and_columns_of_any_name_are_read(tmp_path: Path) -> None:
    odd = 'a" FROM x; --'
    made = pa.table(
        {
            "yes": pa.array([True, False, None, True]),
            "short": pa.array([0.1, math.nan, math.inf, None], pa.float32()),
            "money": pa.array([Decimal("1.10"), Decimal("-2.25"), None, Decimal("7.00")], pa.decimal128(9, 2)),
            "small": pa.array([1, 255, None, 0], pa.uint8()),
            "long": pa.array([2**53 + 1, -7, None, 3], pa.int64()),
            odd: pa.array(["x'y", "", None, "x'y"], pa.large_string()),
        }
    )
    table = ParquetTable.open(written(made, tmp_path / "types.parquet"))
    wanted = {
        "yes": ((-1.0, 1.0), 2.0),
        "short": ((-10.0, 10.0), float(np.float32(0.1)) + 10),
        "money": ((-10.0, 10.0), 1.1 - 2.25 + 7.0),
        "small": ((0.0, 255.0), 256.0),
        "long": ((-7.0, 2.0**53), 2.0**53 - 4),
    }
    for name, (bounds, total) in wanted.items():
        (found,) = table.answer(targets.On(targets.Sum(bounds), (name,)))
        assert found == pytest.approx(total, abs=len(made) * math.ulp(bounds[1]))
    where = (Condition(odd, category="x'y"),)
    assert table.answer(targets.On(targets.Count(category="x'y"), (odd,), where, Groups(odd, ("x'y", "z")))).tolist() == [
        2.0,
        0.0,
    ]


def test_a_sum_is_that_of_values_on_the_lattice_and_within_the_rounding_that_its_worst_case_has_room_for(
    table: ParquetTable, rows: pa.Table
) -> None:
    known = [min(max(v, -3.0), 100.0) for v in rows.column("cost").to_pylist() if v is not None and not math.isnan(v)]
    step = Fraction(math.ulp(100.0))
    on_lattice = sum(round(Fraction(v) / step) for v in known) * step
    (found,) = table.answer(targets.On(SUM, ("cost",)))
    assert found == float(on_lattice)
    exact = sum(map(Fraction, known))
    assert abs(Fraction(found) - exact) <= len(known) * step / 2 + Fraction(math.ulp(found)) / 2


def test_no_neighbours_on_disk_are_further_apart_than_the_worst_case(tmp_path: Path) -> None:
    """Bounds that no lattice holds, and rows at and beside them: the sums' distance, taken exactly, is at most what is proved."""
    bounds = (-1 / 3, 0.1)
    columns = (Column("x", bounds=bounds),)
    question = targets.On(targets.Sum(bounds), ("x",))
    rng = np.random.default_rng(5)
    for place in range(4):
        common = rng.uniform(*bounds, 300)
        answers = []
        for replaced in (bounds[0], (math.nan, bounds[1])[place % 2]):
            path = tmp_path / "x.parquet"
            pq.write_table(pa.table({"x": np.append(common, replaced)}), path)
            answers.append(ParquetTable.open(path, columns).answer(question)[0])
        proved = question.global_sensitivity(L1, 301)
        assert proved is not None
        assert abs(Fraction(answers[0]) - Fraction(answers[1])) <= Fraction(proved.value)
        assert proved.value < (1 / 3 + 0.1) * (1 + 1e-9)


def test_a_release_names_its_table_by_a_seal_that_its_key_alone_opens(table: ParquetTable) -> None:
    question = _mean()
    proved = question.global_sensitivity(L1, table.n)
    assert proved is not None
    calibrated = Laplace().calibrate(proved, PureDP(50.0))
    release = calibrated.release_on_disk(table)
    assert release.guarantee == PureDP(50.0)
    assert np.abs(release.response - table.answer(question)).max() < 20 * release.scale
    assert (release.response != table.answer(question)).all()
    seal = release.provenance["table_seal"]
    assert table.digest not in repr(release)
    assert seal == hmac.new(table.key, table.digest.encode(), hashlib.sha256).hexdigest()
    again = ParquetTable.open(table.path, COLUMNS, key=table.key)
    assert (again.seal, ParquetTable.open(table.path, COLUMNS).seal == seal) == (seal, False)
    ledger = Ledger(budget=None).add(release)
    assert ledger.lines[0].table == seal
    assert Ledger.from_json(ledger.to_json()).lines[0].table == seal
    assert ledger.total() == PureDP(50.0)
    normal = question.global_sensitivity(L2, table.n)
    assert normal is not None
    assert Gaussian().calibrate(normal, ApproxDP(1.0, 1e-6)).release_on_disk(table).response.shape == (4,)


def test_a_file_that_changed_since_it_was_opened_gives_no_answer(rows: pa.Table, tmp_path: Path) -> None:
    path = written(rows, tmp_path / "stays.parquet")
    table, calibrated = ParquetTable.open(path, COLUMNS), _calibrated(len(rows))
    calibrated.release_on_disk(table)
    content = bytearray(path.read_bytes())
    content[40] ^= 1  # of the same size, and the footer still reads
    path.write_bytes(content)
    with pytest.raises(TableError, match="has changed since it was declared") as error:
        calibrated.release_on_disk(table)
    refuse_code(str(error.value))
    written(rows, path)  # the same bytes at another time
    calibrated.release_on_disk(table)
    path.unlink()
    with pytest.raises(TableError, match="has changed since it was declared"):
        calibrated.release_on_disk(table)


def test_a_file_more_in_a_folder_is_a_change(rows: pa.Table, tmp_path: Path) -> None:
    written(rows, tmp_path / "1.parquet")
    table = ParquetTable.open(tmp_path, COLUMNS)
    written(rows, tmp_path / "2.parquet")
    with pytest.raises(TableError, match="has changed"):
        table.answer(_mean())


def _calibrated(n: int) -> Any:
    proved = _mean().global_sensitivity(L1, n)
    assert proved is not None
    return Laplace().calibrate(proved, PureDP(1.0))


def test_a_broken_file_is_a_failure_that_is_charged_and_quotes_nothing(rows: pa.Table, tmp_path: Path) -> None:
    path = written(rows, tmp_path / "stays.parquet")
    content = bytearray(path.read_bytes())
    content[4:400] = b"\xff" * 396
    path.write_bytes(content)
    with pytest.raises(ReleaseFailedError) as error:
        _calibrated(len(rows)).release_on_disk(ParquetTable.open(path, COLUMNS))
    assert error.value.why == "gave no finite answer"


def test_noise_for_another_number_of_rows_or_by_trials_is_refused(table: ParquetTable) -> None:
    with pytest.raises(DatabaseMismatchError, match="996"):
        _calibrated(table.n - 1).release_on_disk(table)
    drawn_from = oracles.Product((oracles.Uniform(0, 100),), ("cost",))
    at = OperatingPoint.for_sample_size(19)
    sample = sampled(targets.On(MEAN, ("cost",)), drawn_from, norm=L1, n=table.n, at=at, seed=1)
    with pytest.raises(GuaranteeMismatchError, match="proved"):
        Laplace().calibrate(sample.sensitivity(), PureDP(1.0)).release_on_disk(table)


def _loaded(table: ParquetTable) -> Any:
    """All columns as one database."""
    values = table.load(column.name for column in table.columns)
    made = np.empty(table.n, dtype=[(name, array.dtype) for name, array in values.items()])
    for name, array in values.items():
        made[name] = array
    return made


def test_loaded_columns_are_what_the_declarations_give_and_answer_as_the_files_do(rows: pa.Table, tmp_path: Path) -> None:
    """In several files and row groups; by two ways that share no code: Arrow and DuckDB."""
    for part in range(3):
        written(rows.slice(part * 400, 400), tmp_path / f"{part}.parquet", rows=70)
    table = ParquetTable.open(tmp_path, COLUMNS)
    loaded, own = _loaded(table), as_database(rows)
    for name, low, high in (("cost", *BOUNDS), ("age", 0, 120)):
        inside = np.where(np.isinf(own[name]), np.clip(own[name], low, high), own[name])
        assert np.array_equal(loaded[name], inside, equal_nan=True)
    assert np.array_equal(loaded["code"], own["code"], equal_nan=True)
    assert loaded["ward"].tolist() == own["ward"].tolist()
    for question in QUESTIONS[::9]:
        assert table.answer(question).tolist() == question(loaded).tolist(), question


def test_numbers_of_every_type_are_loaded_as_duckdb_reads_them(tmp_path: Path) -> None:
    made = {
        "a b.c": pa.array([True, None, False, True]),
        "x": pa.array([2**53 + 1, None, -7, 3], pa.int64()),
        "y": pa.array([Decimal("1.25"), None, Decimal("-3.5"), Decimal("0.1")], pa.decimal128(9, 4)),
        "z": pa.array([0.1, None, float("nan"), 2.5], pa.float32()),
        "ä": pa.array([1, None, 255, 7], pa.uint8()).dictionary_encode(),
    }
    columns = [Column(name, bounds=(-10.0, 1e17)) for name in made]
    table = ParquetTable.open(written(pa.table(made), tmp_path / "all.parquet"), columns)
    for name, values in table.load(made).items():
        question = targets.On(targets.Sum((-10.0, 1e17)), (name,))
        steps = question.target.summands[0].step
        assert abs(table.answer(question)[0] - np.nansum(values)) <= 4 * steps
        assert np.isnan(values[1])


def test_long_cells_of_a_column_of_short_words_take_little_memory(tmp_path: Path) -> None:
    """What stands in cells is confidential, and nobody declared that it is short: 40 MB of letters in one row group."""
    letters = np.random.default_rng(1).integers(97, 123, 42_000, dtype=np.uint8).tobytes().decode()
    notes = pa.table({"notes": [letters[place : place + 2_000] for place in range(20_000)]})
    pq.write_table(notes, tmp_path / "notes.parquet", use_dictionary=False, compression="none")
    del notes
    table = ParquetTable.open(tmp_path / "notes.parquet", [Column("notes", role="text", categories=("a", "b"))])
    before, pool = pa.default_memory_pool(), pa.proxy_memory_pool(pa.default_memory_pool())
    pa.set_memory_pool(pool)
    try:
        assert set(table.load(["notes"])["notes"].tolist()) == {""}
    finally:
        pa.set_memory_pool(before)
    assert 2_000 < pool.max_memory() < 25e6


@pytest.mark.parametrize(
    ("names", "columns", "said"),
    [
        (("cost", "gone"), COLUMNS, "declares no column “gone”"),
        (("ward",), (Column("ward", role="text"),), "Text without a list of words"),
        (("ward",), (Column("ward", role="text", categories=("a" * 20_100,)),), "80 MB are read from disk"),
    ],
)
def test_what_is_not_loaded_is_refused_by_what_is_public(
    rows: pa.Table, tmp_path: Path, names: tuple[str, ...], columns: tuple[Column, ...], said: str
) -> None:
    table = ParquetTable.open(written(rows, tmp_path / "stays.parquet"), columns)
    for refuse in (table.load, table.refuse_to_load):
        with pytest.raises(TableError, match=said) as error:
            refuse(names)
        refuse_code(str(error.value))


def test_a_file_that_changed_is_not_loaded_and_a_broken_one_fails_and_quotes_nothing(rows: pa.Table, tmp_path: Path) -> None:
    path = written(rows, tmp_path / "stays.parquet")
    table = ParquetTable.open(path, COLUMNS)
    for other in (drawn(seed=2), rows.drop_columns("cost"), rows.rename_columns(["age", "cost", "ward", "code"]).slice(1)):
        written(other, path)
        with pytest.raises(TableError, match="has changed since it was declared"):
            table.load(["cost"])
    path.unlink()
    with pytest.raises(TableError, match="has changed since it was declared"):
        table.load(["cost"])
    written(rows, path)
    content = bytearray(path.read_bytes())
    content[4:400] = b"\xff" * 396
    path.write_bytes(content)
    with pytest.raises(ValueError, match="the table could not be read whole") as error:
        ParquetTable.open(path, COLUMNS).load(["cost"])
    assert error.value.__cause__ is None
    whole = ParquetTable.open(written(rows, path), COLUMNS)
    for other in (whole.n - 1, whole.n + 1):
        with pytest.raises(ValueError, match="the table could not be read whole"):
            values_of(whole.files, COLUMNS, other)


def test_what_a_scan_may_read_and_take_is_limited(table: ParquetTable, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    for query in (f"SELECT * FROM read_csv('{tmp_path}/secret.csv')", "SELECT list(r) FROM range(1000000000) AS t(r)"):
        with pytest.raises(ValueError, match="could not be read whole"):
            scan(query, [[str(table.files[0])]], 1)


def _folder(path: Path) -> Path:
    path.mkdir()
    pq.write_table(pa.table({"cost": [1.0]}), path / "1.parquet")
    pq.write_table(pa.table({"cost": [1]}), path / "2.parquet")
    return path


def _text(path: Path) -> Path:
    path.write_text("cost\n1\n")
    return path


def _empty(path: Path) -> Path:
    path.mkdir()
    return path


def _of(made: dict[str, Any]) -> Callable[[Path], Path]:
    return lambda path: written(pa.table(made), path)


def _nothing(path: Path) -> Path:
    return path


def _starred(path: Path) -> Path:
    folder = path.with_name("stays")
    folder.mkdir()
    written(pa.table({"cost": [1.0]}), folder / "of 20??.parquet")
    return folder


@pytest.mark.parametrize(
    ("make", "columns", "said"),
    [
        (_nothing, None, "There is no file or folder"),
        (_text, None, "cannot be read as Parquet"),
        (_empty, None, "has no Parquet files"),
        (_folder, None, "have not the same columns"),
        (_starred, None, "has a star or a question mark"),
        (_of({"cost": pa.array([], pa.float64())}), None, "has no row"),
        (_of({"cost": [1.0], "Cost": [2.0]}), None, "differ by capitals alone"),
        (_of({"cost": [[1.0]]}), None, "holds numbers or text"),
        (_of({"cost": [[1.0]], "age": [1]}), (Column("cost"),), "which is not read on disk"),
        (_of({"cost": [1.0]}), (Column("price"),), "has no column “price”"),
        (_of({"cost": [1.0]}), (Column("cost", role="text"),), "holds numbers, and is declared to hold text"),
        (_of({"cost": [1.0]}), (Column("cost", missing="it counts as a constant", stands="0"),), "declared to count"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(
    make: Callable[[Path], Path], columns: tuple[Column, ...] | None, said: str, tmp_path: Path
) -> None:
    with pytest.raises(TableError, match=said) as error:
        ParquetTable.open(make(tmp_path / "table.parquet"), columns)
    refuse_code(str(error.value))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (MEAN, "does not fit"),
        (targets.Variance(BOUNDS), "no answer on disk"),
        (targets.On(targets.KnownVariance(BOUNDS), ("cost",)), "no answer on disk"),
        (targets.SampleAndAggregate(SUM, 8, BOUNDS), "no answer on disk"),
        (targets.On(MEAN, ("price",)), "declares no column “price”"),
        (targets.On(MEAN, ("ward",)), "does not fit"),
    ],
)
def test_a_question_that_is_not_answered_on_disk_is_refused_in_a_sentence(table: ParquetTable, question: Any, said: str) -> None:
    with pytest.raises(TableError, match=said) as error:
        table.answer(question)
    refuse_code(str(error.value))
    refused = replace(_calibrated(table.n).sensitivity, target=question)
    with pytest.raises(TableError, match=said):
        Laplace().calibrate(refused, PureDP(1.0)).release_on_disk(table)


def test_a_short_key_is_refused_and_a_missing_package_is_named(table: ParquetTable, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidValueError, match="at least 16 bytes"):
        ParquetTable.open(table.path, COLUMNS, key=b"short")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match=r"\[sql\]"):
        ParquetTable.open(table.path, COLUMNS)
