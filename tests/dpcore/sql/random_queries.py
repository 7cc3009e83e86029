"""Random queries whose names are easily confused: aliases, tables and columns that share names, joins, stars, and groups."""

from __future__ import annotations

import random

NUMBERS, TEXTS = ("cost", "age", "d", "Total", "a b"), ("ward", "note")
_SIGNS = (">", "<", ">=", "<=", "=", "<>")


class Writer:
    """Writes one query after another from a seed."""

    def __init__(self, seed: int) -> None:
        self._luck = random.Random(seed)
        self._tables: tuple[str, ...] = ()
        self._more: tuple[str, ...] = ()
        self._with = ""

    def query(self) -> str:
        """An answer of numbers, by groups in some, or a question within another."""
        luck = self._luck
        if luck.random() < 0.25:
            return self._simple()
        source = self._source()
        where = f" WHERE {self._condition()}" if luck.random() < 0.5 else ""
        kind = luck.random()
        if kind < 0.3:
            return f"{self._with}SELECT {self._grouped(source, where)}"
        if kind < 0.4:
            inner = f"SELECT {self._aggregate()} AS y FROM {source}{where} GROUP BY {self._name(luck.choice(NUMBERS + TEXTS))}"
            return f"{self._with}SELECT avg(y) FROM ({inner})"
        given = [luck.choice(("", "", f" AS {self._name(luck.choice(NUMBERS))}")) for _ in range(luck.randint(1, 3))]
        selected = ", ".join(self._aggregate() + alias for alias in given)
        having = f" HAVING {self._aggregate()} > {luck.choice((0, 1))}" if luck.random() < 0.2 else ""
        order = f" ORDER BY {luck.choice((1, *(alias[4:] for alias in given if alias)))}" if luck.random() < 0.2 else ""
        return f"{self._with}SELECT {luck.choice(('', '', 'DISTINCT '))}{selected} FROM {source}{where}{having}{order}"

    def _simple(self) -> str:
        """A count, sum or mean, which may be a question, or very nearly one."""
        luck, alias = self._luck, self._luck.choice(("data", "d", "cost", "ward", "Total"))
        self._with, self._more, self._tables = "", (), (alias,)
        asked = f"{luck.choice(('count', 'sum', 'avg'))}({self._column(NUMBERS)})" + luck.choice(("", "", " AS age", " AS ward"))
        where = luck.choice(("", f" WHERE {self._condition(2)}", f" WHERE {self._condition(2)} AND {self._condition(2)}"))
        source = f"data{where}" if alias == "data" else f"data AS {alias}{where}"
        key, by = luck.choice(
            (("ward", "ward"), ("WARD", "ward"), ("ward AS note", "ward"), ("ward AS w", "w"), ("note", "ward"))
        )
        return f"SELECT {asked} FROM {source}" if luck.random() < 0.6 else f"SELECT {key}, {asked} FROM {source} GROUP BY {by}"

    def _grouped(self, source: str, where: str) -> str:
        luck = self._luck
        key = luck.choice(("ward", "ward", "WARD", "ward AS w", "note AS ward", "ward AS note"))
        counted = self._aggregate() + luck.choice(("", "", " AS ward", " AS n", " AS cost"))
        selected, place = (f"{key}, {counted}", 1) if luck.random() < 0.7 else (f"{counted}, {key}", 2)
        tail = luck.choice(("", "", " ORDER BY ward", " HAVING count(*) > 1", " QUALIFY row_number() OVER (ORDER BY ward) = 1"))
        return f"{selected} FROM {source}{where} GROUP BY {luck.choice(('ward', str(place), 'w', 'note', 'ALL'))}{tail}"

    def _source(self) -> str:
        luck, kind = self._luck, self._luck.randrange(12)
        self._with, self._more, self._tables = "", (), ("data",)
        if kind < 4:
            return "data"
        if kind < 6:
            self._tables = (luck.choice(("d", "x", "cost", "Total", "DATA", "ward")),)
            return f"data {luck.choice(('', 'AS '))}{self._tables[0]}{luck.choice(('', '', '(age)', '(x, cost, age)'))}"
        if kind == 6:
            self._tables = ("s",)
            return f"({self._inner()}) AS s{luck.choice(('', '', '(age, cost)'))}"
        if kind == 7:
            self._tables = ("d", "e")
            using = f"data d JOIN data e USING ({self._name(luck.choice(NUMBERS + TEXTS))})"
            return luck.choice(("data d, data e", using, "data d LEFT JOIN data e ON d.cost = e.age"))
        if kind == 8:
            self._tables = ("d", "e")
            return f"data d NATURAL JOIN ({self._inner()}) e"
        if kind == 9:
            self._with, self._tables = f"WITH w{luck.choice(('', '', '(cost, age)'))} AS ({self._inner()}) ", ("w",)
            return "w"
        if kind == 10:
            self._with = f"WITH data AS ({self._inner()}) "
            return "data"
        self._tables, self._more = ("d", "v"), ("k",)
        return luck.choice(("data d, (VALUES (1, 2), (3, 4)) AS v(k, age)", "data d, LATERAL (SELECT d.age + 1 AS k) v"))

    def _inner(self) -> str:
        columns = self._luck.sample(NUMBERS + TEXTS, self._luck.randint(2, 5))
        names = (self._name(one) + self._luck.choice(("", "", f" AS {self._luck.choice(NUMBERS[:4])}")) for one in columns)
        number = self._luck.choice(NUMBERS[:3])
        return self._luck.choice(
            (
                f"SELECT {', '.join(names)} FROM data",
                "FROM data",
                f"SELECT * EXCLUDE ({number}) FROM data",
                f"SELECT * REPLACE ({number} * 2 AS age) FROM data",
                "SELECT * RENAME (age AS cost2) FROM data",
                "SELECT cost, age FROM data UNION ALL SELECT age, cost FROM data",
                "SELECT age, cost, ward FROM data UNION ALL BY NAME SELECT cost, ward, age, d FROM data",
                "SELECT d FROM data d",
            )
        )

    def _aggregate(self) -> str:
        luck = self._luck
        column = self._column(NUMBERS) if luck.random() < 0.8 else f"{self._column(NUMBERS)} + {self._column(NUMBERS)}"
        row = luck.choice(("", "main.")) + luck.choice(self._tables)
        function = luck.choice(("sum", "avg", "count", "min", "max", "median"))
        of_one = f"{function}({luck.choice(('', '', '', 'DISTINCT '))}{column})"
        kept = f" FILTER (WHERE {self._condition(1)})" if luck.random() < 0.1 else ""
        return (
            luck.choices((of_one, "count(*)", f"count({self._column(TEXTS)})", f"count(DISTINCT {row})"), (6, 1, 1, 1))[0] + kept
        )

    def _condition(self, depth: int = 0) -> str:
        luck, number = self._luck, self._column(NUMBERS)
        if depth < 2 and luck.random() < 0.3:
            both = f"({self._condition(depth + 1)} {luck.choice(('AND', 'OR'))} {self._condition(depth + 1)})"
            return luck.choice((both, f"NOT ({self._condition(depth + 1)})"))
        return luck.choice(
            (
                f"{number} {luck.choice(_SIGNS)} {luck.choice((0, 2, 5, 9))}",
                f"{number} BETWEEN 2 AND {luck.choice((3, 8))}",
                f"{number} IS NOT NULL",
                f"{self._column(TEXTS)} {luck.choice(('=', '<>'))} '{luck.choice(('Park', 'park', 'Hill', 'x'))}'",
                f"{self._column(TEXTS)} IN ('Park', 'x')",
            )
        )

    def _column(self, names: tuple[str, ...]) -> str:
        table = f"{self._luck.choice(self._tables)}." if self._luck.random() < 0.4 else ""
        return table + self._name(self._luck.choice((*names, *self._more)))

    def _name(self, name: str) -> str:
        name = self._luck.choice((name, name, name.upper(), name.lower()))
        return f'"{name}"' if not name.isidentifier() or self._luck.random() < 0.2 else name
