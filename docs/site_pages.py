"""MkDocs hook: pages of the site that are files at the top of the repository, and links to them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).parents[1]
_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "tests/benchmarks/results.md": "results.md",
    "tests/stranger/files/discrete_laplace.py": "discrete_laplace.py",
}


def on_files(files: Files, config: Any) -> Files:
    """Add the pages. Their links lead from the top of the repository, those of the site from the folder docs."""
    for path, name in _PAGES.items():
        text = (_ROOT / path).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=_linked(text, "")))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Lead links of documents out of the folder docs to the pages."""
    return _linked(markdown, "../")


def _linked(text: str, up: str) -> str:
    for path, name in _PAGES.items():
        text = text.replace(f"]({up}{path}", f"]({name}")
    return text
