"""A server without the package that parses a kind of file says so, and what to do."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpcore.errors import TableError
from pages.files.tables import Parquet, proposed, read_file
from tests.pages.files.workbooks import ods

ROWS = {"S": [["a"], [1], [2]]}


def _without(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that parses finds a package in place of this one that cannot be imported."""
    (folder / f"{name}.py").write_text("raise ModuleNotFoundError")
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.slow
@pytest.mark.parametrize("content", [ods(ROWS), b"\xd0\xcf\x11\xe0"], ids=["ods", "xls"])
def test_without_calamine_no_workbook_is_called_broken(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _without("python_calamine", tmp_path, monkeypatch)
    with pytest.raises(TableError) as caught:
        proposed(content)
    assert caught.value.problem == (
        "This server cannot read Excel and ODS workbooks, because its package python-calamine is not installed."
    )
    assert caught.value.remedy == (
        "Save the table as CSV and upload that, or ask whoever runs this server to install the package."
    )


def test_without_pyarrow_no_parquet_file_is_called_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({"a": [1, 2]}), out)
    _without("pyarrow", tmp_path, monkeypatch)
    with pytest.raises(TableError, match="cannot read Parquet files, because its package pyarrow is not installed"):
        read_file(out.getvalue(), "t", Parquet(), public=False)
