"""The source of a module, taken apart: what a call needs of it, in the module's own order."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import final


@final
@dataclass(frozen=True, eq=False)
class Source:
    """``imports``: the module's own, by the names that they give. ``parts``: what it defines, by its names, in order."""

    text: str
    imports: dict[str, str] = field(default_factory=dict)
    parts: dict[str, ast.stmt] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Source:
        """That of a module's text."""
        imports, parts = dict[str, str](), dict[str, ast.stmt]()
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom):
                imports |= {one.asname or one.name: _from(node, one) for one in node.names}
            elif isinstance(node, ast.Import):
                imports |= {one.asname or one.name: f"import {_as(one)}" for one in node.names}
            else:
                parts |= dict.fromkeys(_names(node), node)
        return cls(text, imports, parts)

    def needed(self, name: str, but: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The names of the module that one of them needs, itself too, in the module's order; without those ``but``."""
        found, waiting = set[str](), {name}
        while waiting:
            one = waiting.pop()
            found.add(one)
            waiting |= (_used(self.parts[one]) & set(self.parts)) - found - but
        return tuple(name for name in self.parts if name in found - but)

    def lines_of(self, names: tuple[str, ...]) -> str:
        """These as they are written: constants close together, functions two lines apart."""
        text, before = "", None
        for node in dict.fromkeys(self.parts[name] for name in names):
            apart = "" if before is None else "\n" if _short(node) and _short(before) else "\n\n\n"
            text += apart + (ast.get_source_segment(self.text, node) or "")
            before = node
        return text

    def imports_of(self, code: str) -> tuple[str, ...]:
        """The module's imports that this code needs, one a line."""
        used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
        return tuple(dict.fromkeys(line for name, line in self.imports.items() if name in used))


def _from(node: ast.ImportFrom, one: ast.alias) -> str:
    return f"from {node.module} import {_as(one)}"


def _as(one: ast.alias) -> str:
    return one.name if one.asname is None else f"{one.name} as {one.asname}"


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _used(node: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _short(node: ast.stmt) -> bool:
    return not isinstance(node, (ast.FunctionDef, ast.ClassDef))
