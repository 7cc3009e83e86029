"""What earlier answers do to the guarantee of a release, in sentences."""

from __future__ import annotations

import streamlit as st

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee, RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Line, Standing
from pages.shared.escape import escaped
from pages.wording.question_words import would_hold

# A guarantee on the page: its name and whom it protects, and behind a click what it says word for word.


def show_promise(guarantee: Guarantee, unit: Unit, adjacency: Adjacency, *, key: str, later: str = "") -> None:
    """``unit``: what one row is. ``adjacency``: how neighbours differ. ``key``: another one for each on a page. ``later``: what
    earlier answers did to the guarantee."""
    name = words.name(guarantee)
    st.markdown(f"**{name[0].upper()}{name[1:]}**")
    with st.container(key=f"limits_{key}"):
        said = [escaped(words.protected(unit, guarantee, adjacency))]
        if isinstance(guarantee, RandomDP):
            said.append("Differential privacy leaves no change unprotected: random DP is weaker.")
            who = f"Those that involve unusual {words.counted_in(adjacency)} are left out."
            said.append(f"{words.unprotected(guarantee, adjacency)} {who}")
        st.markdown("\n\n".join([*said, later]).rstrip())
    st.markdown(
        f"Where {words.unit_of(adjacency)} is protected, whoever guesses from the answer {words.guessed(adjacency)} is right "
        f"{words.guess(guarantee)}. A coin is right 50 times."
    )
    in_full(guarantee, unit, adjacency)


def in_full(guarantee: Guarantee, unit: Unit | None, adjacency: Adjacency) -> None:
    """The guarantee word for word, behind a click."""
    with st.expander("What this guarantee says", icon=":material/gavel:"):
        st.markdown(escaped(words.sentence(guarantee, adjacency, unit)))


HELD = (
    "**Nothing but your word says that this release was fixed before the first answer about this table.** Its plan came from a "
    "file, or the server forgot answers of this tab. So it has a guarantee of its own, and joins no total."
)

UNSAMPLED = (
    "**This answer would have no guarantee.** Its mechanism does not have OpenDP sample its noise exactly, with a scale that is "
    "rounded up, and other noise can tell more than its formula says. Take another mechanism on Explore, under Options."
)


def show(line: Line, *, proved: bool, planned: bool) -> None:
    """Before the press: whether the guarantee holds after what came before, and what holds instead."""
    alone = line.without_earlier
    if line.standing is Standing.NONE and alone is not None:
        st.error(none_holds(alone, proved=proved), icon=":material/gpp_bad:")
    elif line.standing is Standing.LARGER and alone is not None:
        st.warning(larger(line, alone), icon=":material/info:")
    elif line.standing is Standing.INEXACT:
        st.error(UNSAMPLED, icon=":material/gpp_bad:")
    elif line.standing is Standing.HELD:
        st.warning(HELD, icon=":material/info:")
    elif planned:
        st.markdown(":material/checklist: This release is of your plan: it was fixed before the first answer.")


def none_holds(alone: RandomDP, *, proved: bool) -> str:
    """That there is no guarantee, and what there is instead."""
    instead = (
        "What does hold now is the worst case: choose it above. "
        if proved
        else "No worst case is proved for this target, so nothing that is sampled here can hold any more. "
    )
    return (
        "**This answer would have no guarantee.** It is asked after an earlier answer about this table, and that answer may "
        f"have led you to it. {would_hold(alone)} {instead}"
        "For the next table, list all your questions in a plan before the first answer."
    )


def larger(line: Line, alone: RandomDP) -> str:
    """That a larger γ holds, and why."""
    return (
        f"**γ is {line.gamma:g} here, and not {alone.gamma:g}**: more changes are left unprotected. This is asked after an "
        "earlier answer about the table, and that answer may have led you to it. The larger γ holds whatever led you to the "
        "question, because the target adds up a part for each, and the oracle draws each by itself. It does not hold where "
        "an earlier answer led you to the oracle. In a plan made before the first "
        f"answer, it would have kept γ = {alone.gamma:g}."
    )
