"""How large what somebody names may be, so that nothing is allocated for a number in a link."""

MOST_COLUMNS = 2_000  # of a record: as many as a table that is uploaded may have
MOST_LETTERS = 1_000  # of an alphabet
MOST_DEPTH = 16  # of members within members, as in JSON
