"""Checks of the documents: cited sections exist, numbered sections are cited, and links lead somewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import dpcore
from pages.server.routes import NAMES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PROOFS = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("mathematics/*.md"))}
MATHEMATICS = "\n".join(PROOFS.values())
CODE = sorted(path for folder in ("dpcore", "pages", "examples") for path in ROOT.glob(f"{folder}/**/*.py"))
TEXTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("pages/**/*.md"), *ROOT.glob("data/*.md")])
TESTS = sorted(path for path in ROOT.glob("tests/**/*.py") if path != Path(__file__))

_CITED = re.compile(r"\bmathematics, section (\d+(?:\.\d+)?)(?: and (\d+(?:\.\d+)?))?", re.IGNORECASE)
_OF_A_PAPER = re.compile(r"\b(?:Theorem|Corollary|Proposition|Lemma|Definition|Example|Algorithm|Table|Figure|equation) \d+")
_HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?)\.? \S", re.MULTILINE)


def flat(text: str) -> str:
    """Return the text on one line, without comment marks, because a citation may be broken anywhere."""
    return re.sub(r"\s+(?:#:? )?\s*", " ", text)


def cited(text: str) -> Iterator[str]:
    """Yield the section numbers that a text cites, in order."""
    for found in _CITED.finditer(flat(text)):
        yield from (number for number in found.groups() if number)


def numbered(text: str) -> list[str]:
    """Return the numbers of its sections (``4``) and statements (``4.6``)."""
    return _HEADING.findall(text)


def missing(text: str, mathematics: str = MATHEMATICS) -> list[str]:
    """Return the cited numbers that the proofs lack."""
    known = set(numbered(mathematics))
    return [number for number in cited(text) if number not in known]


def _read(paths: list[Path]) -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_every_cited_section_exists() -> None:
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


def test_citations_have_one_form() -> None:
    for name, text in _read([*CODE, *TESTS]).items():
        words = re.findall(r"(?<![`/])\bmathematics\b(?!/)", flat(text), re.IGNORECASE)
        assert len(words) == len(_CITED.findall(flat(text))), name


def test_every_section_is_cited() -> None:
    named = {number for text in _read(CODE).values() for number in cited(text)}
    sections = [number for number in numbered(MATHEMATICS) if "." not in number]
    assert sections
    assert [number for number in sections if number not in {of.split(".")[0] for of in named}] == []
    named |= set(re.findall(r"§(\d+\.\d+)", MATHEMATICS)) | {number for text in _read(TESTS).values() for number in cited(text)}
    assert [number for number in numbered(MATHEMATICS) if "." in number and number not in named] == []


def test_section_numbers_are_unique_and_in_order() -> None:
    places = {name: [tuple(map(int, number.split("."))) for number in numbered(text)] for name, text in PROOFS.items()}
    assert all(of_file == sorted(of_file) for of_file in places.values())
    every = [place for of_file in places.values() for place in of_file]
    assert len(every) == len(set(every))
    assert {place[:1] for place in every} <= set(every)
    assert set(re.findall(r"§(\d+(?:\.\d+)?)", MATHEMATICS)) <= set(numbered(MATHEMATICS))


def test_index_links_every_number_to_its_heading() -> None:
    led = re.findall(r"\[(\d+(?:\.\d+)?)\]\(([\w-]+\.md)#([^)]+)\)", PROOFS["index.md"])
    assert sorted(number for number, _, _ in led) == sorted(numbered(MATHEMATICS))
    assert [(number, name) for number, name, _ in led if number not in numbered(PROOFS[name])] == []
    assert [number for number, _, heading in led if not heading.startswith(f"{number.replace('.', '')}-")] == []


def statements() -> dict[str, str]:
    """Return each numbered statement, and each section without statements, by its number."""
    parts = {}
    for text in PROOFS.values():
        for section in re.split(r"^(?=#{2,3} )", text, flags=re.MULTILINE):
            for number in numbered(section):
                if "." in number or "**Statement" in section:
                    parts[number] = section
    return parts


def test_each_statement_has_its_four_parts() -> None:
    for number, text in statements().items():
        parts = re.findall(r"^\*\*(Statement|Assumptions|Proof|Code)[^*]*\*\*", text, re.MULTILINE)
        assert parts == ["Statement", "Assumptions", "Proof", "Code"], number


def test_code_that_a_statement_names_exists() -> None:
    for number, text in statements().items():
        named = re.findall(r"`([\w/]+\.py)(?:::([\w.]+))?`", text.split("**Code.**")[1])
        assert named, number
        for path, name in named:
            assert (ROOT / path).is_file(), (number, path)
            assert not name or re.search(rf"\b{name.split('.')[-1]}\b", (ROOT / path).read_text(encoding="utf-8")), (number, name)


def test_cited_theorems_of_papers_are_listed() -> None:
    found = {(match, name) for name, text in _read(CODE).items() for match in _OF_A_PAPER.findall(flat(text))}
    assert found
    assert {(match, name) for match, name in found if not re.search(rf"{match}\b", MATHEMATICS)} == set()


def test_code_cites_no_document_that_is_not_here() -> None:
    for name, text in _read([*CODE, *TESTS]).items():
        assert not re.search(r"\bdesign(?: table|, section|\.md)|\bfindings\.md|\bstyle\.md", flat(text)), name


@pytest.mark.parametrize("path", sorted(DOCS.glob("**/*.md")), ids=lambda path: path.relative_to(DOCS).as_posix())
def test_links_lead_to_files_and_headings(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", path.read_text(encoding="utf-8")):
        name, _, heading = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        assert file.is_file(), target
        assert not heading or heading in _anchors(file.read_text(encoding="utf-8")), target


def test_api_reference_has_every_public_name() -> None:
    listed = re.findall(r"^::: (\S+)", "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("api/*.md")), re.MULTILINE)
    packages = {"curves": dpcore.curves, "oracles": dpcore.oracles, "targets": dpcore.targets}
    named = {f"dpcore.{name}" for name in dpcore.__all__ if name not in {*packages, "mechanisms", "L1", "L2", "LINF", "RANGE"}}
    members = {f"dpcore.{package}.{name}" for package, module in packages.items() for name in module.__all__}
    assert named - {"dpcore.Query", "dpcore.SampleAndAggregate"} | members <= set(listed)


def _anchors(text: str) -> set[str]:
    """Return anchors as GitHub makes them: lower case, without punctuation, hyphens for blanks."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("name", PROOFS)
def test_links_of_proofs_lead_to_served_documents(name: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", PROOFS[name]):
        assert posixpath.normpath(f"mathematics/{target}") in NAMES, target
