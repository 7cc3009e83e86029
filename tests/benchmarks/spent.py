"""The app's server with a clock in each part: ``python -m tests.benchmarks.spent FILE run app.py …`` writes their seconds.

The file is written anew after each run of the app's script, so that a difference of two readings has no start-up in it.

A part's time is its thread's processor time without that of the parts inside it, so the parts add up to the process's.
"""

from __future__ import annotations

import functools
import gc
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

REST = "the server's event loop and all else"
SCRIPT = "Streamlit's script run, and the pages' own lines"
PARTS = (
    "a full garbage collection after each run",
    "dpcore: draws, calibration, words",
    "figures",
    "figures to JSON",
    "Streamlit's charts without their JSON",
    "Streamlit's other elements and widgets",
    "messages to bytes and to the socket",
    SCRIPT,
    REST,
)


class Clocks:
    """Processor seconds by part, each without those of the parts that it calls."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._local = threading.local()

    def of(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its time counted as the part's."""

        @functools.wraps(function)
        def timed(*arguments: Any, **options: Any) -> Any:
            inside = self._local.__dict__.setdefault("inside", [0.0])
            inside.append(0.0)
            began = time.thread_time()
            try:
                return function(*arguments, **options)
            finally:
                elapsed = time.thread_time() - began
                self.seconds[part] += elapsed - inside.pop()
                inside[-1] += elapsed

        return timed

    def wrap(self, part: str, owner: Any, *names: str) -> None:
        for name in names:
            setattr(owner, name, self.of(part, getattr(owner, name)))

    def write(self, file: Path) -> None:
        """The seconds so far, in one step."""
        seconds = self.seconds | {REST: time.process_time() - sum(self.seconds.values())}
        new = file.with_suffix(".new")
        new.write_text(json.dumps({part: seconds[part] for part in PARTS}))
        new.replace(file)


def install(clocks: Clocks, file: Path) -> None:
    """Put a clock into each part, before the app's pages are imported."""
    import plotly.io
    import streamlit as st
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.runtime.runtime import Runtime
    from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

    from dpcore.guarantees import words
    from pages import charts
    from pages.experiment import preview

    collection, dpcore, figures, to_json, all_charts, elements, messages, script, _ = PARTS
    clocks.wrap(collection, gc, "collect")
    clocks.wrap(dpcore, preview, "exploration", "reference", "answer", "calibrated", "calibrated_to", "worst_case", "headline")
    clocks.wrap(dpcore, words, "name", "sentence", "figure")
    clocks.wrap(figures, charts, *(name for name in charts.__all__ if name.islower()))
    clocks.wrap(to_json, plotly.io, "to_json")
    clocks.wrap(all_charts, st, "plotly_chart")
    drawn = (name for name in dir(st) if isinstance(getattr(getattr(st, name), "__self__", None), DeltaGenerator))
    clocks.wrap(elements, st, *(name for name in drawn if name != "plotly_chart"), "navigation")
    clocks.wrap(messages, Runtime, "_send_message")
    runner: Any = ScriptRunner
    run = clocks.of(script, runner._run_script)

    def run_and_write(*arguments: Any) -> None:
        run(*arguments)
        clocks.write(file)

    runner._run_script = run_and_write


def main() -> None:
    """Run Streamlit with the clocks."""
    from streamlit.web.cli import main as streamlit

    file = Path(sys.argv.pop(1))
    install(Clocks(), file)
    streamlit(prog_name="streamlit")


if __name__ == "__main__":
    main()
