"""Link, script and report of a scenario. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.errors import DpcoreError


@dataclass(eq=False)
class ExportError(DpcoreError):
    """A link that cannot be read, or a script that cannot be written: the problem and the remedy."""

    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}"
