"""What is worth saying of a table of people before its numbers are read."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.base.bounds import Interval
from dpcore.base.counted import counted
from dpcore.workbench.contributions.cap import Cap
from dpcore.workbench.contributions.counted_rows import CountedRows


def remarks(rows: CountedRows, caps: Sequence[Cap]) -> tuple[str, ...]:
    """Sentences on a table of one person, on one where nobody has a second row, and on caps that drop nothing."""
    most = int(rows.rows_a_person.max())
    said = []
    if rows.people == 1:
        said.append(
            "All rows that count are one person's. The noise hides that person, so it hides the whole answer. Check that the "
            "column names the person."
        )
    elif most == 1:
        said.append("Nobody has more than one row that counts. A cap of one row drops nothing, and a higher one only adds noise.")
    beyond = sorted({cap.rows for cap in caps if cap.rows > most})
    if beyond and most > 1:
        said.append(
            f"Nobody has more than {counted(most, ' rows')} that count, so keeping {beyond[0]:,} or more only adds noise."
        )
    return tuple(said)


def remarks_on_bounds(rows: CountedRows, bounds: Interval) -> tuple[str, ...]:
    """Sentences on bounds that hold none of the values, and on negative values that a lower bound of at least 0 takes away."""
    low, high = bounds
    if not ((rows.value >= low) & (rows.value <= high)).any():
        return (f"No value of the table is from {low:g} to {high:g}, so each of them counts as one of these bounds.",)
    negative = float((rows.value < 0).mean())
    if negative and low >= 0:
        return (f"{negative:.2g} of the values, as a share, are below 0 and count as {low:g}.",)
    return ()
