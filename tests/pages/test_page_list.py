"""A file of pages/ that is no page is left out with a sentence, which a server writes into its log at its start."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import pages.old
from pages.server import page_list
from pages.server.startup import warn

_PAGE = "TITLE, ORDER = 'Greeting', 1.5\ndef show(): ...\n"
LEFT_OUT = {
    "def show(:\n": "does not import: SyntaxError",
    "import no_such_library\n": "ModuleNotFoundError, No module named 'no_such_library'",
    "": "it has no TITLE (a text) and no ORDER (a number) and no show() (a function). Mend it",
    _PAGE.replace("1.5", "'first'"): "it has no ORDER (a number).",
    _PAGE.replace("1.5", "float('nan')"): "it has no ORDER (a number).",
    _PAGE.replace("'Greeting'", "''"): "it has no TITLE (a text).",
    _PAGE.replace("def show(): ...", "show = 1"): "it has no show() (a function).",
    _PAGE.replace("Greeting", "Explore"): "has the TITLE of pages/old/explore/page.py, “Explore”",
}
Put = Callable[[str], None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Put]:
    """put(source): a folder of pages with a ``greeting.py`` beside one that is right."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "explore").mkdir()
    (folder / "explore/page.py").touch()  # the name of a page that there is

    def added(source: str) -> None:
        (folder / "greeting.py").write_text(source)
        monkeypatch.setattr(pages.old, "__path__", [*pages.old.__path__, str(folder)])
        monkeypatch.setattr(page_list, "_FOLDER", folder)
        importlib.invalidate_caches()

    yield added
    for name in ("pages.old.greeting", "pages.old.greeting.page"):
        sys.modules.pop(name, None)


def _names() -> list[str]:
    return [page.__name__ for page in page_list.pages()]


def test_every_file_of_ours_is_a_page() -> None:
    assert page_list.findings() == ()
    assert len(_names()) > 3


def test_a_right_file_is_a_page_in_its_place(put: Put) -> None:
    put(_PAGE)
    assert _names() == ["pages.old.explore.page", "pages.old.greeting"]
    assert page_list.findings() == ()


@pytest.mark.parametrize("source", LEFT_OUT)
def test_a_file_that_is_no_page_is_left_out_with_a_sentence(put: Put, source: str, caplog: pytest.LogCaptureFixture) -> None:
    put(source)
    assert _names() == ["pages.old.explore.page"]
    (sentence,) = page_list.findings()
    assert sentence.startswith("pages/old/greeting.py ")
    assert LEFT_OUT[source] in sentence
    warn()
    assert caplog.messages == [sentence]
