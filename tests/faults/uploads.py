"""An upload for which there is no memory, and one whose connection is cut."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.browser import screen
from tests.faults.case import Seen, fault
from tests.faults.connection import connected
from tests.faults.stand import Stand
from tests.faults.tab import Tab

_MEGABYTE = 2**20
_FILE = 40 * _MEGABYTE
_ROOM = (100, 145)  # MB that the server may still take: enough for the file, and too little for its table
_AGAIN = 30.0  # seconds until a file is read again
_CUT = 20.0
_SMALL = "income\n" + "10\n20\n30\n" * 50


@fault
def no_memory_for_an_upload(stand: Stand) -> Iterator[Seen]:
    """The server's memory is full while a large upload is read."""
    app = stand.app()
    tab = stand.tab(app.address, "/your_data")
    tab.until(lambda: len(app.workers()) > 0, "workers")  # what the server takes until it has started is no upload's
    tab.stay(2)
    tab.listen()
    process = app.process
    most = process.memory_info().vms + stand.rng.randint(*_ROOM) * _MEGABYTE
    process.rlimit(psutil.RLIMIT_AS, (most, psutil.RLIM_INFINITY))
    _choose(tab, _large(stand))
    said = tab.until(lambda: tab.shows("too little memory"), "a sentence about memory", _AGAIN)
    yield Seen("until the page said that there was no memory for it", said, _AGAIN, tab.said)
    process.rlimit(psutil.RLIMIT_AS, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
    tab.listen()
    _choose(tab, _large(stand, "again.csv"))
    read = tab.until(lambda: tab.shows("again.csv: "), "its table", _AGAIN)
    yield Seen("until the same was read, with memory for it", read, _AGAIN, tab.said)


@fault
def connection_cut_during_an_upload(stand: Stand) -> Iterator[Seen]:
    """The connection is cut in the middle of an upload."""
    wire = stand.wire(stand.shared)
    tab = stand.tab(wire.address, "/your_data")
    screen.settle(tab.page)
    tab.listen()
    wire.cut_after(stand.rng.randint(_MEGABYTE, _FILE - _MEGABYTE))
    _choose(tab, _large(stand))
    tab.until(lambda: wire.whole, "the cut")
    back = tab.until(lambda: connected(tab), "the connection")
    _choose_small(tab)
    read = tab.until(lambda: tab.shows("incomes.csv: 150 rows"), "the table of the next file")
    yield Seen("until the page was connected again and the next file was read", back + read, _CUT, tab.said)


def _large(stand: Stand, name: str = "large.csv") -> Path:
    file = stand.folder / name
    file.write_bytes(b"income\n" + b"1.25371\n" * (_FILE // 8))
    return file


def _choose(tab: Tab, file: Path) -> None:
    tab.page.locator(".st-key-file input[type=file]").set_input_files(file)


def _choose_small(tab: Tab) -> None:
    tab.page.locator(".st-key-file input[type=file]").set_input_files(
        {"name": "incomes.csv", "mimeType": "text/csv", "buffer": _SMALL.encode()}
    )
