"""On every page: how it looks, and sentences on the last change. In the place of a page: what a link to a missing table asks."""

from __future__ import annotations

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from pages import state
from pages.escape import escaped
from pages.experiment.choices import title
from pages.experiment.descriptions import oracle_words, target_words
from pages.experiment.names import bound_words
from pages.experiment.noise import worst_case
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.csv_columns.header import listed
from pages.files.tables import Column
from pages.ledger import session as ledger
from pages.old.state import address
from pages.server import page_list

FORGOTTEN = (
    "This browser released answers before, and this server has forgotten them: it was restarted, or it is another one. A release "
    "may have been interrupted. So the ledger here may lack answers. Noise is no longer sized by trials in this browser, only to "
    "proved worst cases. If you saved the ledger, load the file on the page Release before you release more."
)

# Over what is at the bottom of the window, so that no chart jumps
_OVER = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-notices) {
  position: fixed; left: 2rem; right: 2rem; bottom: 1rem; z-index: 99; width: auto; max-height: 40vh; overflow: auto;
}
.st-key-notices { backdrop-filter: blur(16px); border-radius: 0.5rem; gap: 0.4rem; }
[data-testid="stMain"]:has(.st-key-notices) [data-testid="stMainBlockContainer"] { padding-bottom: 10rem; }
</style>"""


def show(*, over: bool = False) -> None:
    """What stands, and the sentences of the last change. ``over`` what else is on the page."""
    show_standing()
    show_last(over=over)


def show_standing() -> None:
    """On every page: that a ledger was lost."""
    if ledger.book().lost:
        st.warning(FORGOTTEN, icon=":material/history_toggle_off:")


def show_last(*, over: bool = False) -> None:
    """The sentences of the last change, and the way back."""
    if over:
        st.html(_OVER)
    with st.container(key="notices"):  # there at each run, so that what follows keeps its place, and with it the focus
        for sentence in state.notices():
            st.warning(escaped(sentence), icon=":material/info:")
        if "undo" in st.session_state:
            st.button("Undo", key="undo_button", on_click=state.undo, icon=":material/undo:")


# How every page looks, where Streamlit has no setting for it.


# A button that copies is seen, not only under a pointer. A toast stands below, where it covers no button.
# A wide chart has both, names at its lines and a second legend of them: where the window is narrow, that is what can be read.
_LOOKS = """<style>
[data-testid="stCode"] div:has([data-testid="stElementToolbarButton"]) { visibility: visible !important; opacity: 1 !important; }
[data-testid="stToastContainer"] { inset-block: auto 1rem !important; }
[class*="st-key-enlarge_"] button { min-height: 0; min-width: 0; padding: 0.15rem 0; }
@media (max-width: 899px) { [class*="st-key-enlarge_"] { display: none; } }
[class*="st-key-enlarge_"] p {
  position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%);
}
[class*="st-key-wide_"] svg text { fill: currentColor !important; }
@media (min-width: 900px) { [class*="st-key-wide_"] .legend2 { display: none; } }
</style>"""


# the light blue of a dark page has too little contrast with white
_ON_DARK = '<style>[data-testid="stBaseButton-primary"]:not(:disabled) p { color: #0e1117; }</style>'


def show_style() -> None:
    """At the top of each page."""
    st.html(_LOOKS + _ON_DARK * (st.context.theme.type == "dark"))


# In the place of a page: what a link to a table that is not here asks, what it would promise, and what to bring. No data.


def show_missing_table() -> bool:
    """Whether a link waits for its table; then all of it is said here, and the page has nothing of another table."""
    waiting = address.absent_query()
    if waiting is None:
        return False
    show(over=True)
    st.markdown(f"# The link is about {escaped(quoted(waiting['table']))}, which is not here")
    asked = address.asked(waiting)
    if asked is None:
        st.markdown("A link holds no data, and what this one asks cannot be read without its table.")
    else:
        st.markdown("\n".join(f"- {line}" for line in _lines(asked)))
    st.markdown(_bring(asked))
    with st.container(horizontal=True):
        st.page_link(page_list.link_to("your_data"), label="Bring the table on Your data", icon=":material/upload_file:")
        st.button("Show the example instead", key="leave_link", on_click=_example, icon=":material/close:")
    return True


def _lines(asked: Scenario) -> list[str]:
    columns = tuple(map(Column, asked.columns))
    drawn = asked.oracle
    oracle = drawn.words if isinstance(drawn, TableRecords) else oracle_words(drawn)
    delta = "" if asked.delta is None else f", δ = {asked.delta:g}"
    return [
        f"It asks for **{escaped(target_words(asked.target, columns))}**, of {_how_many(asked)}.",
        f"Its oracle is **{escaped(oracle)}**.",
        f"Its operating point: γ = {asked.gamma:g}, {counted(asked.m, ' trials')}, under "
        f"{escaped(bound_words(asked.bound.name))}; **{title(type(asked.mechanism).__name__)}** noise at "
        f"ε = {asked.epsilon:g}{delta}.",
        f"What it would promise: {_promise(asked)} No answer and no Δ̂ is known before the table is here.",
    ]


def _how_many(asked: Scenario) -> str:
    one = words.counted_in(asked.adjacency)
    about = "about " * asked.adjacency.removes
    return f"{about}{counted(asked.n, f' {one}')}"


def _promise(asked: Scenario) -> str:
    """Under each way of sizing the noise that there is."""
    alone = PureDP(asked.epsilon) if asked.delta is None else ApproxDP(asked.epsilon, asked.delta)
    weaker = words.name(RandomDP(asked.epsilon, asked.delta or 0.0, asked.gamma, asked.confidence))
    every = f"Differential privacy protects every change of {words.unit_of(asked.adjacency)}: random DP is weaker."
    sampled = f"**{weaker}**, with noise sized to the trials"
    try:
        proved = worst_case(asked)
    except DpcoreError:
        proved = None
    if proved is None:
        return f"{sampled}. No worst case is proved for it. {every}"
    return f"{sampled}; **{words.name(alone)}**, differential privacy itself, with noise sized to the proved worst case. {every}"


def _bring(asked: Scenario | None) -> str:
    """Which file to upload, and what of it the question needs."""
    named = "" if asked is None or not asked.columns else f" with {'the column' if len(asked.columns) == 1 else 'the columns'} "
    needs = "" if asked is None else escaped(listed([*map(quoted, asked.columns)]))
    return (
        f"**A link holds no data.** Upload the file of that name{named}{needs} on the page Your data, declare it as it was, and "
        "press “Use this table”: then the link takes hold."
    )


def _example() -> None:
    address.leave()
    state.anew(state.example())
