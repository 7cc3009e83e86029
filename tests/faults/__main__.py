"""Every fault, or one: what the page said of it, and the seconds until things were normal again, beside what is allowed.

``CHROMIUM`` names a browser. The script ends with 1 where a limit is missed, and never takes longer than a quarter of an hour.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

from playwright.sync_api import expect, sync_playwright

import tests.faults
from tests.browser.conftest import _ARGUMENTS as ARGUMENTS
from tests.faults.case import FAULTS, Fault, MissedError, Seen
from tests.faults.stand import Stand
from tests.faults.tab import SECONDS

_MOST_SECONDS = 900
_SAID, _LETTERS = 6, 240  # sentences that are printed of a fault, and of each


def main() -> int:
    """0 where every limit was kept."""
    for found in pkgutil.iter_modules(tests.faults.__path__):
        if found.name != "__main__" and not found.name.startswith("test_"):
            importlib.import_module(f"tests.faults.{found.name}")
    asked = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.splitlines()[0])
    asked.add_argument("--seed", type=int, default=1, help="of the moments at which the faults happen")
    asked.add_argument("--only", nargs="+", choices=sorted(FAULTS), metavar="NAME", help=f"these alone, of: {', '.join(FAULTS)}")
    given = asked.parse_args()
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, _give_up)
    signal.alarm(_MOST_SECONDS)
    return _inject([FAULTS[name] for name in given.only or FAULTS], given.seed)


def _give_up(number: int, frame: object) -> NoReturn:
    raise SystemExit(f"Ended by {signal.Signals(number).name}; {_MOST_SECONDS} s are allowed.")


def _chromium() -> str:
    path = os.environ.get("CHROMIUM", "")
    if not Path(path).is_file():
        raise SystemExit("CHROMIUM must hold the path of a Chromium: export CHROMIUM=$(sh tests/browser/chromium.sh .venv/bin)")
    return path


def _inject(faults: list[Fault], seed: int) -> int:
    expect.set_options(timeout=SECONDS * 1_000)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
        stand = Stand(seed, Path(folder), browser)
        try:
            missed = [fault.name for fault in faults if not _kept(fault, stand)]
        finally:
            signal.alarm(0)
            stand.close()
            browser.close()
    took = time.monotonic() - began
    load = os.getloadavg()[0]
    print(f"{len(faults)} injected, seed {seed}, in {took:.0f} s (load {load:.1f}); missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


def _kept(fault: Fault, stand: Stand) -> bool:
    """Inject it, and tell what was seen."""
    print(f"{fault.name}: {fault.what}", flush=True)
    stand.begin(fault.name)
    kept = True
    try:
        for seen in fault.inject(stand):
            kept = kept and seen.kept
            _tell(seen)
    except Exception as error:  # whatever it is, the other faults are injected too
        kept = False
        print(f"    MISSED: {type(error).__name__}: {error}", flush=True)
        _quote(error.said if isinstance(error, MissedError) else ())
        stand.renounce()
    finally:
        stand.clear()
    return kept


def _tell(seen: Seen) -> None:
    mark = "" if seen.kept else "   <-- MISSED"
    print(f"    {seen.amount:6.1f} {seen.unit} (limit {seen.limit:g}) {seen.what}{mark}", flush=True)
    _quote(seen.said)


def _quote(said: tuple[str, ...] | list[str]) -> None:
    for sentence in said[:_SAID]:
        print(f"           the page said: “{sentence[:_LETTERS]}”", flush=True)


if __name__ == "__main__":
    sys.exit(main())
