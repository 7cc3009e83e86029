"""One row added or removed: asked on Your data, named wherever a guarantee is, and no word hangs on the true number of rows."""

from __future__ import annotations

import re
from typing import Any

from dpcore.guarantees.privacy import Adjacency
from pages.experiment.scenario import Noise
from tests.pages.visit import (
    QUESTION,
    answer,
    ask,
    confidential,
    declare,
    everything,
    go,
    noise_of,
    offered_noise,
    only,
    pick,
    released,
    scenario,
    settled,
    sound,
    take_out,
    text,
    upload,
    use,
    visit,
)

REMOVE = Adjacency.ADD_OR_REMOVE_ONE_RECORD
ADDED = "One row added or removed"
STATED = 250
ROWS = 6_197
_NAMES = re.compile(
    r"[0-9a-f]{32}|[0-9a-f-]{36}|_[0-9a-f]{16}"
)  # of files and widgets: drawn at random, or the same for every table


def _file(rows: int) -> bytes:
    return ("cost,ward\n" + "".join(f"{10 + (7 * i) % 80},{'ABC'[i % 3]}\n" for i in range(rows))).encode()


def _declared(rows: int, stated: int | None = STATED) -> Any:
    app = declare(upload(visit(), "stays.csv", _file(rows)), "cost", 0, 100)
    only(app, "cost")
    answer(app, "The rows are not about persons", "stay")
    sound(app.radio(key="neighbours").set_value(ADDED).run())
    if stated is not None:
        sound(app.number_input(key="rows_stated").set_value(stated).run())
    return app


def _explored(rows: int, stated: int | None = STATED) -> Any:
    return settled(use(_declared(rows, stated)))


def test_one_row_replaced_is_the_default() -> None:
    app = confidential(_file(97), 0, 100, name="stays.csv", column="cost")
    assert scenario(app).adjacency is Adjacency.REPLACE_ONE_RECORD
    assert scenario(app).n == 97
    app = upload(visit(), "stays.csv", _file(97), kind="Public")
    assert [radio.key for radio in app.radio if radio.key == "neighbours"] == []


def test_missing_number_of_rows_protects_replacement() -> None:
    app = _declared(97, None)
    assert "State about how many rows there are" in text(app)
    assert scenario(settled(use(app))).adjacency is Adjacency.REPLACE_ONE_RECORD


def test_explore_takes_the_stated_number() -> None:
    app = _explored(97)
    assert (scenario(app).adjacency, scenario(app).n) == (REMOVE, STATED)
    assert f'"{REMOVE.name}"' in str(app.query_params["s"])
    pick(app, "target", "Count")  # of which the number of rows is the answer: it is confidential now
    assert scenario(app).adjacency is REMOVE


def _all_pages(rows: int) -> list[str]:
    """Everything on Your data once it was chosen, on Explore, for two targets, and before the press on Release."""
    app = _declared(rows)
    seen = [everything(app)]
    app = settled(use(app))
    seen.append(everything(app))
    for kind in ("Count", "Sum"):
        seen.append(everything(settled(pick(app, "target", kind))))
    seen.append(everything(sound(go(app, "release").run())))
    seen.append(everything(sound(go(app, "your_data").run())))
    return seen


def test_pages_are_independent_of_number_of_rows() -> None:
    first, second = _all_pages(ROWS), _all_pages(7_451)
    for one, other in zip(first, second, strict=True):
        assert _NAMES.sub("", one) == _NAMES.sub("", other)


def _turn(app: Any, label: str, on: bool) -> None:
    sound(next(toggle for toggle in app.toggle if toggle.label == label).set_value(on).run())


def test_adding_rows_hides_their_number() -> None:
    """Not in the heading while none is stated, nor where lines are left out."""
    app = upload(visit(), "stays.csv", _file(ROWS))
    _turn(app, "Show the first lines as they are", True)
    _turn(app, "Show the first lines as they are", False)
    answer(only(declare(app, "cost", 0, 100), "cost"), "The rows are not about persons", "stay")
    assert f"{ROWS:,}" in everything(app)  # as one row replaced is protected, how many there are is public
    sound(app.radio(key="neighbours").set_value(ADDED).run())
    assert f"{ROWS:,}" not in everything(app)
    sound(app.number_input(key="rows_stated").set_value(250).run())
    sound(app.number_input(key="last_lines").set_value(1_000).run())
    assert f"{ROWS:,}" not in everything(app)
    app = upload(sound(go(use(app), "your_data")), "other.csv", b"a;b\n1;2\n3;4\n5;6\n")
    assert any(box.label == QUESTION for box in app.selectbox)
    assert f"{ROWS:,}" not in everything(app)


def test_release_names_adding_and_stated_number() -> None:
    app = _explored(ROWS)
    pick(app, "target", "Sum")
    go(app, "release")
    said = text(app)
    assert f"the rows, of which you state that they are about {STATED}," in said
    app = released(app)
    assert "adding or removing one stay" in text(app)
    assert "6,197" not in everything(app)


def test_list_takes_worst_case_once_proved() -> None:
    """Sampled was the receipt's only way, and nobody chose it."""
    app = go(pick(_explored(97), "target", "Variance"), "release")
    assert not offered_noise(app)
    app = take_out(ask(app, "Mean of"), 0)
    assert noise_of(app) is Noise.WORST_CASE
