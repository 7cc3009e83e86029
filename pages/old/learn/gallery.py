"""One exhibit of the gallery: what the paper says, what we found, where the two differ, and how to try it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.guarantees.words import figure as digits
from pages.experiment.tables import DATA
from pages.old.learn import opening
from pages.old.learn.exhibits.charts import exhibited
from pages.old.learn.exhibits.exhibit import Check, Exhibit, Gallery, read_gallery
from pages.old.shared import frame
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import control
from pages.old.state import place

_BESIDE = frame.Frame(340)


@st.cache_resource(show_spinner=False)
def stored() -> Gallery:
    """The exhibits that come with the app."""
    return read_gallery(DATA / "gallery")


def first() -> str:
    """The name of the exhibit that it begins with; one that no exhibit has where there are none."""
    return next((one.name for one in stored().exhibits), "none")


def show() -> None:
    """The way from one to another, and the one that the address names; the first where it names none."""
    gallery = stored()
    for sentence in gallery.left_out:
        st.warning(escaped(sentence))
    if not gallery.exhibits:
        return
    chosen = _chosen({one.name: one for one in gallery.exhibits})
    _ways(gallery.exhibits, chosen)
    _exhibit(chosen)


def _chosen(known: dict[str, Exhibit]) -> Exhibit:
    name = place.of("exhibit")
    first = next(iter(known.values()))
    if name and name not in known:
        st.warning(f"The link speaks of the exhibit “{escaped(name)}”, which is not in this gallery. The first is shown instead.")
    return known.get(name, first)


def _ways(exhibits: tuple[Exhibit, ...], chosen: Exhibit) -> None:
    """A picker, and a step back and forth."""
    titles = {one.name: _title(one) for one in exhibits}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control(
            st.selectbox,
            "Figure or table",
            list(titles),
            key="pick_exhibit",
            holds=chosen.name,
            act=lambda picked: _go((picked, "")),
            format_func=titles.__getitem__,
            width=520,
        )
        opening.steps("exhibit", [(name, "") for name in titles], (chosen.name, ""), _go)


def _title(one: Exhibit) -> str:
    """Its name as people read it, and what it is about."""
    return f"{one.name.replace('_', ' ').capitalize()}: {one.title}"


def _go(to: opening.Place) -> None:
    place.go_to({"exhibit": to[0], "panel": to[1]})


def _exhibit(one: Exhibit) -> None:
    st.markdown(f"## {escaped(_title(one))}\n:small[{escaped(one.source)}]")
    _charts(one)
    left, right = st.columns(2, gap="large")
    with left:
        _listed_sentences("The paper", [*one.paper, *(f"{stated.says} ({stated.place})" for stated in one.stated)])
        _listed_sentences("What we did", one.ours)
    with right:
        _listed_sentences("What agrees", one.agrees)
        _listed_sentences(
            "What does not, and why", [f"**{escaped(each.says)}** {escaped(each.why)}" for each in one.differs], ready=True
        )
    _try(one)
    _tables(one)
    _checks(one.checks)
    _details(one)


def _charts(one: Exhibit) -> None:
    """Two beside one another, where there are several."""
    numbers = [str(number + 1) for number in range(len(one.charts))]
    frame.arranged(numbers, lambda name, size: _chart(one, int(name) - 1, size), _BESIDE, in_a_row=2)
    if one.no_curve:
        st.markdown(f":small[{escaped(one.no_curve)}]")


def _chart(one: Exhibit, number: int, size: frame.Frame) -> None:
    chart = one.charts[number]
    st.markdown(f"### {escaped(chart.title)}")
    figure, alt = exhibited(chart)
    size.enlarge(str(number + 1))
    size.chart(figure, f"exhibit_{one.name}_{number}", alt)
    if chart.spread:
        st.markdown(f":small[Shaded: {escaped(chart.spread)}]")


def _listed_sentences(title: str, sentences: Any, *, ready: bool = False) -> None:
    if sentences:
        said = "\n".join(f"- {one if ready else escaped(one)}" for one in sentences)
        st.markdown(f"### {title}\n{said}")


def _try(one: Exhibit) -> None:
    """The smaller version on Explore."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if one.live is not None and st.button("Try it on Explore", key="exhibit_live", icon=":material/monitoring:"):
            opening.explore(one.live)
        st.markdown(escaped(one.live_note))


def _tables(one: Exhibit, *, in_a_row: int = 1) -> None:
    """One under another; of an exhibit that is nothing but tables one at a time, by a switch. ``in_a_row``: parts of each."""
    tables = one.tables
    if not one.charts and len(tables) > 1:
        titles = [table.title for table in tables]
        chosen = st.segmented_control("Which table", titles, key=f"exhibit_{one.name}_table", default=titles[0], required=True)
        tables = tuple(table for table in tables if table.title == chosen)
    for table in tables:
        st.markdown(f"### {escaped(table.title)}")
        rows = [[cell if isinstance(cell, str) else digits(cell) for cell in row] for row in table.rows]
        each = -(-len(rows) // in_a_row)
        for part, box in enumerate(st.columns(in_a_row, gap="large")):
            with box:
                _written(table.columns, rows[part * each : (part + 1) * each])


def _checks(checks: tuple[Check, ...]) -> None:
    """What was asked for beside what was measured."""
    st.markdown("### Checked")
    rows = [[check.says, _asked(check), digits(check.measured), "yes" if check.holds else "no"] for check in checks]
    _written(("what", "asked", "measured", "holds"), rows)


def _asked(check: Check) -> str:
    if check.least is None:
        return f"at most {digits(float(check.most or 0))}"
    return f"at least {digits(check.least)}" if check.most is None else f"{digits(check.least)} to {digits(check.most)}"


def _written(columns: tuple[str, ...], rows: list[list[str]]) -> None:
    """A table that is read, and not a canvas."""
    head = f"| {' | '.join(map(_cell, columns))} |\n|{'---|' * len(columns)}"
    st.markdown("\n".join([head, *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]))


def _cell(text: str) -> str:
    return escaped(text).replace("|", "\\|").replace("\n", " ")


def _details(one: Exhibit) -> None:
    """Where the settings differ, and how the numbers came about."""
    with st.expander("Settings that differ, and how this was made", icon=":material/rule:"):
        if one.deviations:
            _written(
                ("setting", "in the paper", "here", "why"),
                [[each.setting, each.paper, each.ours, each.why] for each in one.deviations],
            )
        made = one.made
        drawn = "Nothing is drawn" if made.seed is None else f"Seed {made.seed}"
        versions = ", ".join(f"{library} {version}" for library, version in made.versions.items())
        st.markdown(f"{drawn}; {digits(made.seconds)} s of processor time; {escaped(versions)}.")
