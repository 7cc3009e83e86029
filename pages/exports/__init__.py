"""What leaves the app: the link, the script and the report. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.errors import DpcoreError


@dataclass(eq=False)
class ExportError(DpcoreError):
    """Something that cannot be read or written: what is wrong, and what to do."""

    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.problem} {self.remedy}"
