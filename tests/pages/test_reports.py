"""Reports: complete for a reader who has nothing else, and silent about a confidential table."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from dpcore.base.rounded import rows, widened
from dpcore.errors import InvalidValueError
from pages import state
from pages.old.reports.document import Address, Report, Section, Table, Text
from pages.old.reports.html import html as written
from pages.old.shared.escape import escaped, unmarked
from tests.pages.test_list import _begun
from tests.pages.visit import book, confidential, declare, go, link, opened, press, released, sampled, sound, upload, use, visit

Files = list[tuple[str, str]]
_HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=y>",
    "**bold** [a](http://x.y)",
    "\"&quot;' {{ 7*7 }} {% raw %}",
    "</title></style>",
)


class _Page(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def pictures(self) -> int:
        """How many drawings there are that say what they show."""
        return sum(given.get("role") == "img" for given in self.named("svg"))

    def named(self, *names: str) -> list[dict[str, str | None]]:
        return [given for tag, given in self.elements if tag in names]


def report(files: Files, app: Any) -> str:
    """The report that the box of the page offers."""
    files.clear()
    opened(app, "report" if any(button.key in ("release", "release") for button in app.button) else "link")
    return dict(files)["report_file"]


def prose(text: str) -> str:
    return " ".join(_Page(text).text.split())


def test_the_report_of_one_release_answers_ten_questions_of_a_reader(files: Files) -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 30) for i in range(300))
    app = released(sampled(go(confidential(content, 0, 60), "release")))
    entry = book(app).entries[-1]
    said = prose(report(files, app))
    ((_, number, near),) = rows(entry.about.answer, entry.release.response, entry.near[0])
    for part in (
        "Asked: Mean of income.",  # what was asked
        f"{number} {near}".replace("\u00a0", " "),  # the answer, and its ±
        "Yes, together with the guarantee below.",  # may it be published
        "Unusual rows are not protected: those unlike the rows of the made-up tables.",  # who is not
        "Only the known values of income counted. No row was left out.",  # missing values
        "It was not said what one row of the table is. It was not said whether one person can have several rows.",
        "All answers in this ledger together have spent ε = 1, γ = 0.05. No budget was set for this table",  # spent and left
        "No. Random noise was added on purpose",  # is it exact
        "Whoever made this release chose it, by keeping the one that the app proposes",  # who chose the oracle
        "A copy of this report costs nothing",
        "Print this line beside it: “With random noise, under random differential privacy, ε = 1, γ = 0.05, for one row. "
        "Differential privacy protects every change, and this is weaker.”",
        "makes new noise, and spends another ε = 1. Noise sized by trials is not offered for it any more, because these answers "
        "may have led to it.",
    ):
        assert part in said, part


def test_a_list_has_each_question_with_its_answer_and_a_chart(files: Files) -> None:
    app = press(_begun(), "release")
    entries = book(app).entries
    text = report(files, app)
    said, page = prose(text), _Page(text)
    assert len(entries) == 3
    for place, entry in enumerate(entries, 1):
        assert f"{place}. {entry.about.question}" in said
    assert page.pictures == 3
    for entry, unit in zip(entries[:2], ("kg/m²", "years"), strict=True):
        assert f"by no more than {widened(entry.near[0][0])} {unit}." in said
    shares = entries[2].near
    for near in (*shares[0], *shares[1]):  # of each share of the histogram alone, and of all at once
        assert f"± {widened(near)}" in said
    assert "All answers in this ledger together have spent ε = 1, γ = 0.05." in said
    assert "asking the same questions once more" in said
    assert len(text) < 1_500_000


def test_it_loads_and_runs_nothing_and_its_policy_says_so(files: Files) -> None:
    text = report(files, press(_begun(), "release"))
    page = _Page(text)
    policy = next(given["content"] for given in page.named("meta") if given.get("http-equiv") == "Content-Security-Policy")
    assert re.fullmatch(r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='", str(policy))
    assert not page.named("script", "iframe", "object", "embed", "img", "link", "form", "base")
    assert "url(" not in text
    assert "@import" not in text
    assert not [
        name for _, given in page.elements for name in given if name.startswith("on") or name in ("src", "style", "srcdoc")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("hostile", _HOSTILE)
def test_names_with_markup_are_text_in_every_place(files: Files, hostile: str) -> None:
    quoted = '"' + hostile.replace('"', '""') + '"'
    content = f"{quoted},ward\n" + "\n".join(f"{i},{hostile[:12] if i % 2 else 'B'}" for i in range(40))
    plain = _Page(report(files, released(link("release")))).elements
    app = upload(visit(), f"{hostile.replace('/', '')}.csv", content.encode())
    name = next(column for column in app.session_state["draft"].values if column != "ward")
    app = use(declare(app, name, 0, 50, unit=hostile[:20], label=hostile))
    app = released(go(app, "release"))
    sound(app.text_input(key="report_who").set_value(hostile).run()) if "report_who" in app.session_state else None
    app.session_state["report_who"] = hostile
    text = report(files, app)
    assert {tag for tag, _ in _Page(text).elements} <= {tag for tag, _ in plain} | {"p", "li", "ul", "circle", "rect"}
    assert html.escape(name.strip(), quote=False).split()[0] in text.replace("&#34;", '"').replace("&#39;", "'")


def sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def odd(count: int) -> list[str]:
    return [f"{value:.4f}" for value in np.random.default_rng(17).uniform(1_000, 9_000, count)]


def forms(value: str) -> Iterator[str]:
    yield value
    yield f"{float(value):,.4f}"
    yield repr(float(value))


def test_nothing_of_a_confidential_table_is_in_a_report(files: Files) -> None:
    patterns = odd(500)
    app = confidential(("income\n" + "\n".join(patterns)).encode(), 0, 10_000)
    app = released(go(app, "release"))
    text = report(files, app)
    table = {**state.catalog(), **app.session_state["uploads"]}[app.session_state["scenario"].table]
    mean = float(np.mean([float(value) for value in patterns]))
    secret = [form for value in [*patterns, f"{mean:.4f}"] for form in forms(value)] + [
        f"{mean:,.6g}",
        *table.told_by,
        table.digest,
    ]
    assert not [form for form in secret if form in text]


def test_a_failed_release_has_a_report_that_says_so_and_does_not_tell_why(files: Files) -> None:
    zero = {"target": {"kind": "Proportion", "category": 7.0}, "gamma": 0.1}  # no record of the oracle is exactly 7
    app = press(sampled(link("release", **zero)), "release")
    said = prose(report(files, app))
    assert "There is no answer. The attempt failed" in said
    assert "There is no answer" in said
    assert book(app).entries[-1].problem not in said


def test_what_is_left_of_a_budget_is_said_and_that_it_was_exceeded(files: Files) -> None:
    app = link("release")
    alias = next(one.key for one in app.number_input if one.key.startswith("budget_epsilon_"))
    sound(app.number_input(key=alias).set_value(3.0).run())
    sound(app.number_input(key=alias.replace("epsilon", "gamma")).set_value(0.2).run())
    app = released(app)
    assert "The budget is ε = 3, γ = 0.2. Of it ε = 2, γ = 0.15 are left." in prose(report(files, app))
    sound(app.number_input(key=alias).set_value(0.5).run())
    assert "More was spent than the budget allows (ε)" in prose(report(files, app))


@pytest.mark.slow
def test_people_gives_a_report_of_what_it_shows(files: Files) -> None:
    people = report(files, visit("people"))
    assert _Page(people).pictures == 3
    assert "no release: nothing private was published, and nothing was spent" in prose(people)


def test_plain_text_of_a_page_is_what_was_escaped() -> None:
    for text in (*_HOSTILE, "a_b * c", "1. first", ":smile: www.x.y a@b.c -> <-", "\\", "**", "#"):
        assert unmarked(escaped(text)) == " ".join(text.split())
    assert unmarked("**Pure DP**, (:material/lock: **uses it**) :small[a \\] b]") == "Pure DP, (uses it) a ] b"


def test_a_row_and_an_address_check_themselves() -> None:
    with pytest.raises(InvalidValueError) as row:
        Table(("a", "b"), (("1",),), "x")
    assert row.value.got == 1
    for bad in ("javascript:alert(1)", "", "data:text/html,x", "//x.y"):
        with pytest.raises(InvalidValueError):
            Address("x", bad)


def test_the_policy_allows_the_style_that_is_there() -> None:
    text = written(Report("t", "a", (Section("s", (Text("said"),)),), "m"))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    assert sha256(style[1]) in text
