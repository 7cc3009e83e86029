"""Files are parsed in this process, except where a test is about the other one."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.errors import TableError
from pages.files import parser_process, tables


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The readers that were asked, each of which ran in this process: to start another takes most of a second."""
    found = list[str]()

    def parsed(content: bytes, reader: str, *options: Any) -> parser_process.Answer:
        found.append(reader)
        said, cells = parser_process.answer(parser_process.READERS[reader], content, *options)
        if "problem" in said:
            raise TableError(said["problem"], said["remedy"])
        return said, cells

    monkeypatch.setattr(tables, "parsed", parsed)
    return found
