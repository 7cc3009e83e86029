"""The bundled module of live charts, run by Node.js: what it computes can be compared with what Python does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from pages.old.charts.bundle import module
from pages.old.charts.encoded import text

_NAMES = (
    "Figure",
    "Odds",
    "Record",
    "Words",
    "chances",
    "deskOf",
    "drawWith",
    "figure",
    "general",
    "layers",
    "linked",
    "looked",
    "mount",
    "moved",
    "patch",
    "percent",
    "pictureOf",
    "read",
    "stacked",
    "whole",
    "workedOut",
)
_SCRIPT = Path(__file__).with_name("node.mjs")


class Node:
    """One process, which ends with ``close``."""

    def __init__(self, folder: Path) -> None:
        bundle = folder / "live.mjs"
        bundle.write_text(module(_NAMES), encoding="utf-8")
        self._process = subprocess.Popen(
            [_program(), _SCRIPT, bundle.as_uri()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def run(self, body: str, **given: Any) -> Any:
        """What a function of this body returns, with names for what it is given. Numbers keep all their bits on both ways."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(text({"body": body, "given": given}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "Node.js ended before it answered: what it wrote stands above."
        answer = json.loads(line, object_hook=lambda found: float(found["not"]) if "not" in found else found)
        assert "failed" not in answer, answer["failed"]
        return answer.get("returned")

    def close(self) -> None:
        """End it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


def _program() -> str:
    found = os.environ.get("NODE") or shutil.which("node") or shutil.which("nodejs")
    assert found, "The tests of live charts need Node.js, and there is none here. Run `make test`, which installs it."
    return found
