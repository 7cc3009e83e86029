"""The label of what was published, or would be: its numbers are the guarantee's own, and it never looks like more than it is."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.guarantees.unit import Unit
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.targets import Mean
from pages.charts.label import Label
from pages.files.tables import Table
from pages.reports.html import label_html
from pages.shared.counted_odds import guessed_in_100
from pages.shared.labels import together
from pages.shared.labels.around import NOT_STATED, Told
from pages.shared.labels.example import EXAMPLE
from pages.shared.labels.promised import Promised, named
from pages.shared.labels.published import of_answer
from pages.state import ledger
from pages.state.book import CLOSED, LOOKED, Book
from pages.state.release_entry import Entry
from tests.pages.test_book import _pressed, _scenario, _table
from tests.pages.test_confidential import CSV, TRACES
from tests.pages.visit import confidential, go, link, opened, press, released, sampled, sound, text, visit

Files = list[tuple[str, str]]
TEXT = "{http://www.w3.org/2000/svg}text"
WEAK, STRONG = RandomDP(0.1 + 0.2, 1e-6, 0.0123456789), PureDP(0.123456789)
_NUMBER = re.compile(r"(ε|δ|γ) = ([\d.e-]*\d)")


_ROW = Unit()


def _said(label: Label | None) -> str:
    assert label is not None
    return label.alt


def _joined(svg: str) -> str:
    return "".join("".join(one.itertext()) for one in fromstring(svg).iter(TEXT)).replace(" ", "")


def _promised(guarantee: Guarantee, unit: Unit = _ROW, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD) -> str:
    promised = Promised(
        guarantee=guarantee, adjacency=adjacency, unit=unit, oracles=("uniform, lowest 0, highest 1",), came="By hand."
    )
    return Label("", promised.parts()).alt


def _book(*targets: Any) -> tuple[Book, Table]:
    """A book with a release of each of these targets, with noise that trials sized."""
    book, table = Book(), _table(1)
    for number, target in enumerate(targets):
        _pressed(book, f"press {number}", _scenario(target), table)
    assert all(entry.release is not None for entry in book.entries), [entry.problem for entry in book.entries]
    return book, table


@pytest.mark.parametrize("guarantee", [WEAK, STRONG, ApproxDP(1.23456789, 1e-9), RandomDP(20, 0, 0.5, 0.951)], ids=str)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_every_number_of_a_promise_is_its_own_and_promises_no_more(guarantee: Guarantee, adjacency: Adjacency) -> None:
    said = _promised(guarantee, adjacency=adjacency)
    own = {"ε": guarantee.epsilon, "δ": getattr(guarantee, "delta", 0.0), "γ": getattr(guarantee, "gamma", 0.0)}
    found = [(name, float(value)) for name, value in _NUMBER.findall(said) if value != "0"]
    assert {name for name, _ in found} == {name for name, value in own.items() if value}
    for name, value in found:
        assert own[name] * (1 - 1e-12) <= value <= own[name] * (1 + 1e-5)
    assert words.guess(guarantee).removeprefix("a") in said
    assert words.protected(Unit(), guarantee, adjacency) in said
    (right,) = (part.right for part in Promised(guarantee=guarantee, adjacency=adjacency, unit=Unit()).parts() if part.right)
    assert right == guessed_in_100(guarantee) >= 100 / (1 + 2.718281828**-guarantee.epsilon) - 1e-6


def test_a_rounded_number_of_a_promise_is_no_less() -> None:
    assert [words.no_less(value) for value in (0.05, 1.23456789, 1e-05, 0.30000000000000004, 20.0)] == [
        "0.05",
        "1.23457",
        "1e-05",
        "0.3",
        "20",
    ]
    assert named(RandomDP(1, 0, 0.1, 0.9519)) == "random DP, ε = 1, γ = 0.1 with confidence 95.19 %"


def _refuse_bare(said: str) -> None:
    """AssertionError where differential privacy is named and no word beside it says that it is the weaker one that holds."""
    for sentence in re.split(r"(?<=[.?!])\s", said):
        if "ifferential privacy" in sentence:
            assert "Random differential privacy" in sentence
            assert "weaker" in sentence


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("confidence", [None, 0.95])
def test_random_dp_is_never_called_differential_privacy_alone(adjacency: Adjacency, confidence: float | None) -> None:
    guarantee = RandomDP(1, 0, 0.05, confidence)
    said = _promised(guarantee, adjacency=adjacency)
    assert "ifferential privacy" in said
    _refuse_bare(said)
    who = words.counted_in(adjacency)
    assert f"Unusual {who} are not protected" in said
    assert words.left_out(guarantee) in said
    assert "Where it is not protected, nothing limits the guess." in said
    assert f"Nothing is promised for several {who} together" in said
    assert f"Whoever published this assumes that real {who} differ no more than made-up ones. These come from: uniform" in said
    assert ("with confidence 95 %" in said) == (confidence is not None)


def test_the_stronger_promise_rests_on_no_assumption() -> None:
    said = _promised(PureDP(1))
    assert "Differential privacy: for every row, whatever the table." in said
    assert "No assumption about the data" in said
    for weaker in ("andom", "γ", "assumes", "nusual", "made-up", "weaker"):
        assert weaker not in said


def test_rows_that_are_about_nobody_are_nobodys() -> None:
    said = _promised(PureDP(1), Unit("loan", None, True))
    assert "about one row" in said
    assert not re.search(r"\byou(r)?\b(?! trust)", said.replace("You trust", ""))


def test_one_answer_says_its_question_its_number_and_what_the_ledger_knows() -> None:
    book, _ = _book(Mean((0.0, 1.0)))
    (entry,) = book.entries
    label = of_answer(book, entry, Told("The office, room 12", "2020 to 2024"))
    said = _said(label)
    assert entry.about.question in said
    assert entry.about.answer.parts(entry.release.response)[0][1][:4] in said
    for part in (
        "confidential table of 40 rows: t.csv",
        "Period of the data: 2020 to 2024.",
        "Whom to ask? The office, room 12.",
    ):
        assert part in said
    assert f"dated {entry.made} by its holder" in said
    assert "This ledger knows of no other answer about this table." in said
    assert NOT_STATED in _said(of_answer(book, entry, Told()))
    _refuse_bare(said)


def test_several_answers_of_one_ledger_are_counted_with_their_total() -> None:
    book, table = _book(Mean((0.0, 1.0)))
    _pressed(book, "more", _scenario(Mean((0.0, 1.0))), table, worst_case=True)
    (one,) = book.ledgers.values()
    total = one.total()
    assert isinstance(total, RandomDP)
    alone, whole = _said(of_answer(book, book.entries[0], Told())), _said(together.of_ledger(book, table, Told()))
    assert (
        f"knows of 2 answers about this table. All together: {named(total)}, and a guess is right {words.guess(total)}" in alone
    )
    assert "The 2 answers about one table" in whole
    assert f"Where protected: {words.guess(total)}" in whole
    assert f"ε = {words.no_less(total.epsilon)}" in whole
    assert f"γ = {words.no_less(total.gamma)}" in whole


def test_no_label_without_a_guarantee() -> None:
    book, table = _book(Mean((0.0, 1.0)))
    book.entries[0] = replace(book.entries[0], caveats=(CLOSED,))
    book.closed.add(table.digest)
    assert of_answer(book, book.entries[0], Told()) is None
    assert together.of_ledger(book, table, Told()) is None
    assert together.of_ledger(Book(), table, Told()) is None


def test_what_no_guarantee_covers_stands_in_the_colour_that_warns() -> None:
    book, table = _book(Mean((0.0, 1.0)))
    entry = replace(book.entries[0], caveats=(LOOKED,), incomplete="This ledger was loaded from a file.")
    book.entries[:] = [entry]
    book.files[table.digest] = "2026-01-02"
    for label in (of_answer(book, entry, Told()), together.of_ledger(book, table, Told())):
        assert label is not None
        assert LOOKED in [one.said for part in label.parts for one in part.words if one.look.value == "care"]
        assert "This ledger came from a file, which may not be all." in label.alt


def test_the_html_says_all_of_it_as_text_and_runs_nothing() -> None:
    book, _ = _book(Mean((0.0, 1.0)))
    entry = book.entries[0]
    entry = replace(entry, about=replace(entry.about, table="<script>alert(1)</script> \u202e"))
    label = of_answer(book, entry, Told("<img src=x>", ""))
    assert label is not None
    written = label_html(label)
    assert not re.search(r"<(script|img)", written)
    assert "default-src 'none'; style-src 'sha256-" in written
    bare = " ".join(unescape(re.sub(r"<[^>]+>", " ", written.partition("<main")[2])).split())
    for one in label.said:
        assert one in bare, one


@pytest.mark.parametrize("many", [1, 12])
def test_an_answer_of_many_numbers_names_the_first_of_them(many: int, files: Files) -> None:
    app = link(target={"kind": "Histogram", "edges": [i / 2 for i in range(many + 1)]}, epsilon=2)
    label = _taken(released(sampled(go(app, "release"))), files)
    assert (f"and{many - 2}numbersmore" in label) == (many > 2)


# On the pages.


def _taken(app: Any, files: Files, which: str = "") -> str:
    """The label of the last answer on Release, or of all of them."""
    key = which or ledger._book(app.session_state["tab"]).entries[-1].ticket
    opened(app, f"label_{key}")
    return _joined(dict(files)[f"svg_label_{key}"])


def test_release_offers_a_label_of_an_answer_and_of_all_of_them(files: Files, download_names: list[str]) -> None:
    app = released(sampled(go(confidential(CSV, 0, 10_000), "release")))
    assert "label_all" not in app.session_state, "one answer has its own label"
    released(press(app, "another"))
    entry: Entry = ledger._book(app.session_state["tab"]).entries[-1]
    one = _taken(app, files)
    sound(app.text_input(key=f"label_whom_{entry.ticket}").set_value("Room 12").run())
    assert "Whomtoask?Room12" in _joined(dict(files)[f"svg_label_{entry.ticket}"])
    assert "Whomtoask?notstated" in one
    whole = _taken(app, files, "all")
    assert "Whomtoask?Room12" in whole, "what its holder said stands on every label"
    assert {"privacy-facts.svg", "privacy-facts.html"} <= set(download_names)
    for label in (one, whole, dict(files)["html_label_all"]):
        assert not any(canary in label for canary in TRACES)
        assert EXAMPLE not in label


def _example(app: Any, files: Files) -> str:
    opened(app, "shown_as")
    return _joined(dict(files)["svg_label_shown"])


def test_on_explore_it_says_across_itself_that_nothing_was_published(files: Files, download_names: list[str]) -> None:
    label = _example(visit(), files)
    assert label.count(EXAMPLE.replace(" ", "")) == 2
    assert "Whatwouldbepublished?MeanofTimetodefault±0.0195years" in label
    assert words.guess(RandomDP(1, 0, 0.05)).replace(" ", "") in label
    assert "example-privacy-facts.svg" in download_names
    assert EXAMPLE in dict(files)["html_label_shown"]


def test_on_explore_no_number_of_a_confidential_table_is_in_it(files: Files) -> None:
    app = confidential(CSV, 0, 10_000)
    before = _example(app, files)
    sound(app.toggle(key="compare").set_value(True).run())
    assert _example(app, files) == before
    assert not any(canary in before for canary in TRACES)


def test_on_explore_there_is_none_without_a_guarantee(monkeypatch: pytest.MonkeyPatch, files: Files) -> None:
    monkeypatch.setattr(LaplaceLaw, "sampling", None)
    app = opened(visit(), "shown_as")
    assert "There is no label: no guarantee would cover this answer." in text(app)
    assert not any("label" in key for key, _ in files)
