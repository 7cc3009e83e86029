"""A sentence of a page as pieces that a browser sets as text: plain, bold, or a slot whose words follow the hand."""

from __future__ import annotations

import re
import secrets
from typing import Any

from pages.shared.escape import unmarked

_OPEN, _CLOSE = f"\ue000{secrets.token_hex(8)}", "\ue001"  # no name from outside can hold it, and ``escaped`` leaves it alone
_SLOT = re.compile(f"{_OPEN}(\\w+){_CLOSE}")
_BOLD = re.compile(r"((?:\\.|[^\\*]|\*(?!\*))*)(\*\*|$)", re.DOTALL)
Piece = dict[str, Any]


def slot(name: str) -> str:
    """What stands in a sentence where the browser puts its own words."""
    return f"{_OPEN}{name}{_CLOSE}"


def pieces(markdown: str) -> list[Piece]:
    """Of our own Markdown, which knows bold type, icons and what ``escaped`` wrote."""
    made: list[Piece] = []
    bold, at = False, 0
    while at < len(markdown):
        found = _BOLD.match(markdown, at)
        assert found is not None  # it matches nothing at all, too
        made += [part | ({"bold": True} if bold else {}) for part in _slots(found[1])]
        bold, at = not bold, found.end()
    return made


def _slots(markdown: str) -> list[Piece]:
    parts = _SLOT.split(markdown)  # texts, and between them names
    said = [{"slot": part} if i % 2 else {"text": unmarked(part)} for i, part in enumerate(parts)]
    return [piece for piece in said if piece.get("text") != ""]
