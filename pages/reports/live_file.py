"""The module inside a file that is opened from a disk, without a server."""

from __future__ import annotations

import re
from functools import lru_cache

from pages.charts.live.bundle import sources, standing
from pages.reports.document import Module

_STYLE = re.compile(r"const style = `([^`\\$]*)`;")  # a template that nothing is put into


@lru_cache(maxsize=1)
def module() -> Module:
    """It, and the style that it adds to a page: a policy names both."""
    found = _STYLE.search(sources()[0])
    assert found is not None, "expected the style as one text in style.js, without escapes and without ${…}"
    return Module(standing(), found[1])
