"""What a run found, as Markdown."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.scale.load import Load

_HEAD = """# Two processes behind nginx

`make scale` writes this page. One process is asked directly, two through nginx with the site of `docs/hosting/`. The clients
speak Streamlit's protocol, move γ as fast as the app answers, and run on the same cores as everything else.
"""


@dataclass
class Table:
    """Rows of what, wanted and measured; ``kept`` until a promise is broken."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)
    loads: list[tuple[str, list[Load]]] = field(default_factory=list)
    kept: bool = True

    def add(self, what: str, wanted: str, measured: str, good: bool = True) -> None:
        """One row; where it is not good it says so."""
        self.kept = self.kept and good
        self.rows.append((what, wanted, measured if good else f"**{measured}**"))

    def load(self, what: str, loads: list[Load]) -> None:
        """Where the cores went meanwhile."""
        self.loads.append((what, loads))

    def markdown(self) -> str:
        """The page."""
        names = list(self.loads[0][1][0].cores)[:-1] if self.loads else []
        busy = [(what, [_cores(loads, name) for name in names] + [_others(loads)]) for what, loads in self.loads]
        return "\n".join(
            [
                _HEAD,
                *_lines(("what", "wanted", "measured"), self.rows),
                "",
                "Cores kept busy meanwhile, of them by others on this shared machine:",
                "",
                *_lines(("run", *names, "others"), [(what, *(f"{value:.2f}" for value in values)) for what, values in busy]),
                "",
                f"Python {platform.python_version()} on {os.cpu_count()} shared cores.",
                "",
            ]
        )


def _cores(loads: list[Load], name: str) -> float:
    return statistics.mean(load.cores[name] for load in loads)


def _others(loads: list[Load]) -> float:
    ours = sum(_cores(loads, name) for name in loads[0].cores) - _cores(loads, "all on this machine")
    return _cores(loads, "all on this machine") - ours


def _lines(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows)]
