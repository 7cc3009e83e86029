"""Six files as offices have them, about nobody, and what must come out of each: the form, and every value of every column."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from pages.files.form import HeaderLines
from pages.files.tables import Form, Format, Sheet
from tests.pages.files.workbooks import merged_xlsx, ods

NAN = float("nan")


@dataclass(frozen=True)
class RealFile:
    """``columns``: by the names that the app gives them, in their order, NaN or '' where missing."""

    name: str
    content: bytes
    form: Form
    columns: dict[str, list[Any]]


def _csv(lines: list[str], encoding: str, end: str = "\r\n") -> bytes:
    return (end.join(lines) + end).encode(encoding)


GERMAN = RealFile(
    "Fallliste.csv",
    _csv(
        [
            "Klinikum Süd, Controlling",
            "Auswertung, Stand:;07.01.2025",
            "",
            "Fallnummer;Station;Aufnahme;Gewicht;Kosten (€);Diagnose;Diagnose",
            "00123;Innere;03.02.2024;67,5;1.234,50;I21;E11",
            '00124;"Chirurgie; Haus 2";04.02.2024;81,0;12.000,00;S72;',
            "00125;Süd;;;;J18;I10",
            "00126;Innere;29.02.2024;59,25;980,05;I50;E11",
        ],
        "windows-1252",
    ),
    Format("windows-1252", ";", ",", ".", HeaderLines(4)),
    {
        "Fallnummer": ["00123", "00124", "00125", "00126"],
        "Station": ["Innere", "Chirurgie; Haus 2", "Süd", "Innere"],
        "Aufnahme": ["03.02.2024", "04.02.2024", "", "29.02.2024"],
        "Gewicht": [67.5, 81.0, NAN, 59.25],
        "Kosten (€)": [1234.5, 12000.0, NAN, 980.05],
        "Diagnose": ["I21", "S72", "J18", "I50"],
        "Diagnose (2)": ["E11", "", "I10", "E11"],
    },
)

EXCEL_TEXT = RealFile(
    "orders.txt",
    "\ufeff".encode("utf-16-le")
    + _csv(
        ["Order\tPłatność\tAmount", "A-1\tkarta\t10,5", "A-2\tgotówka\t1 200,75", "A-3\t\t", 'A-4\t"""raty"""\t0,5'],
        "utf-16-le",
    ),
    Format("utf-16", "\t", ",", " ", HeaderLines(1)),
    {
        "Order": ["A-1", "A-2", "A-3", "A-4"],
        "Płatność": ["karta", "gotówka", "", '"raty"'],
        "Amount": [10.5, 1200.75, NAN, 0.5],
    },
)

FRENCH = RealFile(
    "export.csv",
    _csv(
        [
            "Export du service, édité le 03/02/2024",
            "Période : 01/01/2024 - 31/01/2024",
            '"Remarque : montants en euros; ""provisoires"""',
            "",
            '"Numéro","Nom du service","Montant","Payé le"',
            '1,"Cardiologie","1234,5","03/01/2024"',
            '2,"Urgences, nuit","87,25",""',
            '3,"Pédiatrie","",""',
            '4,"Cardiologie","0,99","31/01/2024"',
        ],
        "utf-8",
        "\n",
    ),
    Format("utf-8", ",", ",", "", HeaderLines(5)),
    {
        "Numéro": [1, 2, 3, 4],
        "Nom du service": ["Cardiologie", "Urgences, nuit", "Pédiatrie", "Cardiologie"],
        "Montant": [1234.5, 87.25, NAN, 0.99],
        "Payé le": ["03/01/2024", "", "", "31/01/2024"],
    },
)


_DAY = datetime.date(2024, 1, 31)
COVER = RealFile(
    "Report 2024.xlsx",
    merged_xlsx(
        {
            "Cover": [["Report 2024"], ["Made by the office"], [None], ["Contact", "office"]],
            "Stays": [
                ["Stays of the year", None, None, None, None],
                [None] * 5,
                ["Patient", None, "Stay", None, "Ward"],
                ["number", "age", "begins", "cost", None],
                ["P1", 41, _DAY, 1234.5, "A"],
                ["P2", None, _DAY, 99, "B"],
                ["P3", 7, None, 0.25, "A"],
            ],
        },
        {"Stays": ("A1:E1", "A3:B3", "C3:D3", "E3:E4")},
    ),
    Sheet("Stays", HeaderLines(3, 2)),
    {
        "Patient: number": ["P1", "P2", "P3"],
        "Patient: age": [41, NAN, 7],
        "Stay: begins": ["2024-01-31", "2024-01-31", ""],
        "Stay: cost": [1234.5, 99, 0.25],
        "Ward": ["A", "B", "A"],
    },
)

TWO_ROWS = RealFile(
    "costs.xlsx",
    merged_xlsx(
        {
            "Costs": [
                ["Case", "Costs", None, None, "Ward"],
                [None, "drugs", "care", "drugs", None],
                ["c1", 10.5, 20, 1, "North"],
                ["c2", 0, 7.25, None, "South"],
                ["c3", 3, None, 2, "North"],
            ]
        },
        {},
    ),
    Sheet("Costs", HeaderLines(1, 2)),
    {
        "Case": ["c1", "c2", "c3"],
        "Costs: drugs": [10.5, 0, 3],
        "Costs: care": [20, 7.25, NAN],
        "Costs: drugs (2)": [1, NAN, 2],
        "Ward": ["North", "South", "North"],
    },
)

ODS = RealFile(
    "members.ods",
    ods(
        {
            "Notes": [["Do not print"]],
            "Members": [
                ["Club members"],
                [],
                ["Name", "Fee", "Visits", "Fee"],
                ["Ann Ø.", 12.5, 3, 1],
                ["Bo", 0, 14, 2],
                ["", 7, 1, 3],
            ],
        }
    ),
    Sheet("Members", HeaderLines(3)),
    {"Name": ["Ann Ø.", "Bo", ""], "Fee": [12.5, 0, 7], "Visits": [3, 14, 1], "Fee (2)": [1, 2, 3]},
)

REAL = (GERMAN, EXCEL_TEXT, FRENCH, COVER, TWO_ROWS, ODS)
