"""A finished figure laid out anew: in larger type for a wide place."""

from __future__ import annotations

from typing import Any

from pages.old.charts.drawn import Drawn

# A figure for a wide place: its type as large as is asked for.


_INSIDE = {"x": 1, "y": 0.14, "xanchor": "right", "yanchor": "bottom", "orientation": "v", "bgcolor": "rgba(127,127,127,0.15)"}


def in_large_type(figure: Drawn, *, type_size: int) -> Drawn:
    """The same figure with type of ``type_size`` pixels at least, and margins for it. It has room for a second legend, inside:
    where a window is too narrow for names at lines, that is what can be read."""
    ready = figure.ready()
    layout = dict(ready["layout"])
    above = type_size + title_above(layout) + axis_above(layout, type_size)
    layout["margin"] = {"l": 6 * type_size, "r": 2 * type_size, "t": above, "b": int(4.4 * type_size)}
    if "annotations" in layout:
        layout["annotations"] = [_as_large(note, type_size) for note in layout["annotations"]]
    layout["font"] = {**layout.get("font", {}), "size": type_size}
    layout["legend"] = {**layout.get("legend", {}), "font": {"size": type_size}}
    layout["legend2"] = layout["legend"] | _INSIDE
    for name in (name for name in layout if name[1:].startswith("axis")):
        layout[name] = _axis(layout[name], type_size)
    return Drawn({"data": list(ready["data"]), "layout": layout})


def title_above(layout: dict[str, Any]) -> int:
    """How many pixels the title needs above all else."""
    return 28 if "title" in layout else 0


def axis_above(layout: dict[str, Any], type_size: int) -> int:
    """How many pixels a second axis above the plot needs, with its title."""
    return 3 * type_size if "xaxis2" in layout else 0


def _axis(given: dict[str, Any], size: int) -> dict[str, Any]:
    raised = given.get("exponentformat") == "power"  # whose exponents are smaller than the rest
    title = {**(given.get("title") or {}), "font": {"size": size}}
    return given | {"tickfont": {"size": round(1.2 * size) if raised else size}, "title": title}


def _as_large(note: dict[str, Any], size: int) -> dict[str, Any]:
    """A note that the figure has, and its distance from what it belongs to, for type of that size."""
    before = (note.get("font") or {}).get("size", size)
    larger = {"font": {**(note.get("font") or {}), "size": max(size, before)}}
    return note | larger | {key: note[key] * max(1.0, size / before) for key in ("yshift", "xshift") if key in note}
