"""The app with runs of its script that take long while a file says so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.server import ROOT, Server, serving

_RUN = "else:\n    _show()\n"
_SLOW = "else:\n    import time\n    time.sleep({seconds} if (_HERE.parent / 'slow').exists() else 0)\n    _show()\n"


@contextmanager
def slowed(folder: Path, seconds: float) -> Iterator[tuple[Server, Path]]:
    """A server, and the file whose being there makes each run of its script take so much longer."""
    for name in ("pages", "dpcore", "data", ".streamlit"):
        (folder / name).symlink_to(ROOT / name)
    script = (ROOT / "app.py").read_text(encoding="utf-8")
    assert script.endswith(_RUN)
    (folder / "app.py").write_text(script.removesuffix(_RUN) + _SLOW.format(seconds=seconds), encoding="utf-8")
    with serving(folder / "log", folder) as server:
        yield server, folder / "slow"
