"""A visitor of the app without a browser: pages, popovers, uploads, and everything that a page sends to the screen."""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test
from streamlit.testing.v1.element_tree import ElementTree

from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.exports.link import saved_list, to_text
from pages.ledger import session as ledger
from pages.releasing.receipt import LABELS
from tests.pages.scenarios import scenario_of

_APP = Path(__file__).parents[2] / "app.py"
CHARTS = {"answers", "error", "sensitivity", "points"}  # of Explore


class _AsServed(PagesManager):
    """The pages as the server has them: AppTest forgets at each run that pages/ is no folder of scripts."""

    def __init__(self, *given: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False
        super().__init__(*given, **named)


app_test.PagesManager = _AsServed
# a server looks once for components among all that is installed, and AppTest in each session: two thirds of a visit's time
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


_EDITS: WeakKeyDictionary[AppTest, dict[str, dict[int, dict[str, Any]]]] = WeakKeyDictionary()  # of data editors, by their ids


QUESTION = "Are these rows about the same people or things as a table that this browser has had before?"


def _widget_states(tree: ElementTree) -> WidgetStates:
    """All that AppTest sends, and what was typed into data editors, of which it knows nothing."""
    states = _SENT(tree)
    for table in tree.dataframe:
        edits = _EDITS.get(tree._runner, {}).get(table.proto.id) if tree._runner is not None else None
        if edits is not None:
            states.widgets.add(id=table.proto.id, string_value=json.dumps({"edited_rows": edits}))
    return states


_SENT = ElementTree.get_widget_states
ElementTree.get_widget_states = _widget_states


def visit(page: str = "", /, **query: str) -> AppTest:
    """A new session that opens a page with this query in its address."""
    app = AppTest.from_file(str(_APP), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    return go(app, page) if page else sound(app)


def link(page: str = "", /, **values: Any) -> AppTest:
    """A new session that opens a link to a scenario with these values as JSON; ``list``: the list of questions of its table."""
    listed = values.pop("list", None)
    scenario = scenario_of(**values)
    app = visit(page, s=to_text(scenario))
    if listed is None:
        return app
    made, refused = saved_list(listed, ours()[scenario.table])
    assert made is not None, refused
    app.session_state["lists"] = {scenario.table: made}
    return sound(app.run())


def go(app: AppTest, page: str) -> AppTest:
    """To a page by the last part of its address; Explore's is empty."""
    app._page_hash = next(key for key, info in app._registered_pages.items() if info["url_pathname"] == page)
    app.run()
    app._page_hash = ""  # from here on, wherever the app itself goes
    return sound(app)


def sound(app: AppTest) -> AppTest:
    """The app, after a look that no exception is on the page."""
    assert not app.exception, [error.value for error in app.exception]
    return app


def settled(app: AppTest) -> AppTest:
    """The app once its draws are there, where they are made beside the page."""
    if "explore_run" in app.session_state:
        assert app.session_state["explore_run"].job.wait(180), "the draws did not come"
        sound(app.run())
    return app


def scenario(app: AppTest) -> Scenario:
    """What the session shows."""
    current: Scenario = app.session_state["scenario"]
    return current


def opened(app: AppTest, *popovers: str) -> AppTest:
    """With these popovers open."""
    for key in popovers:
        app.session_state[key] = True
    return sound(app.run())


def slide(app: AppTest, name: str, value: float) -> AppTest:
    """A slider moved to a value, or where it has no such stop, the box beside it."""
    slider = app.select_slider(key=f"slide_{name}")
    stops = (f"{value:,}", f"{value:g}")
    if any(stop in slider.options for stop in stops):
        return sound(slider.set_value(value).run())
    return sound(app.number_input(key=f"exact_{name}").set_value(value).run())


def pick(app: AppTest, name: str, value: str) -> AppTest:
    """The table, target, column or oracle chosen by its name."""
    return sound(app.selectbox(key=f"pick_{name}").set_value(value).run())


def press(app: AppTest, key: str) -> AppTest:
    """A button pressed."""
    return sound(app.button(key=key).click().run())


def question(app: AppTest, place: int) -> AppTest:
    """With the question at a place of the list on Release open."""
    is_open = any(button.key == f"edit_{place}_done" for button in app.button)
    return app if is_open else press(app, f"listed_edit_{place}")


def details(app: AppTest) -> AppTest:
    """Release with everything that its receipt fixes before the click."""
    app.session_state["open_receipt"] = True
    return sound(app.run())


def take_out(app: AppTest, place: int) -> AppTest:
    """A question taken out of the list on Release."""
    return press(question(app, place), f"edit_{place}_remove")


def near(app: AppTest, place: int) -> float:
    """How close the answer of a question of a list is: the ± in its line."""
    found = re.search(r"± ([\d,.e+-]+)", app.button(key=f"listed_edit_{place}").label)
    assert found, "the line gives no ±"
    return float(found[1].replace(",", ""))


def ask(app: AppTest, question: str) -> AppTest:
    """One more question for the list on Release: the first that is offered under words that begin so."""
    box = app.selectbox(key="list_add")
    return sound(box.set_value(next(words for words in box.options if words.startswith(question))).run())


def asked_as(app: AppTest, place: int, name: str, value: object) -> AppTest:
    """The question at a place of a list, changed where it stands: its ``kind``, ``column_of`` or groups, ``by``."""
    return sound(question(app, place).selectbox(key=f"edit_{place}_{name}").set_value(value).run())


def offered_noise(app: AppTest) -> list[Noise]:
    """The kinds of noise that a receipt offers; none if there is no choice."""
    offered = [option for radio in app.radio if radio.key == "noise_of_all" for option in radio.options]
    return [kind for kind, label in LABELS.items() if label in offered]


def sized(app: AppTest, kind: Noise) -> AppTest:
    """The receipt with this kind of noise for all answers."""
    return sound(app.radio(key="noise_of_all").set_value(LABELS[kind]).run())


def noise_of(app: AppTest) -> Noise:
    """The kind of noise that a receipt has, where it offers several."""
    return next(kind for kind, label in LABELS.items() if label == app.radio(key="noise_of_all").value)


def sampled(app: AppTest) -> AppTest:
    """The receipt with sampled noise, which is chosen if another one is offered too."""
    return sized(app, Noise.SAMPLED) if Noise.SAMPLED in offered_noise(app) else app


def released(app: AppTest, key: str = "release") -> AppTest:
    """One release of what the page shows, once its draws are there, where they are made beside the page."""
    press(app, key)
    end = time.monotonic() + 60
    while "Drawing for your release" in text(app):
        assert time.monotonic() < end, "the release did not come"
        time.sleep(0.1)
        sound(app.run())
    return app


def notices(app: AppTest) -> str:
    """The sentences on the last change."""
    return " ".join(warning.value for warning in app.warning)


def text(app: AppTest) -> str:
    """What the page says in prose, and the lines of a list."""
    said = [element.value for kind in (app.markdown, app.warning, app.error) for element in kind]
    said += [button.label for button in app.button if (button.key or "").startswith("listed_edit_")]
    return "\n".join(said)


def headline(app: AppTest) -> str:
    """The answer on Explore in one sentence."""
    return next(one.value for one in app.markdown if one.value.startswith("## "))


def charts(app: AppTest) -> dict[str, dict[str, Any]]:
    """The figures on the page, by key, their arrays decoded."""
    found = {}
    for element in app.get("plotly_chart"):
        key = element.proto.id.rpartition("-")[2]
        found[key] = _decoded(json.loads(element.proto.spec))
    return found


def everything(app: AppTest) -> str:
    """All that the page sends to the browser, numbers of charts and tables written out."""
    parts = [json.dumps(_decoded(json.loads(element.proto.spec))) for element in app.get("plotly_chart")]
    parts += [table.value.to_csv() for table in app.table]
    parts += [str(element.proto) for element in _elements(app) if hasattr(element, "proto")]
    return "\n".join(parts)


def upload(app: AppTest, name: str, content: bytes, *, kind: str = "Confidential") -> AppTest:
    """A file brought on the page Your data and declared public or confidential."""
    go(app, "your_data")
    sound(app.file_uploader(key="file").set_value((name, content, "text/csv")).run())
    return app if kind == "Confidential" else sound(app.radio(key="kind").set_value(kind).run())


def declare(app: AppTest, column: str, low: float | None = None, high: float | None = None, **cells: Any) -> AppTest:
    """The declarations of one column of the draft, which is used from then on: bounds, and cells by their names."""
    ends = {name: f"{value:.17g}" for name, value in (("lowest", low), ("highest", high)) if value is not None}
    return edit(app, column, **({"used": True} | ends | cells))


def edit(app: AppTest, column: str, **cells: Any) -> AppTest:
    """Cells of one column's row in the table of declarations."""
    table = declarations(app)
    row = table.value["name"].tolist().index(column)
    edits = _EDITS.setdefault(app, {}).setdefault(table.proto.id, {})
    edits.setdefault(row, {}).update(cells)
    return sound(app.run())


def declarations(app: AppTest) -> Any:
    """The editor of columns, with the values that it begins with."""
    return next(table for table in app.dataframe if table.proto.editing_mode)


def note(app: AppTest, column: str) -> str:
    """The note in the row of a column."""
    rows = declarations(app).value.set_index("name")
    return str(rows.loc[column, "note"])


def only(app: AppTest, *columns: str) -> AppTest:
    """With these columns used and no other."""
    for name in declarations(app).value["name"].tolist():
        edit(app, name, used=name in columns)
    return app


def answer(app: AppTest, several: str | None = None, name: str = "") -> AppTest:
    """Whether one person can have several rows of the draft, in an option's words, and what one row is."""
    if several is not None:
        app.radio(key="several_rows").set_value(several)
    if name:
        app.text_input(key="unit_name").set_value(name)
    return sound(app.run())


def use(app: AppTest) -> AppTest:
    """Explore the draft; where it is asked and was not said, as one about others than the tables before."""
    for box in app.selectbox:
        if box.label == QUESTION and box.value is None:
            sound(box.select_index(0).run())
    return press(app, "use_table")


def confidential(
    content: bytes, low: float, high: float, *, name: str = "mine.csv", column: str = "income", **cells: str
) -> AppTest:
    """A new session on Explore with a confidential table of one column, and what else is declared of it."""
    return use(declare(upload(visit(), name, content), column, low, high, **cells))


def _elements(app: AppTest) -> Iterator[Any]:
    waiting: list[Any] = list(app._tree.children.values())
    while waiting:
        node = waiting.pop()
        yield node
        waiting += getattr(node, "children", {}).values()


def _decoded(value: Any) -> Any:
    if isinstance(value, dict) and "bdata" in value:
        return np.frombuffer(base64.b64decode(value["bdata"]), dtype=value["dtype"]).tolist()
    if isinstance(value, dict):
        return {name: _decoded(item) for name, item in value.items()}
    return [_decoded(item) for item in value] if isinstance(value, list) else value


def book(app: AppTest) -> Any:
    """What the visitor's browser has released."""
    return ledger.BOOKS.get(app.session_state["browser"])
