"""The log has a bounded number of lines a minute, whatever comes: repeated, different, long, of a logger that came late."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from io import StringIO

import pytest

from pages.server import log_limit

_HOUR = [0.0]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """What two loggers of this test write; the second is made after the log was made quiet. The time stands still."""
    _HOUR[0] = 1_000.0
    monkeypatch.setattr(log_limit.time, "monotonic", lambda: _HOUR[0])
    made, stream = logging.getLogRecordFactory(), StringIO()
    handler = logging.StreamHandler(stream)
    log_limit.quieten()
    log_limit.quieten()
    loggers = [logging.getLogger(f"tests.quiet.{name}") for name in ("a", "b")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.propagate = False
    try:
        yield stream
    finally:
        logging.setLogRecordFactory(made)
        for logger in loggers:
            logger.removeHandler(handler)
            logger.filters.clear()


def _a() -> logging.Logger:
    return logging.getLogger("tests.quiet.a")


def test_a_line_is_not_repeated_a_thousand_times(written: StringIO) -> None:
    for _ in range(1_000):
        _a().error("no more %s", "descriptors")
    _a().error("something else")
    _HOUR[0] += 11
    _a().error("no more %s", "descriptors")
    assert written.getvalue().splitlines() == [
        "no more descriptors",
        "something else",
        "no more descriptors",
        "(999 more of these were left out.)",
    ]


def test_different_lines_of_all_loggers_are_bounded_together_and_what_was_left_out_is_counted(written: StringIO) -> None:
    for number in range(5_000):
        logging.getLogger(f"tests.quiet.{'ab'[number % 2]}").warning(f"a stranger's word {number}")
    assert len(written.getvalue().splitlines()) == log_limit.MOST_LINES
    _HOUR[0] += 61
    _a().warning("a minute later")
    assert written.getvalue().splitlines()[log_limit.MOST_LINES :] == ["a minute later", "(4,800 other messages were left out.)"]


def test_tracebacks_count_by_their_lines_and_say_at_their_end_what_happened(written: StringIO) -> None:
    def deep(number: int) -> None:
        if number:
            deep(number - 1)
        raise ValueError("the reason")

    for number in range(900):
        try:
            deep(number % 300)
        except ValueError:
            _a().exception(f"a run {number}")
    lines = written.getvalue().splitlines()
    assert len(lines) <= log_limit.MOST_LINES + log_limit.MOST_OF_ONE + 1
    assert lines.count("ValueError: the reason") >= 3


def test_a_text_of_a_stranger_is_cut(written: StringIO) -> None:
    _a().warning("said %r", "x" * 10**6)
    _a().warning("%s", "y\n" * 10**6)
    assert len(written.getvalue()) < 20_000
    assert len(written.getvalue().splitlines()) <= log_limit.MOST_OF_ONE + 1


def test_what_is_rare_is_written_as_it_is(written: StringIO) -> None:
    _a().warning("%d of %d", 1, 2)
    assert written.getvalue() == "1 of 2\n"
