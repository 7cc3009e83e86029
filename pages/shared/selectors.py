"""The row of selectors: table, target, oracle, their options, new draws, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import takes_fields
from dpcore.workbench.defaults import kind_of, oracle_for, oracle_kinds, title
from dpcore.workbench.question import asked_plainly, kinds_like
from dpcore.workbench.scenario import Scenario
from pages.shared import asking, code, dots, links, options
from pages.shared import columns as columns_of
from pages.shared.live import anew
from pages.shared.pins import settings_file
from pages.shared.wall import mode
from pages.state import pins, place, programs, state

_WIDTHS = {"table": 140, "target": 168, "column": 115, "oracle": 132}


def show(scenario: Scenario, places: tuple[str, ...], report: Callable[[], None]) -> None:
    """Each widget is set from the scenario, and changes it in its callback. ``places``: what a link to the page says beside.
    ``report``: offers one of what the page shows."""
    table = state.table()
    own = scenario.with_(**asked_plainly(scenario, table)) if takes_fields(scenario.target) else scenario
    names = own.columns
    columns = table.taken(names, own.target)
    titles = {name: item.title for name, item in state.tables().items()}
    targets, kind = list(kinds_like(table, scenario.target)), kind_of(scenario.target)
    kinds = oracle_kinds(table, columns)
    current = kind_of(scenario.oracle)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        _select("Table", "table", list(titles), titles, scenario.table, lambda name: state.pick_table(name), table.about)
        _select(
            "Target",
            "target",
            targets if kind in targets else [*targets, kind],
            {},
            kind,
            lambda kind: state.pick_columns(table, names, kind),
            "What is computed on the table. Its settings are under Options.",
        )
        columns_of.beside(own, table, _WIDTHS["column"])
        _select(
            "Oracle",
            "oracle",
            [*kinds, *([] if current in kinds else [current])],
            {},
            current,
            lambda kind: state.rework(oracle=oracle_for(kind, table, columns)),
            "Made-up data that sizes the noise. Never choose it by looking at the table.",
        )
        asking.show(scenario, table)
        box = st.popover("Options", key="options", on_change="rerun")
        if anew.opened(box):
            with box:
                options.show(scenario, table)
        st.button(
            "Pin",
            key="pin",
            on_click=pins.pin,
            help="Keeps this scenario below, beside those that you choose then: up to four.",
        )
        st.button("Draw again", key="draw_again", on_click=state.draw_again, help="New draws, new seed")
        if place.PRESENT in places:
            mode.button()
        made = partial(programs.of_what_is_shown, scenario, table, dots.off)
        links.show(places, (report, partial(code.offer, "shown", made), settings_file.show))


def _select(label: str, name: str, choices: list[str], words: dict[str, str], value: str, act: Any, about: str) -> None:
    key = f"pick_{name}"
    st.session_state[key] = value
    st.selectbox(
        label,
        choices,
        key=key,
        format_func=lambda item: words.get(item, title(item)),
        width=_WIDTHS[name],
        help=about or None,
        on_change=lambda: act(st.session_state[key]),
    )
