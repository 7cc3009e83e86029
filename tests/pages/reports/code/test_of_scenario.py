"""The code of what Explore shows: it runs, gives the same Δ̂ to the bit, and stops where it does not."""

from __future__ import annotations

import ast
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from pages.reports.code import records
from pages.reports.code.script import notebook, script

from dpcore import Condition, Gaussian, Groups, targets
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound
from pages.experiment import preview
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from tests.pages.reports.code.run import cells_of, figures_in, ran
from tests.pages.reports.code.shown import headline, program, scenario, table

_DIABETES = (Column("bmi", unit="kg/m²", bounds=(10.0, 70.0)), Column("sex", role="category", bounds=(0.0, 1.0)))


def _question() -> Scenario:
    on = targets.On(
        targets.KnownMean((10.0, 70.0)), ("bmi",), (Condition("age", interval=(18.0, 65.0)),), Groups("sex", (0.0, 1.0))
    )
    return scenario(table("diabetes"), "", on.fields, target=on)


def _cases() -> dict[str, Any]:
    return {
        "example": lambda: scenario(table("loan_defaults"), "Mean", ("years_to_default",)),
        "own rows": lambda: scenario(table("sine"), "Mean", ("x",), "TableRecords"),
        "copula": lambda: scenario(table("sine"), "Correlation", ("x", "y"), "TableCopula"),
        "histogram": lambda: scenario(table("diabetes"), "Histogram", ("sex",)),
        "curve": lambda: scenario(table("sine"), "KernelDensity", ("x",)),
        "choice": lambda: scenario(table("sine"), "QuantileScores", ("x",)),
        "steps": lambda: scenario(table("two_classes"), "MeanDirection", ("x1", "x2", "label"), m=19),
        "text": lambda: scenario(table("scientists"), "LetterCounts", ("name",)),
        "gaussian": lambda: scenario(
            table("diabetes"), "Mean", ("age",), mechanism=Gaussian(), bound=Bound.TOLERANCE, confidence=0.9, m=99
        ),
        "question": _question,
    }


@pytest.mark.parametrize("name", _cases())
def test_the_script_gives_the_same_numbers_to_the_bit_and_draws_its_figures(name: str, tmp_path: Path) -> None:
    of = _cases()[name]()
    whose = table(of.table)
    shown = headline(of, whose)
    made = program(of, whose, dots=name == "example", off=0.01)
    names, said = ran(made, tmp_path)
    assert repr(names["sensitivity"].value) == repr(shown.noise.sensitivity.value)
    assert f"Δ̂ = {shown.noise.sensitivity.value!r}" in said
    assert names["noise"].law.scale == shown.noise.law.scale
    assert (names["worst"] is None) == (shown.worst is None)
    assert (np.asarray(names["exact"]) == shown.exact.value).all()
    assert names["database"].tobytes() == whose.prepare(of.columns, of.target).database.tobytes()
    assert len(figures_in(tmp_path)) == (4 if name == "example" else 3)
    assert all(len(line) <= 130 for line in script(made).split("\n"))
    assert [kind for kind, _ in cells_of(made)][:2] == ["markdown", "code"]


def test_the_figures_are_those_of_the_app(tmp_path: Path) -> None:
    from pages import charts

    of = scenario(table("loan_defaults"), "Mean", ("years_to_default",))
    shown, whose = headline(of, table("loan_defaults")), table("loan_defaults")
    reference = preview.reference(of, of.resolved_oracle(whose), 1e-6)
    names, _ = ran(program(of, whose, reference=reference), tmp_path)
    there, here = charts.answer(shown)[0], names["chart"]
    assert isinstance(here, go.Figure)
    assert _plain(here.to_plotly_json()) == _plain(go.Figure(there.ready()).to_plotly_json())


def _plain(part: Any) -> Any:
    if isinstance(part, dict):
        packed = "bdata" in part
        return np.frombuffer(b64decode(part["bdata"])).tolist() if packed else {name: _plain(one) for name, one in part.items()}
    if isinstance(part, (list, tuple, np.ndarray)):
        return [_plain(item) for item in part]
    return part


@pytest.mark.parametrize(("old", "new"), [("seed=3", "seed=4"), ("rate=1.0", "rate=1.5"), ("n = 500", "n = 501")])
def test_another_draw_stops_it_with_a_sentence(old: str, new: str, tmp_path: Path) -> None:
    made = program(scenario(table("loan_defaults"), "Mean", ("years_to_default",)), table("loan_defaults"))
    broken = tuple(replace(cell, code=cell.code.replace(old, new)) if hasattr(cell, "code") else cell for cell in made.cells)
    assert broken != made.cells
    with pytest.raises(AssertionError, match=r"The app showed 0\.\d+ as Δ̂, and here it is 0\.\d+\. Take the versions"):
        ran(replace(made, cells=broken), tmp_path)


def test_no_release_can_be_made_of_its_draws_and_its_function_makes_one_of_fresh_ones(tmp_path: Path) -> None:
    names, _ = ran(program(scenario(table("loan_defaults"), "Mean", ("years_to_default",)), table("loan_defaults")), tmp_path)
    with pytest.raises(DpcoreError):
        names["noise"].release(names["database"])
    release = names["release"](names["database"])
    assert release.provenance["seed"] != 3
    assert release.guarantee == names["noise"].guarantee


def _confidential(values: Any) -> tuple[Scenario, Table]:
    columns = (Column("income", "Income", "€", bounds=(0.0, 1e6)),)
    whose = Table("mine", columns, {"income": values}, public=False, title="mine.csv")
    return scenario(whose, "KnownMean", ("income",)), whose


def test_a_confidential_table_is_told_of_by_nothing_and_stands_behind_one_marked_line(tmp_path: Path) -> None:
    """500 odd values in every usual form, and not even whether the code changes with them."""
    rng = np.random.default_rng(11)
    values = np.round(rng.uniform(1e3, 1e6, 500), 3)
    of, whose = _confidential(values)
    made = program(of, whose)
    text = script(made) + notebook(made)
    forms = {
        f(value) for value in values.tolist() for f in (repr, "{:.2f}".format, "{:,.3f}".format, "{:.6g}".format, "{:.5e}".format)
    }
    assert not [form for form in forms if form in text]
    assert text == script(program(*_confidential(values[::-1].copy() / 2))) + notebook(program(*_confidential(values / 2)))
    assert text.count("YOUR RECORDS") == 2  # once in each
    assert "RECORDS =" not in text
    names, _ = ran(made, tmp_path)
    assert names["database"].shape == (500,)
    assert (names["exact"] == preview.simulated_answer(of, of.resolved_oracle(whose)).value).all()
    assert any("Not your data" in picture for picture in figures_in(tmp_path))


@pytest.mark.parametrize(
    "of",
    [
        lambda: scenario(table("sine"), "Mean", ("x",)),
        lambda: scenario(table("sine"), "Correlation", ("x", "y")),
        lambda: scenario(table("scientists"), "LetterCounts", ("name",)),
        _question,
    ],
    ids=["numbers", "columns", "text", "fields"],
)
def test_records_of_a_large_table_stand_beside_the_code(of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MOST_HELD", 10)
    asked = of()
    made = program(asked, table(asked.table))
    assert made.beside is not None
    assert made.beside[0] == "records.csv"
    assert "RECORDS" not in script(made)
    assert "Keep records.csv beside this one" in script(made).replace("\n# ", " ")
    names, _ = ran(made, tmp_path)
    assert names["database"].tobytes() == table(asked.table).prepare(asked.columns, asked.target).database.tobytes()


@pytest.mark.parametrize(
    ("kind", "names", "oracle", "needs"),
    [("LinearSVM", ("x1", "x2", "label"), "", ("learners",)), ("LetterCounts", ("name",), "Names", ("names",))],
)
def test_what_is_to_be_installed_besides_is_said_first(
    kind: str, names: tuple[str, ...], oracle: str, needs: tuple[str, ...]
) -> None:
    whose = table("two_classes" if kind == "LinearSVM" else "scientists")
    made = program(scenario(whose, kind, names, oracle, m=19), whose)
    assert made.needs == needs
    assert f'pip install ".[{needs[0]},plots]"' in " ".join(script(made).split("\n")[:6])


def test_a_target_of_somebodys_own_has_no_code() -> None:
    of = scenario(table("loan_defaults"), "Mean", ("years_to_default",))
    shown = headline(of, table("loan_defaults"))

    def own(database: Any) -> Any:
        return database.mean()

    with pytest.raises(TypeError):
        program(of.with_(target=own), table("loan_defaults"))
    assert shown.noise.law.scale > 0


def test_each_cell_of_code_is_python_by_itself() -> None:
    made = program(_question(), table("diabetes"), dots=True)
    for kind, text in cells_of(made):
        if kind == "code":
            ast.parse(text)
