"""The module is one text of all its files: whole, small, and without what it may not have."""

from __future__ import annotations

import re
from pathlib import Path

from pages.old.charts import bundle
from pages.old.charts.bundle import built

ROOM = Path(bundle.__file__).parent
MOST = 80_000  # bytes
FILES = sorted(ROOM.glob("*/**/*.js"))


def test_it_is_built_of_what_is_written_and_small() -> None:
    assert (ROOM / bundle.BUILT).read_text() == built(), "JavaScript was changed: run `make module`."
    assert max(len(bundle.module().encode()), len(bundle.standing().encode())) <= MOST


def test_every_file_is_in_it() -> None:
    text = bundle.sources()
    for file in FILES:
        for name in re.findall(r"^(?:export )?(?:function|class|const) (\w+)", file.read_text(), re.MULTILINE):
            assert re.search(rf"^(?:function|class|const) {name}\b", text, re.MULTILINE), (file.name, name)
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)


def test_it_sets_no_markup_and_evaluates_nothing() -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|createContextualFragment"
    for file in FILES:
        assert not re.search(forbidden, file.read_text()), file.name
