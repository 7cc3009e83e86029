"""Names that read as Markdown or HTML, in every place that a name can reach: they are shown as they are."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages import state
from pages.escape import escaped
from pages.exports.link import to_text
from pages.figures.theme import BLUE, axis, line, markers, short
from tests.pages.visit import answer, charts, declare, go, link, notices, opened, press, sound, text, upload, use, visit

HOSTILE = (
    "![x](http://foreign.example/x)",
    "[x](http://foreign.example/x)",
    "<img src=http://foreign.example/x>",
    "http://foreign.example",
    "www.foreign.example",
    "a@foreign.example",
    ":material/home:",
    ":red[x]",
    ":smile:",
    ":100:",
    "$x^2$",
    "_x_",
    "**xy**",
    "~~x~~",
    "`x`",
    "* x",
    "a | b",
    "[^1]",
    "&amp;",
    "a -> b",
    "x <- y",
    "a -- b",
    "a >= b",
    *("1. x", "2) x", "# x", "> x", "- x", "+ x"),
)
BLOCKS = HOSTILE[-6:]  # Markdown reads these at the beginning of a line alone
_PLAIN = re.compile(r"(?<!\\)(?:" + "|".join(map(re.escape, HOSTILE[:-6])) + ")")
_JOINER = "\u2060"
# What a browser would make of a text: the marks and words of Markdown that no backslash and no joiner stands before
_LIVE = re.compile(
    r"(?<!\\)[`*\[\]$<~|]|(?<![\\\w])_|(?<!\\)_(?!\w)|:(?=[\w+\-/])|(?i:www)(?=\.)|[\w.+-]@[\w-]+\.|(?<!\\)&(?=[#\w])"
    r"|[-<>~][-=>]|^(?:[-+]|#+|\d+[.)])(?:\s|$)|^>"
)


@pytest.mark.parametrize("text", HOSTILE)
def test_an_escaped_text_holds_nothing_that_markdown_reads_and_is_the_text(text: str) -> None:
    assert _LIVE.search(text)  # the test sees it where it is not escaped
    made = escaped(text)
    assert not _LIVE.search(made), made
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", made).replace(_JOINER, "") == text


@pytest.mark.parametrize(
    "text", ["years_to_default", "blood pressure (mmHg)", "R & D", "-1.5", "+5", "1.5", "#1", "a/b", "x < y".replace("<", "≤")]
)
def test_a_plain_name_stays_as_it_is(text: str) -> None:
    assert escaped(text) == text


def test_what_turns_a_text_around_or_is_no_character_is_left_out() -> None:
    assert escaped("a\u202eb\x00c\n\n# d\u2066") == "a b c # d"


def test_names_in_a_figure_are_no_tags() -> None:
    name = '<a href="http://foreign.example">x</a>'
    plain = '&lt;a href="http://foreign.example"&gt;x&lt;/a&gt;'
    assert (line(name, [1], [1], BLUE)["name"], markers(name, [1], [1], BLUE)["name"], axis(name)["title"]["text"]) == (
        plain,
    ) * 3
    assert not short([name], 60)[0].startswith("<")


def _refuse_live(app: AppTest) -> None:
    """AssertionError for a hostile name that Markdown or Plotly would read, anywhere on the page."""
    sound(app)
    kinds = (app.markdown, app.warning, app.error, app.button, app.radio, app.toggle, app.number_input, app.button_group)
    texts = [getattr(element, "value", "") for element in (*app.markdown, *app.warning, *app.error)]
    texts += [element.label for kind in kinds[3:] for element in kind]
    texts += [option for group in app.button_group for option in group.options]
    texts += [cell for table in app.table for cell in (*table.value.columns, *table.value.astype(str).to_numpy().ravel())]
    for one in texts:
        assert not _PLAIN.search(str(one)), one
        assert not any(line.strip().startswith(BLOCKS) for line in str(one).splitlines()), one
    for chart in charts(app).values():
        for said in _labels(chart):
            assert "<img" not in said
            assert "<a" not in said


def _labels(chart: dict[str, Any]) -> list[str]:
    traces = [trace.get("name", "") for trace in chart["data"]]
    traces += [item for trace in chart["data"] for item in trace.get("x", []) if isinstance(item, str)]
    axes = [value for name, value in chart["layout"].items() if "axis" in name]
    return traces + [axis["title"]["text"] for axis in axes if "title" in axis]


def test_names_of_a_file_its_columns_and_its_unit_are_plain_on_every_page() -> None:
    name, kind = HOSTILE[0], "Public"
    header = ",".join(f'"{column}"' for column in (name, *(other for other in HOSTILE if other != name)))
    rows = f"{header}\n" + (",".join("1" * len(HOSTILE)) + "\n" + ",".join("0" * len(HOSTILE)) + "\n") * 9
    app = upload(visit(), f"{name}.csv", rows.encode(), kind=kind)
    _refuse_live(app)
    declare(app, name, 0, 0, type="number", label=name, unit=name)
    assert escaped(f"The lowest value of {name} is 0, and that is not below its highest, 0.") in text(app)
    _refuse_live(app)
    declare(app, name, 0, 5)
    answer(app, "Yes", name[:40])
    _refuse_live(app)
    use(app)
    _refuse_live(opened(app, "options", "numbers"))
    _refuse_live(press(go(app, "release"), "release"))


@pytest.mark.parametrize("first", range(0, len(HOSTILE), 7))
def test_categories_letters_and_texts_of_a_link_are_plain(first: int) -> None:
    usual = json.loads(to_text(state.example()))
    for key, name in zip(("f", "o", "t", "b", "c"), HOSTILE[first:], strict=False):
        value = {"f": {"kind": name}, "o": {"kind": "IndependentColumns", "columns": list(HOSTILE)}, "c": [name]}.get(key, name)
        app = visit(s=json.dumps(usual | {key: value}))
        _refuse_live(app)
        assert "The link was not opened" in notices(app)
    _refuse_live(visit(s=json.dumps(usual | dict.fromkeys(HOSTILE[first : first + 5], "x"))))


def test_letters_and_records_of_a_link_are_plain() -> None:
    app = link(
        table="scientists",
        columns=["name"],
        mechanism={"kind": "LaplaceMechanism"},
        target={"kind": "LetterCounts", "alphabet": "".join(dict.fromkeys("".join(HOSTILE))), "ignore_case": False},
        oracle={"kind": "Resample", "records": list(HOSTILE)},
    )
    _refuse_live(opened(app, "options", "numbers"))
    _refuse_live(go(app, "release"))


def test_a_picture_in_a_category_is_no_picture_in_the_table_of_numbers() -> None:
    app = visit()
    rows = "x\n" + "![x](http://foreign.example/x)\nb\n" * 9
    use(answer(upload(app, "t.csv", rows.encode(), kind="Public"), "No, one row is one person"))
    _refuse_live(opened(app, "numbers"))
    press(go(app, "release"), "release")
    _refuse_live(app)
