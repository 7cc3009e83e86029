"""One word an idea on the screen: a line of a table is a row, what is published an answer, and publishing has no other word.

Names in code, in links and in files are others (docs/architecture.md, Words on the screen). A page in its default state is read
as it is sent to the browser; what opens, and what is said in any other state, is read as it is written in the code.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import visit

_HOUSE = Path(__file__).parents[2]
_PAGES = ("", "your_data", "people", "release", "learn", "about")
_OUT_OF_USE = re.compile(
    r"\b(records?|responses?|may (also |only )?be (shown|shared)|loans?(?! defaults\b| \(one row\)| was no longer))\b",
    re.IGNORECASE,
)
_SAID = ("body", "label", "help", "options", "placeholder", "caption")  # fields of a message to the browser that hold words
_CODE = _HOUSE / "pages" / "reports" / "script.py"  # writes a script, whose names are dpcore's
_NO_WORDS = (  # what is written into files, how a method is called, and names of columns
    "replace one record",
    "add or remove one record",
    "has draw(databases, records, rng=)",
    "(?:patient|",
)
_LONGEST, _MOST = 25, 3  # words of a sentence, sentences of a paragraph
_SENTENCE = re.compile(r"(?<=[.?!])\*{0,2}\s+(?=\W*[A-ZΔΑ-Ω])")


def _opened(page: str) -> AppTest:
    app = AppTest.from_file(str(_HOUSE / "app.py"), default_timeout=60)
    visit.sound(app.run())
    return visit.go(app, page) if page else app


def _sent(app: AppTest) -> Iterator[str]:
    for element in visit._elements(app):
        proto = getattr(element, "proto", None)
        for field, value in proto.ListFields() if hasattr(proto, "ListFields") else ():
            if field.name in _SAID:
                yield from [value] if isinstance(value, str) else map(str, value)
            if field.name == "spec":
                yield from _strings(json.loads(value))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(inner)


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page or "explore")
def test_no_page_says_a_word_that_is_out_of_use(page: str) -> None:
    said = [*_sent(_opened(page))]
    assert [one for one in said if _OUT_OF_USE.search(one)] == []
    assert any(re.search(r"\brows?\b", one) for one in said), "the page was not read"


def _literals(file: Path) -> Iterator[str]:
    """The sentences of a file: texts with a blank that are no docstrings, and of an f-string what stands around its values."""
    source = file.read_text(encoding="utf-8")
    nodes = [*ast.walk(ast.parse(source))] if _OUT_OF_USE.search(source) else []  # where there is none, nothing is looked for
    bare = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare and " " in node.value:
            yield node.value


def _written() -> Iterator[tuple[str, str]]:
    for room in ("pages", "dpcore"):
        for file in sorted((_HOUSE / room).rglob("*.py")):
            if file != _CODE:
                yield from ((str(file.relative_to(_HOUSE)), one) for one in _literals(file))
    for file in sorted((_HOUSE / "pages" / "text").rglob("*.md")):
        lines = file.read_text(encoding="utf-8").splitlines()
        said = (line.partition(":")[2] if line.startswith("## ") and file.parent.name == "lessons" else line for line in lines)
        yield from ((file.name, one) for one in said)


def test_no_sentence_is_written_with_a_word_that_is_out_of_use() -> None:
    written = [*_written()]
    assert len(written) > 1_000
    assert [one for one in written if _OUT_OF_USE.search(one[1]) and not one[1].startswith(_NO_WORDS)] == []


@pytest.mark.parametrize(
    "said",
    ["a response was released", "Records are drawn", "charts may be shown", "random loans", "charts may only be shared"],
)
def test_words_out_of_use_are_found(said: str) -> None:
    assert _OUT_OF_USE.search(said)


def _in_sight(node: Any) -> Iterator[str]:
    """Its paragraphs, list items and headings, but for what stands in a line that is not open."""
    if getattr(node, "type", "") == "expander" and not node.proto.expanded:
        return
    if getattr(node, "type", "") == "markdown":
        yield from re.split(r"\n\s*\n|\n(?=- |#)", node.value)
    for child in getattr(node, "children", {}).values():
        yield from _in_sight(child)


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page or "explore")
def test_a_paragraph_has_three_sentences_at_most_and_each_is_short(page: str) -> None:
    app = _opened(page)
    paragraphs = [" ".join(one.split()) for one in _in_sight(app._tree)]
    assert len(paragraphs) > 2
    assert [one for one in paragraphs if len(_SENTENCE.split(one)) > _MOST] == []
    sentences = [sentence for one in paragraphs for sentence in _SENTENCE.split(one)]
    assert [one for one in sentences if sum(bool(re.search(r"[^\W\d_]", word)) for word in one.split()) > _LONGEST] == []
