"""What a response says of those whom its guarantee leaves out: who they are, why they are, and when there are more of them."""

from __future__ import annotations

from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.privacy import RandomDP
from pages.components.escape import escaped
from pages.session.entry import Entry


def said(entry: Entry) -> str:
    """In sentences; empty for a response whose guarantee leaves nobody out, and for one without a guarantee."""
    guarantee = None if entry.line is None else entry.line.guarantee
    if entry.release is None or not isinstance(guarantee, RandomDP):
        return ""
    who = words.counted_in(entry.release.adjacency)
    worst = "The noise is not sized to the proved worst case" if entry.about.proved else "No worst case is proved here"
    return (
        f"**Not protected**: unusual {who}{_such_as(entry)}. {worst}, so an unusual one can move the answer by more than the "
        f"noise was sized to. A wrong oracle, whose {who} differ less than real ones do, leaves out more."
    )


def _such_as(entry: Entry) -> str:
    """An example, in the column's own unit, where there is one."""
    assert entry.release is not None
    found, sensitivity = entry.about.stride, float(entry.release.provenance["sensitivity"] or 0)
    if found is None or sensitivity * found[0] >= found[1]:
        return ""
    column = entry.about.columns[0]
    unit = f" {escaped(column['unit'])}" if column["unit"] else ""
    name, apart = escaped(column["label"]), counted(words.figure(sensitivity * found[0]), unit)
    return f", such as one whose {name} is more than {apart} from its replacement's"
