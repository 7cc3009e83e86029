"""The documents tell the truth: what code cites by number is there, what is numbered is cited, and links lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
MATHEMATICS = (DOCS / "mathematics.md").read_text(encoding="utf-8")
CODE = sorted(path for folder in ("dpcore", "pages", "examples") for path in ROOT.glob(f"{folder}/**/*.py"))
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("pages/**/*.md"), *ROOT.glob("data/*.md")])
TESTS = sorted(path for path in ROOT.glob("tests/**/*.py") if path != Path(__file__))

_CITED = re.compile(r"\bmathematics, section (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?", re.IGNORECASE)
_OF_A_PAPER = re.compile(r"\b(?:Theorem|Corollary|Proposition|Lemma|Definition|Example|Algorithm|Table|Figure|equation) \d+")
_HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?)\.? \S", re.MULTILINE)


def flat(text: str) -> str:
    """One line, without the marks of comments where a sentence goes on: a citation may be broken anywhere."""
    return re.sub(r"\s+(?:#:? )?\s*", " ", text)


def cited(text: str) -> Iterator[str]:
    """The numbers that a text cites of the mathematics, in order."""
    for found in _CITED.finditer(flat(text)):
        yield from (number for number in found.groups() if number)


def numbered(text: str) -> list[str]:
    """The numbers of its sections (``4``) and statements (``4.6``)."""
    return _HEADING.findall(text)


def missing(text: str, mathematics: str = MATHEMATICS) -> list[str]:
    """What a text cites and the mathematics does not have."""
    known = set(numbered(mathematics))
    return [number for number in cited(text) if number not in known]


def _read(paths: list[Path]) -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_every_citation_leads_to_a_numbered_section_or_statement() -> None:
    wrong = {name: found for name, text in _read([*CODE, *TEXTS, *TESTS]).items() if (found := missing(text))}
    assert not wrong


@pytest.mark.parametrize(
    "text",
    [
        "(mathematics, section 99)",
        "(mathematics, section 10.99)",
        "# proved (mathematics,\n    # section 77)",
        "Mathematics, section 0: it",
        "(mathematics, section 1.4 and 1.99)",
    ],
)
def test_a_wrong_number_is_found(text: str) -> None:
    assert len(missing(text)) == 1


def test_the_mathematics_is_cited_in_one_form_which_the_test_above_reads() -> None:
    for name, text in _read([*CODE, *TESTS]).items():
        words = re.findall(r"(?<![`/])\bmathematics\b(?!\.md)", flat(text), re.IGNORECASE)
        assert len(words) == len(_CITED.findall(flat(text))), name


def test_every_numbered_section_is_cited_by_code_and_every_statement_by_code_or_by_another_statement() -> None:
    named = {number for text in _read(CODE).values() for number in cited(text)}
    sections = [number for number in numbered(MATHEMATICS) if "." not in number]
    assert sections
    assert [number for number in sections if number not in {of.split(".")[0] for of in named}] == []
    named |= set(re.findall(r"§(\d+\.\d+)", MATHEMATICS)) | {number for text in _read(TESTS).values() for number in cited(text)}
    assert [number for number in numbered(MATHEMATICS) if "." in number and number not in named] == []


def test_its_numbers_are_in_order_and_it_refers_to_what_it_has() -> None:
    places = [tuple(map(int, number.split("."))) for number in numbered(MATHEMATICS)]
    assert places == sorted(set(places))
    assert {place[:1] for place in places} <= set(places)
    assert set(re.findall(r"§(\d+(?:\.\d+)?)", MATHEMATICS)) <= set(numbered(MATHEMATICS))


def test_every_theorem_of_a_paper_that_code_cites_is_stated_there() -> None:
    found = {(match, name) for name, text in _read(CODE).items() for match in _OF_A_PAPER.findall(flat(text))}
    assert found
    assert {(match, name) for match, name in found if not re.search(rf"{match}\b", MATHEMATICS)} == set()


def test_code_cites_no_document_that_is_not_here() -> None:
    for name, text in _read([*CODE, *TESTS]).items():
        assert not re.search(r"\bdesign(?: table|, section|\.md)|\bfindings\.md|\bstyle\.md", flat(text)), name


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_links_of_the_documents_lead_to_files_and_headings(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text(encoding="utf-8")):
        name, _, heading = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        assert file.is_file(), target
        assert not heading or heading in _anchors(file.read_text(encoding="utf-8")), target


def _anchors(text: str) -> set[str]:
    """As GitHub makes them: lower case, without punctuation, hyphens for blanks."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
