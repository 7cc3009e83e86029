"""Somebody else's words in a sentence of ours: in quotation marks, and shortened where they are many."""

_MOST = 40  # characters


def quoted(text: object, most: int = _MOST) -> str:
    """On one line, without quotation marks of its own.

    >>> quoted("two\\nlines")
    '“two lines”'
    """
    said = " ".join(str(text).split()).replace("“", "").replace("”", "")
    return f"“{said if len(said) <= most else said[: most - 1] + '…'}”"
