"""The server's log says where an error was raised, and never its message, which can quote a value."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from pages.server.logs import leave_out_messages


@pytest.fixture
def _left_out() -> Iterator[None]:
    before = logging.getLogRecordFactory()
    leave_out_messages()
    yield
    logging.setLogRecordFactory(before)


def _fail(word: str) -> None:
    try:
        float(word)
    except ValueError as error:
        raise KeyError(word) from error


@pytest.mark.usefixtures("_left_out")
def test_a_logged_error_has_its_place_and_no_message(caplog: pytest.LogCaptureFixture) -> None:
    leave_out_messages()  # a second call changes nothing
    try:
        _fail("zwie" + "back")
    except KeyError:
        logging.getLogger("streamlit.error_util").exception("Uncaught app execution")
    assert "zwieback" not in caplog.text
    assert "Uncaught app execution" in caplog.text
    assert "in _fail" in caplog.text
    assert caplog.text.index("ValueError (message left out)") < caplog.text.index("KeyError (message left out)")
    assert all(record.exc_info is None for record in caplog.records)
