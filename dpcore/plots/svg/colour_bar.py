"""The bar beside a map that tells what number a colour is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.plots.svg import text as texts
from dpcore.plots.svg.axis import Axis
from dpcore.plots.svg.colour_scales import ColourScale, named
from dpcore.plots.svg.maps import ends
from dpcore.plots.svg.paths import number

Trace = dict[str, Any]
_THICK, _PAD, _AWAY, _MIDDLE = 30.0, 10.0, 4.0, 0.35
_STRIPES, _BESIDE = 64, 0.02  # of the plot's width between it and the bar
_TITLE_ROOM = 2.2  # heights of its type


@final
@dataclass(frozen=True, slots=True)
class ColourBar:
    """The bar of a trace that has one."""

    trace: Trace
    type_size: float

    @classmethod
    def of(cls, data: list[Trace], type_size: float) -> ColourBar | None:
        """That of the first map that does not leave it out."""
        maps = [trace for trace in data if trace.get("type") == "heatmap" and trace.get("showscale") is not False]
        return cls(maps[0], type_size) if maps else None

    @property
    def given(self) -> dict[str, Any]:
        """What the trace says of it."""
        return dict(self.trace.get("colorbar") or {})

    def room(self, wide: float) -> float:
        """Pixels right of a plot so wide."""
        axis = self._axis((100.0, 0.0))
        longest = max((texts.width(tick.text, self.type_size) for tick in axis.ticks()), default=0.0)
        title = texts.width(self._title, self.type_size)
        thick, pad = (float(self.given.get(name, default)) for name, default in (("thickness", _THICK), ("xpad", _PAD)))
        return _BESIDE * wide + pad + max(thick + _AWAY + longest, title) + _AWAY

    @property
    def _title(self) -> str:
        return str((self.given.get("title") or {}).get("text") or "")

    def _axis(self, pixels: tuple[float, float]) -> Axis:
        low, high = ends(self.trace)
        given = {name: value for name, value in self.given.items() if name in ("tickvals", "ticktext", "nticks")}
        return Axis("y", given, "linear", (), (low, high) if high > low else (low - 0.5, high + 0.5), pixels)

    def write(self, right: float, top: float, plot: tuple[float, float]) -> str:
        """Beside a plot of this width and height, whose upper right corner is given."""
        thick, pad = (float(self.given.get(name, default)) for name, default in (("thickness", _THICK), ("xpad", _PAD)))
        x, size = right + _BESIDE * plot[0] + pad, self.type_size
        head = _TITLE_ROOM * size if self._title else 0.0
        low, high = top + plot[1] - pad, top + pad + head
        step = (low - high) / _STRIPES
        colours = ColourScale.of(self.trace.get("colorscale") or "Cividis").at((np.arange(_STRIPES) + 0.5) / _STRIPES)
        stripes = "".join(
            f'<path d="M{number(x)} {number(low - i * step)}h{number(thick)}v-{number(step + 0.5 * (i < _STRIPES - 1))}'
            f'h-{number(thick)}z" fill="{named(colour)}"/>'
            for i, colour in enumerate(colours)
        )
        axis = self._axis((low, high))
        at = axis.at(np.array([tick.at for tick in axis.ticks()], dtype=np.float64)).tolist()
        said = "".join(
            texts.write(tick.text, x + thick + _AWAY, y + _MIDDLE * size, size) for tick, y in zip(axis.ticks(), at, strict=True)
        )
        title = texts.write(self._title, x, high - size, size) if self._title else ""
        box = f"M{number(x)} {number(high)}h{number(thick)}V{number(low)}h-{number(thick)}z"
        around = f'<path d="{box}" fill="none" stroke="#444444"/>'
        return f'<g shape-rendering="crispEdges">{stripes}</g>{around}{said}{title}'
