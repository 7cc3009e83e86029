"""A hospital's file becomes a report of four questions that protects patients, in twenty steps at most."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.to_a_report import refuse_misread, to_a_report
from tests.pages.files.office_workbooks import english


def test_hospital_file_to_report_takes_twenty_steps(page: Page, tmp_path: Path) -> None:
    refuse_misread(to_a_report(page, english(), tmp_path / "report.html"), english())
