"""What no sentence on a page holds: Python's values, its brackets and underscores, and names in capitals."""

from __future__ import annotations

import re

_CODE = re.compile(
    r"""[{}\[\]`"_<>] | (?<!\w)' | '(?!\w) | \b(None|True|False|NaN|nan|inf)\b | \w\( | \(\w+,\ ?\w* | [a-z][A-Z] |
    (?<![γεδmkn\u0302]\ )= | \b(RANK|TOLERANCE|RANGE|LINF|TIME|DKW)\b(?!\ bound) |
    dtype|numpy|\bnp\b|\brng\b|dpcore|\bdatabase""",
    re.VERBOSE,
)


def refuse_code(text: str) -> None:
    """AssertionError where a sentence holds code; what a person wrote is quoted as it is."""
    assert not _CODE.search(re.sub("“[^”]*”", "“”", text)), text
