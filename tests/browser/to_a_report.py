"""Steps from a hospital's file to a report of four questions that protects patients: each click and typed field
is counted, and each answer of the report is held against what the file's holder knows without the app."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from pages.declaring.columns import TITLES
from tests.browser import screen
from tests.pages.files.office_files import CAP, OfficeFile

MOST = 20  # presses and typed fields


def questions(file: OfficeFile) -> tuple[str, str, str, str]:
    """Questions in the words of the app."""
    return (
        f"Mean of {file.cost}",
        f"Number of rows, by {file.ward}",
        f"Median of {file.days}",
        f"Share where {file.again} is yes",
    )


class Walk:
    """``steps``: clicks and entries in order. A field is typed into and entered by the keyboard."""

    def __init__(self, page: Page, file: OfficeFile) -> None:
        self.page, self.file, self.steps = page, file, list[str]()

    def bring(self) -> None:
        """Open the page, and upload the file with its format."""
        screen.see_charts(self.page)
        screen.go(self.page, "Your data")
        given: Any = {"name": self.file.name, "mimeType": "", "buffer": self.file.content}
        self.page.locator(".st-key-file input[type=file]").set_input_files(given)
        expect(self.page.get_by_text(self.file.read_as)).to_be_visible()
        screen.settle(self.page)
        self.steps += ["the page Your data", "the file"]

    def declare(self) -> None:
        """Declare codes for unknown values, lines of totals, wards, bounds of costs and days, and the column of patients."""
        file = self.file
        self._type("textbox", "Codes for missing values in every column", file.codes)
        if file.last or file.by:
            self._press("Leave out a totals row, or lines at the end", role="")
        if file.last:
            self._type("spinbutton", "Lines at the end to leave out", str(file.last))
        if file.by:
            self._type("combobox", "Leave out rows by the column", file.by)
        if file.word:
            self._type("textbox", "where that is", file.word)
        self._cell(file.ward, TITLES["categories"], file.listed)
        for column, ends in file.bounds.items():
            self._cell(column, TITLES["lowest"], ends[0])
            self._cell(column, TITLES["highest"], ends[1])
        if file.own_codes[0]:
            self._cell(file.own_codes[0], TITLES["codes"], file.own_codes[1])
        screen.choose(self.page, "Yes")
        self.steps.append("several rows a person")
        if not file.found:
            self._type("combobox", "Which column names the person?", file.whose)

    def ask(self) -> None:
        """The four questions."""
        self._press("Ask questions of it")
        expect(self.page.get_by_role("heading", name="Publish private answers")).to_be_visible()
        screen.settle(self.page)
        for words in questions(self.file):
            self._type("combobox", "Add a question", words)
            expect(self.page.get_by_text(f". {words}", exact=False).first).to_be_visible()
        expect(self.page.get_by_text("Pure DP, ε = 1", exact=True).first).to_be_visible()
        expect(self.page.get_by_text(f"about the {self.file.people:,} people of", exact=False)).to_be_visible()

    def take_away(self, report: Path) -> str:
        """The answers, and the report's words."""
        self._press("Release 4 answers")
        expect(self.page.get_by_text("Together: pure DP, ε = 1")).to_be_visible()
        screen.settle(self.page)
        self.page.locator(".st-key-report button").first.click()
        with self.page.expect_download() as caught:
            self.page.get_by_role("button", name="Download the report").click()
        self.steps += ["Report", "Download the report"]
        caught.value.save_as(report)
        return " ".join(re.sub(r"<[^>]+>", " ", report.read_text(encoding="utf-8")).split())

    def _type(self, role: Any, label: str, value: str) -> None:
        box = self.page.get_by_role(role, name=label, exact=True)
        if role == "combobox":
            screen.unroll(box, value, search=True)
            expect(self.page.get_by_role("option").first).to_have_text(value)
        else:
            box.click()
            box.fill(value)
        box.press("Enter")
        screen.settle(self.page)
        self.steps.append(f"{label}: {value}")

    def _press(self, name: str, role: Any = "button") -> None:
        (self.page.get_by_role(role, name=name) if role else self.page.get_by_text(name)).click()
        screen.settle(self.page)
        self.steps.append(name)

    def _cell(self, column: str, title: str, value: str) -> None:
        screen.fill_cell(self.page, column, title, value)
        self.steps.append(f"{title} of {column}: {value}")


def to_a_report(page: Page, file: OfficeFile, report: Path) -> str:
    """All of it, in few enough steps."""
    walk = Walk(page, file)
    walk.bring()
    walk.declare()
    walk.ask()
    said = walk.take_away(report)
    assert len(walk.steps) <= MOST, walk.steps
    assert all(words in said for words in questions(file))
    assert "One person is protected" in said
    return said


def refuse_misread(said: str, file: OfficeFile) -> None:
    """Each answer of the report lies near what is known without the app: within four ± of noise, beyond which lies one of 160,000
    answers, and 2 % for a cap that counts known values alone. A small ward's count with its noise may lie below nought."""
    capped = f", at most {CAP} rows a person "
    mean, rows, median, share = questions(file)
    _near(said, f"{mean}{capped}", file.mean(lambda stay: stay.cost))
    _near(said, f"{share}{capped}", file.mean(lambda stay: stay.again))
    for ward, stays in file.in_ward.items():
        _near(said.split(f"{rows}{capped}of ")[1], f"{ward} ", stays)
    found = re.search(rf"{re.escape(median)}: ([\d.]+)", said)
    assert found, median
    assert abs(float(found[1]) - file.median_days) <= 2


def _near(said: str, before: str, value: float) -> None:
    found = re.search(rf"{re.escape(before)}([-−]?[\d,.]+)[^\d±]{{0,9}}(?:, so 0[^\d±]{{0,9}})?± ([\d,.]+)", said)
    assert found, (before, said)
    answer, near = (float(text.replace(",", "").replace("−", "-")) for text in found.groups())
    assert abs(answer - value) <= 4 * near + 0.02 * abs(value), (before, answer, near, value)
