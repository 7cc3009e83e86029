"""The parts of a desk that stands by itself, in a lesson or a file: it is given all at once, and tells nobody."""

from __future__ import annotations

from functools import partial

from pages.old.charts import live
from pages.old.charts.encoded import text
from pages.old.reports.document import Part
from pages.old.shared.live import counted_odds, mounts, part_data, words
from pages.old.state.view import Shown, View

_ONCE = 1  # of what a server has for γ and ε: it never has anything else
_HIGH, _AXIS = 21.0, 2.0  # of a chart, and of a second axis below it
_chart = partial(Part, high=_HIGH, type=0.8)
ERROR = "error"  # a view of the answers, where their kind has it


def offered(view: View) -> bool:
    """Whether anything of this view may move in a file: its kind has such charts."""
    return isinstance(view, Shown) and bool(live.views(view.headline))


def ground(view: Shown, *, odds: bool = False) -> tuple[Part, ...]:
    """Where γ and ε are, and the tables: before all else. ``odds``: those of a guesser too."""
    at = {"rev": _ONCE, "gamma": view.scenario.gamma, "epsilon": view.scenario.epsilon}
    also = counted_odds.of_the_grids(view) | counted_odds.of_the_trials(view) if odds else {}
    return Part("hand", "{}", at=text(at)), Part("tables", text(part_data.grids(view) | part_data.found(view) | also))


def slider(name: str) -> Part:
    """Of γ or of ε."""
    return Part("slider", text({"name": name, "label": mounts.LABELS[name]}), mounts.LABELS[name])


def sentences(view: Shown) -> Part:
    """The answer, in words."""
    return Part("words", text({"variants": words.alone(view)}))


def sensitivity(view: Shown, title: str = mounts.SENSITIVE) -> Part:
    """How far the answer moves."""
    return _chart("sensitivity", text(part_data.sensitivity(view)), title, high=_HIGH + _AXIS)


def trials(view: Shown, title: str = mounts.TRIALS) -> Part:
    """What trials cost."""
    return _chart("trials", text(part_data.trials(view)), title)


def answers(view: Shown, off: float, title: str = mounts.PUBLISHED) -> tuple[Part, ...]:
    """What would be published, in each view but that of the error; the title stands above the first."""
    return _views(view, off, [name for name in live.views(view.headline) if name != ERROR], title)


def errors(view: Shown) -> tuple[Part, ...]:
    """How far off an answer is at each ε, where the kind has a chart of it that moves."""
    return _views(view, 1.0, [name for name in live.views(view.headline) if name == ERROR], "")


def _views(view: Shown, off: float, names: list[str], title: str) -> tuple[Part, ...]:
    made = [text(live.answers(view.headline, name, off)) for name in names]
    return tuple(_chart("answers", data, "" if place else title) for place, data in enumerate(made))
