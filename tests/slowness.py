"""Which tests `make test` leaves to `make test-slow`, and that no other test takes long. A plugin of pytest.

A test is slow that is marked ``slow``, and so is one in a browser that is not marked ``journey``.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pytest
from _pytest.runner import runtestprotocol

from tests.yardstick import least, loop

MOST_SECONDS = 3.0  # of processor time, on a machine on which a loop of the yardstick takes LOOP seconds or less
LOOP = 1 / 60
_checks = [0.0]  # seconds of this process
_TOO_LONG = "and one without a mark may take"


@pytest.hookimpl(tryfirst=True)  # before -m chooses by what is marked
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("journey"):
            item.add_marker("slow")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Runs a test that took long once more. What is made once, such as a cache or an import, is no test's own time."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if any(report.outcome == "failed" and _TOO_LONG in str(report.longrepr) for report in reports):
        item._initrequest()  # type: ignore[attr-defined]  # fixtures of its own, made anew
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Looks at the time where slow tests are left out. A journey's time is the browser's, so it may take longer."""
    before = _spent() - _checks[0]
    yield
    spent = _spent() - _checks[0] - before
    guarded = item.config.getoption("markexpr") == "not slow" and item.get_closest_marker("journey") is None
    if guarded and spent > MOST_SECONDS and spent > MOST_SECONDS * least(loop) / LOOP:
        pytest.fail(
            f"The test took {spent:.1f} s of processor time twice, {_TOO_LONG} {MOST_SECONDS:g} s. "
            "Make it quicker, or mark it with @pytest.mark.slow.",
            pytrace=False,
        )


@contextmanager
def checks() -> Iterator[None]:
    """What is checked beside every test, as that each figure can be drawn, is no test's own time."""
    before, of_those_within = _spent(), _checks[0]
    yield
    _checks[0] = of_those_within + _spent() - before  # one may stand within another


def _spent() -> float:
    """Seconds of processor time of this process, and of those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
