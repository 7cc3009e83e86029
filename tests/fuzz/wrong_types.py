"""Wrong types, one at a time: each node of a link, its list and pins, and of a ledger's file becomes a value of
another kind, and nothing but sentences comes of it.

    python -m tests.fuzz.wrong_types            # each is read as the app reads it, and what was read is written and read again
    python -m tests.fuzz.wrong_types --redraw   # what was read otherwise than as it stood is drawn on Explore and People too

Nothing here is drawn by chance: the same documents give the same cases.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import logging
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dpcore.errors import TableError
from tests.fuzz.documents import Tree, files, links, table
from tests.fuzz.links import alone, listed, redrawn

_WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    2.5,
    1e308,
    10**400,
    "",
    "x",
    [],
    {},
    [[]],
    [{}],
    {"": {}},
    {"a": 1},
    [None],
    {"kind": "Mean"},
    {"kind": ["Mean"]},
    {"kind": {}},
    "\ud800",
)
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A document with another value at one place."""

    document: str
    path: Path
    tree: Tree

    def __str__(self) -> str:
        value = self.tree
        for step in self.path:
            value = value[step]
        return f"{self.document}, {'.'.join(map(str, self.path))} = {str(value)[:40]}"


def cases(document: str, tree: Tree) -> Iterator[Case]:
    """Every node of the document as every wrong value, left out, and where it is a list or an object, within the other one."""
    for path, node in _nodes(tree, ()):
        wrong = [*_WRONG, [node], {"kind": node}]
        wrong += (
            [list(node)] if isinstance(node, dict) else [dict.fromkeys("ab", node)] if isinstance(node, list) else [str(node)]
        )
        for value in wrong:
            yield Case(document, path, _with(tree, path, value))


def _nodes(node: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, child in inside:
        yield (*path, step), child
        yield from _nodes(child, (*path, step))


def _with(tree: Tree, path: Path, value: Any) -> Tree:
    made: Any = copy.deepcopy(tree)
    holder = made
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = value
    return made


def of_link(case: Case) -> dict[str, str] | None:
    """Read as an address is, written and read again. What it shows, where that is not what a whole link does; None else."""
    from pages import state
    from pages.old.state import pinned_link
    from pages.old.state.link import PLAIN, from_query, to_query

    query = {"v": "1"} | {
        name: value if name in PLAIN and isinstance(value, str) else _json(value) for name, value in case.tree.items()
    }
    own = {name: value for name, value in query.items() if name not in ("pins", "list")}
    shown, said = from_query(own, state.catalog(), state.example())
    pins, refused = pinned_link.read(query, shown, state.catalog(), state.example())
    _sentences([*said, *refused, *listed(query, shown)])
    again = to_query(shown)
    for one in (shown, *pins.values()):
        written = to_query(one)
        read, none = from_query(written, state.catalog(), state.example())
        assert (to_query(read), none) == (written, []), written
    return None if not said and case.path[0] in ("pins", "list") else again


def of_file(case: Case) -> None:
    """Read, and loaded into the empty ledger of its table."""
    from pages.old.state import ledger_file
    from pages.old.state.book import Book

    try:
        found = ledger_file.read(_json(case.tree).encode(errors="surrogatepass"))
    except TableError as error:
        _sentences([f"{error.problem} {error.remedy}"])
        return
    book, asked = Book(), table()
    if refused := ledger_file.load(book, asked, found):
        _sentences([refused])
        return
    assert book.ledger(asked).sampling_ended_by
    total = book.total(asked.digest)
    assert total is None or total.epsilon >= 0


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def _sentences(said: Any) -> None:
    for sentence in said:
        assert 0 < len(sentence) < 1_500, sentence
        assert sentence.rstrip().endswith("."), sentence


Reader = Callable[[Case], Any]
KINDS: tuple[tuple[Callable[[], dict[str, Tree]], Reader], ...] = (
    (links, of_link),
    (files, of_file),
)


def every() -> Iterator[tuple[Case, Reader]]:
    """Every case of every document, and what reads it."""
    for documents, reader in KINDS:
        for name, tree in documents().items():
            yield from ((case, reader) for case in cases(name, tree))


def complaint(case: Case, reader: Reader) -> str:
    """What is wrong with how it was taken; empty where it was read or refused in sentences."""
    try:
        reader(case)
    except Exception:
        return f"{case}\n{traceback.format_exc(limit=-4)}"
    return ""


def main() -> int:
    """How many were not taken as they should be."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--redraw", action="store_true", help="draw what was read")
    asked.add_argument("--one-in", type=int, default=1, help="of all cases")
    given = asked.parse_args()
    logging.disable(logging.CRITICAL)
    alone()
    found, count = [], 0
    for case, reader in itertools.islice(every(), 0, None, given.one_in):
        count += 1
        said = complaint(case, reader)
        found += [said] if said else []
    drawn, broken = _redrawn() if given.redraw else (0, [])
    for one in [*found, *broken][:20]:
        print(f"{one}\n")
    print(f"{count:,} cases: {len(found)} were not taken as they should be; {drawn:,} were drawn, {len(broken)} of them broke.")
    return len(found) + len(broken)


def _redrawn() -> tuple[int, list[str]]:
    seen, broken = set[str](), []
    for name, tree in links().items():
        for case in cases(name, tree):
            shown = of_link(case)
            key = json.dumps(shown, sort_keys=True)
            if shown is None or key in seen:
                continue
            seen.add(key)
            try:
                redrawn(shown)
            except Exception:
                broken.append(f"{case}\n{traceback.format_exc(limit=-4)}")
    return len(seen), broken


if __name__ == "__main__":
    sys.exit(min(main(), 1))
