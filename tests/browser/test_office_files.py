"""Five more files of hospitals, in other languages and formats, end to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.to_a_report import refuse_misread, to_a_report
from tests.pages.files.office_files import OfficeFile
from tests.pages.files.office_workbooks import OFFICES


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("make", OFFICES, ids=lambda make: make.__name__)
def test_an_office_file_becomes_the_report_of_four_questions(make: Callable[[], OfficeFile], page: Page, tmp_path: Path) -> None:
    file = make()
    refuse_misread(to_a_report(page, file, tmp_path / "report.html"), file)
