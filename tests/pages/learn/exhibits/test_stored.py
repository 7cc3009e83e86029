"""Stored exhibits: there and back, and a sentence for every file that is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import TableError
from pages.old.learn.exhibits.exhibit import MOST_BYTES, VERSION, read_exhibit, read_gallery, written
from tests.pages.learn.exhibits.exhibits import exhibit

Edit = Callable[[dict[str, Any]], Any]


def test_what_is_written_is_read_back() -> None:
    text = written(exhibit())
    again = read_exhibit(text.encode(), "one")
    assert written(again) == text
    assert again.live == exhibit().live
    assert again.chart("c").called("a").high is not None
    plain = ("name", "place", "title", "paper", "ours", "deviations", "stated", "tables", "agrees", "differs", "checks", "made")
    assert [name for name in plain if getattr(again, name) != getattr(exhibit(), name)] == []


def _edited(edit: Edit) -> bytes:
    said = json.loads(written(exhibit()))
    edit(said)
    return json.dumps(said).encode()


EDITS: dict[str, tuple[Edit, str]] = {
    "another kind": (lambda said: said.update(stored="declarations of a table"), "no stored result"),
    "an older version": (lambda said: said.update(version=VERSION - 1), f"of version {VERSION - 1}, and this app reads version"),
    "a newer version": (lambda said: said.update(version="2" * 99), "of version 22222222222222222222, and"),
    "no version": (lambda said: said.pop("version"), "of version None"),
    "a part is missing": (lambda said: said.pop("checks"), "exhibit must be an entry with"),
    "a part too many": (lambda said: said.update(more=1), "exhibit must be an entry with"),
    "lengths differ": (lambda said: said["charts"][0]["series"][0]["y"].pop(), "y must be finite numbers"),
    "text for a number": (lambda said: said["charts"][0]["series"][0].update(y=["a", "b"]), "y must be finite numbers"),
    "a list for an object": (lambda said: said.update(made=[]), "made must be an entry"),
    "an object for a list": (lambda said: said.update(charts={}), "must be a list"),
    "a text for a list": (lambda said: said.update(paper="n = 3."), "paper must be a list"),
    "a strange live version": (lambda said: said["live"].update(gamma=2.0), "gamma must be"),
    "an unknown target": (lambda said: said["live"].update(target={"kind": "No"}), "No"),
    "a live version without its m": (lambda said: said["live"].pop("m"), "given m"),
    "another name": (lambda said: said.update(name="two"), "name must be that of its file"),
    "a row too short": (lambda said: said["tables"][0]["rows"][0].pop(), "rows must be"),
    "a number that is none": (lambda said: said["checks"][0].update(measured=None), "measured must be"),
}


@pytest.mark.parametrize("case", EDITS)
def test_a_file_that_is_none_is_refused_in_a_sentence(case: str) -> None:
    edit, said = EDITS[case]
    with pytest.raises(TableError) as caught:
        read_exhibit(_edited(edit), "one")
    assert said in caught.value.problem
    assert caught.value.problem.startswith("“one” ")
    assert caught.value.problem.endswith(".")
    assert "data.make_gallery" in caught.value.remedy


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"{", b"NaN", b"[" * 10**5, b" " * (MOST_BYTES + 1)],
    ids=["empty", "no text", "a list", "cut off", "no JSON", "deep", "large"],
)
def test_bytes_that_are_no_exhibit_are_refused_in_a_sentence(content: bytes) -> None:
    with pytest.raises(TableError, match="no stored result"):
        read_exhibit(content, "one")


def test_a_file_that_is_too_large_is_not_read_whatever_it_holds() -> None:
    text = written(exhibit()).encode()
    assert read_exhibit(text + b" " * 1_000, "one").name == "one"
    with pytest.raises(TableError, match="no stored result"):
        read_exhibit(text + b" " * MOST_BYTES, "one")


def test_infinite_numbers_are_no_json() -> None:
    text = written(exhibit()).replace("0.25]", "Infinity]")
    assert "Infinity" in text
    with pytest.raises(TableError, match="no stored result"):
        read_exhibit(text.encode(), "one")


def test_a_gallery_is_in_the_order_of_its_places_and_one_bad_file_leaves_the_others(tmp_path: Path) -> None:
    for name, place in (("a", 2), ("b", 1)):
        (tmp_path / f"{name}.json").write_text(written(exhibit(name=name, place=place)), encoding="utf-8")
    (tmp_path / "c.json").write_text("{", encoding="utf-8")
    (tmp_path / "d.json").mkdir()
    (tmp_path / "e.txt").write_text("{", encoding="utf-8")
    gallery = read_gallery(tmp_path)
    assert [one.name for one in gallery.exhibits] == ["b", "a"]
    assert [said.split("”")[0] for said in gallery.left_out] == ["“c", "The file “d.json"]
    assert read_gallery(tmp_path / "nowhere").exhibits == ()
