"""A file of a hospital in another language and format, end to end: the totals rows are told by a word in a column.

All six files are read without a browser in ``tests/pages/files/test_office_files.py``, every value that is asked.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.to_a_report import refuse_misread, to_a_report
from tests.pages.files.office_files import polish


@pytest.mark.browser
@pytest.mark.slow
def test_an_office_file_becomes_the_report_of_four_questions(page: Page, tmp_path: Path) -> None:
    file = polish()
    refuse_misread(to_a_report(page, file, tmp_path / "report.html"), file)
