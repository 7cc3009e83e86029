"""How many rows of people one draw may have: a link says how many people there are, and they must fit a server's memory."""

from __future__ import annotations

from dpcore.base.people import MOST_ROWS
from dpcore.errors import TooManyRowsError


def check_people(people: int) -> None:
    """TooManyRowsError where one row of each would be too many: it is called before anything is made."""
    if people > MOST_ROWS:
        raise TooManyRowsError(people, people, MOST_ROWS)


def check_rows(rows: int, drawn: int, people: int) -> None:
    """TooManyRowsError where the people ``drawn`` so far have too many ``rows``; it says about how many all would have."""
    if rows > MOST_ROWS:
        raise TooManyRowsError(people, round(rows / drawn * people), MOST_ROWS)
