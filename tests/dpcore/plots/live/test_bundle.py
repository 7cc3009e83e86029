"""The module is one text of all its files: whole, small, and without what it may not have."""

from __future__ import annotations

import re
from pathlib import Path

import minify

import dpcore
from dpcore.plots.live import bundle

ROOM = Path(dpcore.__file__).parent / "plots" / "live"
MOST = 40_000  # bytes
FILES = sorted(ROOM.glob("*/*.js"))


def test_it_is_small_and_has_every_file() -> None:
    assert len(minify.string("application/javascript", bundle.module()).encode()) <= MOST
    text = bundle.standing()
    for file in FILES:
        for name in re.findall(r"^(?:export )?(?:function|class|const) (\w+)", file.read_text(), re.MULTILINE):
            assert re.search(rf"^(?:function|class|const) {name}\b", text, re.MULTILINE), (file.name, name)
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)


def test_it_sets_no_markup_and_evaluates_nothing() -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|DOMParser|createContextualFragment"
    for file in FILES:
        assert not re.search(forbidden, file.read_text()), file.name


def test_a_kind_has_a_file_of_each_language() -> None:
    kinds = {file.stem for file in (ROOM / "kinds").glob("*.py")} - {"__init__"}
    assert kinds == {file.stem for file in (ROOM / "kinds").glob("*.js")}
    assert all(f'kindOfAnswer("{kind}"' in (ROOM / "kinds" / f"{kind}.js").read_text() for kind in kinds)
