"""The module inside a file that is opened from a disk, without a server."""

from __future__ import annotations

from functools import lru_cache

from dpcore.plots.live.bundle import standing, style
from dpcore.workbench.reports.document import Module


@lru_cache(maxsize=1)
def module() -> Module:
    """It, and the style that it adds to a page: a policy names both."""
    return Module(standing(), style())
