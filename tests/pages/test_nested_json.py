"""JSON from outside that is nested 10,000 levels deep: a sentence wherever it comes in, and it is never parsed."""

from __future__ import annotations

import json

import pytest

from dpcore.errors import DpcoreError
from pages import state
from pages.exports.link import from_text, to_text
from pages.ledger import ledger_file

OPENS = {"lists": "[", "entries": '{"a":'}
LEVELS = 10_000
nested = pytest.mark.parametrize("opens", OPENS.values(), ids=OPENS)


@pytest.fixture(autouse=True)
def _never_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = json.loads

    def loads(text: str | bytes, **how: object) -> object:
        assert len(text) < LEVELS, "it was parsed"
        return parse(text, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(json, "loads", loads)


@nested
def test_deep_link_of_explore_is_a_sentence(opens: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.exports.link.LONGEST", 10**6)
    text = to_text(state.example())[:-1] + ',"o":' + opens * LEVELS
    with pytest.raises(DpcoreError, match="The link cannot be read"):
        from_text(text, state.catalog())


@nested
def test_deep_ledger_file_is_a_sentence(opens: str) -> None:
    content = '{"kind": "ledger of a table, version 1", "note": ' + opens * LEVELS
    with pytest.raises(DpcoreError, match=r"nests more than 5 levels .* Choose the file as"):
        ledger_file.read(content.encode())
