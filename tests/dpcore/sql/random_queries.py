"""Random queries whose names are easily confused: aliases, tables and columns that share names, joins, stars, and groups."""

from __future__ import annotations

import random

NUMBERS, TEXTS = ("cost", "age", "d", "Total", "a b"), ("ward", "note")
_SOURCES = (  # a source, and the tables that it has
    ("data", "data"),
    ("data", "data"),
    ("data AS d", "d"),
    ("data AS cost", "cost"),
    ("data Total(age)", "Total"),
    ("data x(x, cost, age)", "x"),
    ("({inner}) AS s", "s"),
    ("({inner}) AS s(age, cost)", "s"),
    ("data d, data e", "d e"),
    ("data d JOIN data e USING ({name})", "d e"),
    ("data d LEFT JOIN data e ON d.cost = e.age", "d e"),
    ("data d NATURAL JOIN ({inner}) e", "d e"),
    ("data d, (VALUES (1, 2), (3, 4)) AS v(k, age)", "d v"),
    ("data d, LATERAL (SELECT d.age + 1 AS k) v", "d v"),
    ("(WITH w(cost, age) AS ({inner}) SELECT * FROM w) AS w", "w"),
    ("(WITH data AS ({inner}) FROM data) AS data", "data"),
)
_INNER = (
    "SELECT {name}, {name} AS cost FROM data",
    "FROM data",
    "SELECT * EXCLUDE (age) FROM data",
    "SELECT * REPLACE (cost * 2 AS age) FROM data",
    "SELECT * RENAME (age AS cost2) FROM data",
    "SELECT cost, age FROM data UNION ALL SELECT age, cost FROM data",
    "SELECT age, cost, ward FROM data UNION ALL BY NAME SELECT cost, ward, age, d FROM data",
    "SELECT d FROM data d",
)


class Writer:
    """Writes a query from a seed."""

    def __init__(self, seed: int) -> None:
        self._luck = random.Random(seed)
        self._tables = ["data"]

    def query(self) -> str:
        """Return a query that answers with numbers, some of them about groups."""
        luck = self._luck
        source, tables = luck.choice(_SOURCES)
        self._tables = tables.split()
        source = source.format(inner=luck.choice(_INNER).replace("{name}", self._name()), name=self._name())
        where = f" WHERE {self._condition()}" if luck.random() < 0.5 else ""
        selected = ", ".join(self._aggregate() for _ in range(luck.randint(1, 3)))
        if luck.random() < 0.7:
            return f"SELECT {selected} FROM {source}{where}"
        key = luck.choice(("ward", "WARD", "ward AS w", "note AS ward", "ward AS note"))
        by = luck.choice(("ward", "1", "w", "note", "ALL"))
        return f"SELECT avg(y) FROM (SELECT {key}, {self._aggregate()} AS y FROM {source}{where} GROUP BY {by})"

    def _aggregate(self) -> str:
        luck, function = self._luck, self._luck.choice(("sum", "avg", "count", "min", "max", "median"))
        row = f"count(DISTINCT {luck.choice(('', 'main.'))}{luck.choice(self._tables)})"
        of_one = f"{function}({luck.choice(('', '', 'DISTINCT '))}{self._column(NUMBERS)})"
        alias = luck.choice(("", "", f" AS {self._name()}"))
        return luck.choices((of_one, "count(*)", f"count({self._column(TEXTS)})", row), (6, 1, 1, 1))[0] + alias

    def _condition(self) -> str:
        number, text = self._column(NUMBERS), self._column(TEXTS)
        return self._luck.choice(
            (f"{number} > 2", f"NOT ({number} BETWEEN 2 AND 8)", f"{text} = 'Park'", f"{text} IN ('Hill', 'x')")
        )

    def _column(self, names: tuple[str, ...]) -> str:
        table = f"{self._luck.choice(self._tables)}." if self._luck.random() < 0.4 else ""
        return table + self._name(names)

    def _name(self, names: tuple[str, ...] = NUMBERS) -> str:
        name = self._luck.choice(names)
        name = self._luck.choice((name, name, name.upper(), name.lower()))
        return f'"{name}"' if not name.isidentifier() or self._luck.random() < 0.2 else name
