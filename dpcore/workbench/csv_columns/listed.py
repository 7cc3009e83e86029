"""Names from a file, as an error lists them: quoted, shortened, and at most ten."""

from __future__ import annotations

from collections.abc import Sequence

MOST_LISTED = 10
_LONGEST = 40  # characters of one


def quoted(names: Sequence[str]) -> list[str]:
    """Each name in quotation marks, shortened where it would fill the screen."""
    return [f"“{name}”" if len(name) <= _LONGEST else f"“{name[: _LONGEST - 1]}…”" for name in names]


def listed(names: Sequence[str]) -> str:
    """2; 2 and 4; 2, 4 and 5; of a long list the first nine and how many more there are."""
    if len(names) > MOST_LISTED:
        shown = MOST_LISTED - 1
        return f"{', '.join(names[:shown])} and {len(names) - shown:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
