"""Writes ``built.js``: the module without blanks and with short names, as browsers get it; after a change, ``make module``.

It needs tdewolff-minify, which is among the pins of the tests and not among those of the app.
"""

from __future__ import annotations

from pathlib import Path

from pages.charts.live.bundle import BUILT, mark, sources


def built() -> str:
    """What the file has to hold."""
    import minify

    text, _ = sources()
    short: str = minify.string("application/javascript", text)
    return f"{mark(text)}{short}\n"


if __name__ == "__main__":
    Path(__file__).with_name(BUILT).write_text(built(), encoding="utf-8")
