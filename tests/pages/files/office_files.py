"""Files as hospitals in several countries have them, about nobody: what stands in each, how it is read, and what is declared.

Each holds stays that are drawn here, so that every answer is known without the app. In different mixtures they have: lines or
sheets above the table, names in two rows, two columns of one name, units behind numbers, marks between thousands, codes for what
is not known, misspelt wards, numbers with leading zeros, and rows of totals.
"""

from __future__ import annotations

import datetime
import random
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

CAP = 3  # rows of a person that count where nobody guessed
_SHARES = (30, 25, 20, 15, 10)  # of the five wards
_UNKNOWN = 0.03  # of days, costs and readmissions
_MISSPELT = 0.02


@dataclass(frozen=True)
class Stay:
    """None where nothing is known. ``ward`` and ``other`` are places in the hospital's lists."""

    patient: int
    number: int
    ward: int
    admitted: datetime.date
    age: int
    days: int | None
    cost: float | None
    again: bool | None


def drawn(seed: int, rows: int, patients: int, most: float) -> tuple[Stay, ...]:
    """The first stays are one of each patient; further ones fall to anybody. A cost is at most ``most``."""
    draw = random.Random(seed)
    ages = [draw.randint(1, 94) for _ in range(patients)]
    whose = [*range(patients), *(draw.randrange(patients) for _ in range(rows - patients))]
    draw.shuffle(whose)
    stays = []
    for number, patient in enumerate(whose):
        days = min(59, max(1, round(draw.lognormvariate(1.4, 0.7))))
        cost = round(min(most, max(120.0, draw.lognormvariate(6.9, 0.4) * days**0.8)), 2)
        known = [draw.random() >= _UNKNOWN for _ in range(3)]
        stays.append(
            Stay(
                patient=patient + 101,
                number=240_001 + number,
                ward=draw.choices(range(len(_SHARES)), _SHARES)[0],
                admitted=datetime.date(2024, 1, 1) + datetime.timedelta(draw.randrange(366)),
                age=ages[patient],
                days=days if known[0] else None,
                cost=cost if known[1] else None,
                again=draw.random() < 0.2 if known[2] else None,
            )
        )
    return tuple(stays)


@dataclass(frozen=True)
class OfficeFile:
    """``read_as``: words by which the app says how it reads the file. ``ward`` to ``again``: the columns' names in the app.

    The rest is what its holder does, each a field that is typed or a press: ``codes``, ``last`` lines or rows left out ``by`` a
    column and ``word``, the ``listed`` wards, and ``bounds``. The column of people is ``found``, or its holder chooses
    it: ``whose`` a row is.
    """

    name: str
    content: bytes
    stays: tuple[Stay, ...]
    read_as: str
    wards: tuple[str, ...]
    ward: str
    days: str
    cost: str
    again: str
    whose: str
    codes: str
    listed: str
    bounds: dict[str, tuple[str, str]]
    own_codes: tuple[str, str] = ("", "")  # a column, and what says there alone that nothing is known
    last: int = 0
    by: str = ""
    word: str = ""
    found: bool = True
    nobodies: int = 0  # people that rows of totals are, which stay records of which nothing is known

    @property
    def people(self) -> int:
        """As the app counts them."""
        return len({stay.patient for stay in self.stays}) + self.nobodies

    def mean(self, meant: Callable[[Stay], float | None]) -> float:
        """Of the known values. Somebody with more than three stays counts as three, as in the app's answers."""
        stays = Counter(stay.patient for stay in self.stays)
        known = [(value, min(1, CAP / stays[stay.patient])) for stay in self.stays if (value := meant(stay)) is not None]
        return sum(value * weight for value, weight in known) / sum(weight for _, weight in known)

    @property
    def median_days(self) -> float:
        """Of the known ones."""
        return statistics.median(stay.days for stay in self.stays if stay.days is not None)

    @property
    def in_ward(self) -> dict[str, float]:
        """Stays, however the ward is spelt, and as many of one person as count."""
        stays = Counter(stay.patient for stay in self.stays)
        weights = [(stay.ward, min(1, CAP / stays[stay.patient])) for stay in self.stays]
        return {name: sum(weight for ward, weight in weights if ward == place) for place, name in enumerate(self.wards)}


def money(amount: float, between: str) -> str:
    """1.234,50 with this mark between thousands."""
    return f"{amount:,.2f}".replace(",", "_").replace(".", ",").replace("_", between)


def spelt(stays: Sequence[Stay], wards: Sequence[str], wrong: dict[str, str], seed: int) -> list[str]:
    """The ward of each stay, a few of them as ``wrong`` has it: at least one of each."""
    draw = random.Random(seed)
    to_be = {right: word for word, right in wrong.items()}
    found = [wards[stay.ward] for stay in stays]
    for right, word in to_be.items():
        places = [place for place, name in enumerate(found) if name == right]
        for place in draw.sample(places, max(1, round(_MISSPELT * len(places)))):
            found[place] = word
    return found


def listed(wards: Sequence[str], wrong: dict[str, str]) -> str:
    """As it is typed into one cell."""
    return "; ".join([*wards, *(f"{word} → {right}" for word, right in wrong.items())])


def _text(lines: Sequence[Sequence[str]], mark: str, encoding: str, end: str = "\r\n") -> bytes:
    return (end.join(mark.join(line) for line in lines) + end).encode(encoding)


def _of(value: Any, unknown: str, written: Callable[[Any], str] = str) -> str:
    return unknown if value is None else written(value)


def german() -> OfficeFile:
    """UTF-16 with tabs, a title above, units in two numbers, points between thousands, codes, typos, a line of totals."""
    stays = drawn(1, 1_250, 800, 19_000)
    wards = ("Chirurgie", "Innere Medizin", "Gynäkologie", "Kardiologie", "Pädiatrie")
    wrong = {"Chirugie": "Chirurgie", "Gynaekologie": "Gynäkologie"}
    lines = [["Klinikum Süd, Controlling"], ["Zeitraum:", "01.01.2024 bis 31.12.2024"], []]
    names = ["Patienten-Nr.", "Fall-Nr.", "Fachabteilung", "Aufnahme", "Alter", "Verweildauer", "Kosten (€)", "Wiederaufnahme"]
    lines.append(names)
    for place, (stay, ward) in enumerate(zip(stays, spelt(stays, wards, wrong, 11), strict=True)):
        yes = ("ja", "Ja", "JA")[place % 3]
        again = "k. A." if stay.again is None else (yes if stay.again else "nein")
        days, cost = _of(stay.days, "k. A.", "{} Tage".format), _of(stay.cost, "-999,00", lambda cost: money(cost, "."))
        lines.append(
            [f"{stay.patient:05}", str(stay.number), ward, f"{stay.admitted:%d.%m.%Y}", str(stay.age), days, cost, again]
        )
    days, total = sum(stay.days or 0 for stay in stays), sum(stay.cost or 0 for stay in stays)
    lines.append(["Summe", str(len(stays)), "", "", "", f"{days} Tage", money(total, "."), ""])
    return OfficeFile(
        name="Fallliste 2024.txt",
        content=b"\xff\xfe" + _text(lines, "\t", "utf-16-le"),
        stays=stays,
        read_as="tabs between columns, decimal comma, points between thousands, UTF-16, names in line 4",
        wards=wards,
        ward=names[2],
        days=names[5],
        cost=names[6],
        again=names[7],
        whose=names[0],
        codes="-999; k. A.",
        listed=listed(wards, wrong),
        bounds={names[5]: ("0", "60"), names[6]: ("0", "20000")},
        last=1,
    )


def polish() -> OfficeFile:
    """Windows-1250, semicolons, hard blanks between thousands, units behind costs, totals of each ward, letters in numbers."""
    stays = tuple(sorted(drawn(4, 1_300, 900, 19_000), key=lambda stay: stay.ward))
    wards = ("Chirurgia", "Choroby wewnętrzne", "Kardiologia", "Położnictwo", "Żywienie i dietetyka")
    wrong = {"Chrurgia": "Chirurgia", "Poloznictwo": "Położnictwo"}
    names = ["Nr pacjenta", "Nr pobytu", "Oddział", "Przyjęcie", "Wiek", "Długość pobytu", "Koszt", "Ponowne przyjęcie"]
    lines = [["Szpital Wojewódzki w Łodzi"], ["Okres: 01.01.2024–31.12.2024"], [""], names]
    last = [stay.ward for stay in stays]
    for place, (stay, ward) in enumerate(zip(stays, spelt(stays, wards, wrong, 14), strict=True)):
        again = "b.d." if stay.again is None else (("tak", "Tak")[place % 2] if stay.again else "nie")
        cost = "brak" if stay.cost is None else f"{money(stay.cost, chr(0xA0))} zł"
        begun = [f"P-{stay.patient}", str(stay.number), ward, f"{stay.admitted:%d.%m.%Y}", str(stay.age)]
        lines.append([*begun, "b.d." if stay.days is None else str(stay.days), cost, again])
        if stay.ward not in last[place + 1 :]:
            total = sum(one.cost or 0 for one in stays if one.ward == stay.ward)
            lines.append(["Razem", "", wards[stay.ward], "", "", "", f"{money(total, chr(0xA0))} zł", ""])
    return OfficeFile(
        name="pobyty 2024.csv",
        content=_text(lines, ";", "windows-1250"),
        stays=stays,
        read_as="decimal comma, spaces between thousands, Windows-1250 (Central Europe), names in line 4",
        wards=wards,
        ward=names[2],
        days=names[5],
        cost=names[6],
        again=names[7],
        whose=names[0],
        codes="b.d.; brak",
        listed=listed(wards, wrong),
        bounds={names[5]: ("0", "60"), names[6]: ("0", "20000")},
        by=names[0],
        word="Razem",
        nobodies=1,
    )


def french() -> OfficeFile:
    """Windows-1252, semicolons, two columns named Date, hard blanks between thousands and euros behind them, a line of totals."""
    stays = drawn(5, 1_100, 700, 19_000)
    wards = ("Chirurgie", "Médecine interne", "Cardiologie", "Neurologie", "Pédiatrie")
    wrong = {"Chirugie": "Chirurgie", "Pediatrie": "Pédiatrie"}
    names = ["N° patient", "N° séjour", "Service", "Date", "Date", "Âge", "Durée (jours)", "Coût", "Réadmission"]
    lines = [["Centre hospitalier de l’Ouest"], ["Séjours 2024"], names]
    for stay, ward in zip(stays, spelt(stays, wards, wrong, 15), strict=True):
        again = "n.c." if stay.again is None else ("oui" if stay.again else "non")
        cost = _of(stay.cost, "n.c.", lambda cost: f"{money(cost, chr(0xA0))} €")
        left = stay.admitted + datetime.timedelta(stay.days or 1)
        dates = [f"{stay.admitted:%d/%m/%Y}", f"{left:%d/%m/%Y}"]
        about = [f"{stay.patient:06}", str(stay.number), ward, *dates, str(stay.age)]
        lines.append([*about, _of(stay.days, "n.c."), cost, again])
    lines.append(["Total", str(len(stays)), *[""] * 5, f"{money(sum(stay.cost or 0 for stay in stays), chr(0xA0))} €", ""])
    return OfficeFile(
        name="séjours.csv",
        content=_text(lines, ";", "windows-1252"),
        stays=stays,
        read_as="decimal comma, spaces between thousands, Windows-1252, names in line 3",
        wards=wards,
        ward=names[2],
        days=names[6],
        cost=names[7],
        again=names[8],
        whose=names[0],
        codes="n.c.",
        listed=listed(wards, wrong),
        bounds={names[6]: ("0", "60"), names[7]: ("0", "20000")},
        last=1,
    )


def nameless() -> OfficeFile:
    """UTF-8 with commas, and no line of names: the first line is a stay."""
    stays = drawn(6, 1_000, 750, 19_000)
    wards = ("Surgery", "Internal medicine", "Cardiology", "Neurology", "Paediatrics")
    wrong = {"Surgrey": "Surgery"}
    lines = []
    for stay, ward in zip(stays, spelt(stays, wards, wrong, 16), strict=True):
        again = "unknown" if stay.again is None else ("yes" if stay.again else "no")
        about = [f"P{stay.patient:05}", str(stay.number), ward, f"{stay.admitted:%Y-%m-%d}", str(stay.age)]
        lines.append([*about, _of(stay.days, "-9"), _of(stay.cost, "-9", "{:.2f}".format), again])
    return OfficeFile(
        name="export.csv",
        content=_text(lines, ",", "utf-8", "\n"),
        stays=stays,
        read_as="commas between columns, decimal point, UTF-8, no names, rows from line 1",
        wards=wards,
        ward="Column 3",
        days="Column 6",
        cost="Column 7",
        again="Column 8",
        whose="Column 1",
        codes="-9; unknown",
        listed=listed(wards, wrong),
        bounds={"Column 6": ("0", "60"), "Column 7": ("0", "20000")},
        found=False,
    )
