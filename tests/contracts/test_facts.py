"""What a member says of itself is asked in one place: no other file looks for one of these by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpcore.base.facts import Facts, facts

ROOT = Path(__file__).parents[2]
NAMES = {name for name in vars(Facts) if not name.startswith("_")} - {"member"}
FOUND_BY_NAME = {  # the record itself, modules of a folder, and what a platform or another library may lack
    "dpcore/base/facts.py",
    "dpcore/local_pool.py",
    "pages/learn/found.py",
    "pages/server/page_list.py",
    "pages/server/startup.py",
    "pages/shared/member_errors.py",
    "pages/state/long_release.py",
}


def _probed(source: str) -> Iterator[str]:
    """The names that are asked for by a text of the source itself."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr")):
            continue
        name = node.args[1]
        if isinstance(name, ast.Constant):
            if not str(name.value).startswith("__"):
                yield str(name.value)
        elif node.func.id == "hasattr" or len(node.args) > 2:  # by a name that stands elsewhere, and may be missing
            yield ast.unparse(name)


@pytest.mark.slow
def test_no_file_asks_by_a_name_of_its_own() -> None:
    files = {path.relative_to(ROOT).as_posix(): path for folder in ("dpcore", "pages") for path in (ROOT / folder).rglob("*.py")}
    probed = {name: sorted(set(_probed(path.read_text(encoding="utf-8")))) for name, path in files.items()}
    assert {name: found for name, found in probed.items() if found and name not in FOUND_BY_NAME} == {}
    assert not {name: found for name in FOUND_BY_NAME if (found := NAMES & set(probed[name]))}
    assert all(probed[name] for name in FOUND_BY_NAME), "one of these asks nothing by name: take it out"
    probing = "getattr(target, 'lost', None)\nhasattr(law, 'on')\nhasattr(part, LARGEST)\ngetattr(one, field.name)"
    assert list(_probed(probing)) == ["lost", "on", "LARGEST"]


def test_a_member_that_says_nothing_has_the_defaults_and_one_that_says_something_has_that() -> None:
    class Own:
        takes_missing = True

        def seconds(self, n: int) -> float:
            return float(n)

    said = facts(Own())
    assert said.takes_missing
    assert said.seconds(3) == 3.0
    assert (said.takes_codes, said.candidates, said.relative_resolution, said.lost) == (False, (), 1e-7, None)
    assert facts(Own).takes_missing  # of a class
