"""Two processes of the app behind nginx, beside one alone: redraws a second, sessions that stay, ledgers that last, no files.

`make scale` runs it; the table goes to the screen and to results.md. It ends with 1 where a promise is broken; speed is told,
not judged.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NoReturn

from distributed import Client
from playwright.sync_api import Browser

from tests.scale.kept import watching
from tests.scale.load import Load, measure
from tests.scale.processes import Stage, stage
from tests.scale.site import NAME
from tests.scale.table import Table
from tests.scale.upload import upload
from tests.scale.visitors import Visitor, arrive, browsing, visits

_RESULTS = Path(__file__).with_name("results.md")
_MOST_SECONDS = 225
_CLIENTS, _ROUNDS, _SECONDS = (4, 10), 2, 6.0
_STUDENTS, _PAUSE, _LESSON = 30, 5.0, 7.0
_VISITORS = 4
_WANTED = "≥ 1.7 on 2 free cores"


def main() -> int:
    """Everything, within four minutes; whatever happens, what was started is ended."""
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, _give_up)
    signal.alarm(_MOST_SECONDS)
    table = Table()
    try:
        with tempfile.TemporaryDirectory() as folder, stage(os.environ["NGINX"], Path(folder)) as running:
            _throughput(running, table)
            with watching([*running.apps, running.nginx, *running.cluster], logs=Path(folder)) as written:
                _uploads(running, table)
                _refusals(running, table)
                with browsing(os.environ["CHROMIUM"], running.tls_port) as browser:
                    _visits(running, browser, table)
                    _loss(running, browser, table)
            files = ", ".join(sorted(written)) or "none"
            table.add("files that any process but the browsers wrote to a disk meanwhile", "none", files, not written)
    finally:
        signal.alarm(0)
        print(table.markdown())
    _RESULTS.write_text(table.markdown(), encoding="utf-8")
    return 0 if table.kept else 1


def _give_up(number: int, frame: object) -> NoReturn:
    raise SystemExit(f"Ended by {signal.Signals(number).name}; {_MOST_SECONDS} s are allowed.")


def _throughput(running: Stage, table: Table) -> None:
    a, b = ([app] for app in running.apps)
    groups = {"process a": a, "process b": b, "nginx": [running.nginx], "idle cluster": list(running.cluster)}
    measure(list(running.direct), 2, 2.0, groups)  # both have imported everything
    many = f"{_STUDENTS} clients, a move every {_PAUSE:g} s each"
    for what, address in (("one process", running.direct[0]), ("two behind nginx", running.plain)):
        calm = measure([address], _STUDENTS, _LESSON, groups, pause=_PAUSE)
        table.add(f"{many}: {what}, wait", "", f"median {calm.wait:.2f} s, one in twenty over {calm.long_wait:.2f} s")
        if what == "one process":
            table.add(f"{many}: its memory", "", f"{calm.megabytes['process a']:.0f} MB")
        table.load(f"{many}, {what}", [calm])
    for clients in _CLIENTS:
        one: list[Load] = []
        two: list[Load] = []
        for turn in range(_ROUNDS):
            both = [(one, running.direct[0]), (two, running.plain)]
            for loads, address in reversed(both) if turn % 2 else both:  # others come and go: neither is always first
                loads.append(measure([address], clients, _SECONDS, groups))
        ratio = statistics.mean(load.rate for load in two) / statistics.mean(load.rate for load in one)
        table.add(f"{clients} clients: one process, redraws of three panels a second", "", _figures(one))
        table.add(f"{clients} clients: two behind nginx", "", _figures(two))
        table.add(f"{clients} clients: two / one", _WANTED, f"{ratio:.2f}")
        table.add(f"{clients} clients: two / one, a second of the app's CPU", "about 1", f"{_worth(two) / _worth(one):.2f}")
        table.load(f"{clients} clients, one process", one)
        table.load(f"{clients} clients, two behind nginx", two)


def _figures(loads: list[Load]) -> str:
    return f"{statistics.mean(load.rate for load in loads):.1f} (median wait {statistics.median(x.wait for x in loads):.2f} s)"


def _worth(loads: list[Load]) -> float:
    return statistics.mean(load.rate / (load.cores["process a"] + load.cores["process b"]) for load in loads)


def _uploads(running: Stage, table: Table) -> None:
    taken, refused = upload(running.plain, 45, 3.0), upload(running.plain, 52, 0.5)
    good = (taken, refused) == (204, 413)
    table.add("answers to an upload of 45 MB, and to one of 52 MB", "204, 413", f"{taken}, {refused}", good)


def _refusals(running: Stage, table: Table) -> None:
    own = _status(f"{running.plain}/_stcore/health", origin=running.plain)
    foreign = _status(f"{running.plain}/_stcore/health", origin="https://other.example")
    metrics = _status(f"{running.plain}/_stcore/metrics")
    good = (own, foreign, metrics) == (200, 403, 404)
    table.add(
        "answers to a page of this site, to one of another, and to a look at the metrics",
        "200, 403, 404",
        f"{own}, {foreign}, {metrics}",
        good,
    )


def _status(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def _visits(running: Stage, browser: Browser, table: Table) -> None:
    arrived = [arrive(browser, number) for number in range(_VISITORS)]
    lasted = sum(visitor.release_and_reload() for visitor in arrived)
    links = {visitor.link() for visitor in arrived}
    uploaded = sum(visitor.upload() for visitor in arrived)
    _scheduler(running, arrived, table)
    for visitor in arrived:
        visitor.page.context.close()
    time.sleep(1)  # nginx writes of a stream when it has ended
    _stickiness(running, table)
    every = f"{_VISITORS}"
    table.add("browsers whose release was in the ledger after a reload", every, f"{lasted}", lasted == _VISITORS)
    table.add("browsers that uploaded a table and explored it", every, f"{uploaded}", uploaded == _VISITORS)
    asked = links.union(*(visitor.hosts for visitor in arrived))
    good = asked == {f"https://{NAME}", NAME}
    table.add("the link that the app shows, and every host asked", "the site's name", ", ".join(sorted(asked)), good)


def _scheduler(running: Stage, arrived: list[Visitor], table: Table) -> None:
    by_process = {visitor.process(): visitor for visitor in arrived}
    said = [visitor.samples_on() for visitor in by_process.values()]
    here = sum("on the Dask cluster" in each for each in said)
    with Client(running.scheduler, timeout=10, set_as_default=False) as client:
        names = client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.clients))
        others = sum(name.startswith("Client-") and name != client.id for name in names)
    good = here == others == 2
    table.add("processes whose long run went to the one scheduler", "2", f"{here} ({others} connected)", good)


def _stickiness(running: Stage, table: Table) -> None:
    found = [visit for name, visit in visits(running.visits).items() if name.startswith("visitor-")]
    requests = sum(sum(visit.kinds.values()) for visit in found)
    kinds = ", ".join(sorted({kind for visit in found for kind in visit.kinds}))
    moved = sum(len(visit.answered) != 1 for visit in found)
    processes = len({answered for visit in found for answered in visit.answered})
    refused = sorted({refusal for visit in found for refusal in visit.refused})
    table.add(f"browsers that another process answered, in {requests:,} requests ({kinds})", "0", f"{moved}", moved == 0)
    table.add("of these requests refused", "none", ", ".join(refused) or "none", not refused)
    table.add("processes that these browsers were spread over", "2", f"{processes}", processes == 2)


def _loss(running: Stage, browser: Browser, table: Table) -> None:
    visitor = arrive(browser, _VISITORS)
    kept, first = visitor.release_and_reload(), visitor.process()
    running.apps["ab".index(first)].end()
    entries, second = visitor.entries_after_loss(), visitor.process()
    table.add("a browser whose process has ended is answered by", "the other", f"{first}, then {second}", first != second)
    table.add("and finds in its ledger", "0 entries: it was in memory", f"{entries} entries", kept and entries == 0)


if __name__ == "__main__":
    sys.exit(main())
