"""What is said of an answer whose guarantee does not hold, or holds by a word alone."""

from __future__ import annotations

from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP

NO_GUARANTEE = (
    "No guarantee covers this answer. It was asked after an earlier answer about the same table, which may have led to it."
)
BY_WORD = (
    "This holds by its holder's word alone: that it was fixed before the first answer about the table. Nothing shows that where "
    "a plan came from a file, or where the server forgot answers."
)


def would_hold(alone: RandomDP, *, fitted: bool) -> str:
    """Of what a guarantee would hold that does not hold of this table (mathematics, section 4.5; 7.3 of a fit)."""
    if fitted:
        return (
            f"Its oracle is a private fit, made of such an answer. The guarantee ({words.name(alone)}) is about another "
            "table, drawn from that fit, and says nothing of this one."
        )
    return f"The guarantee ({words.name(alone)}) would hold had it been chosen without the earlier answers."
