"""Workbooks and Parquet files as hospitals have them, about nobody: cells that hold numbers, dates and text."""

from __future__ import annotations

import csv
import datetime
import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.pages.files.office_files import OfficeFile, Stay, drawn, french, german, listed, nameless, polish, spelt
from tests.pages.files.workbooks import merged_xlsx


def dutch() -> OfficeFile:
    """A workbook with a cover, names in two merged rows, numbers beside words for what is not known, a row of totals."""
    stays = drawn(3, 1_000, 650, 19_000)
    wards = ("Chirurgie", "Interne geneeskunde", "Cardiologie", "Neurologie", "Kindergeneeskunde")
    wrong = {"Chirugie": "Chirurgie", "Interne genesskunde": "Interne geneeskunde"}
    rows: list[list[Any]] = [["Opnames 2024", *[None] * 7], [None] * 8]
    rows.append(["Patiënt", None, None, "Opname", None, None, None, "Heropname"])
    rows.append(["nummer", "leeftijd", "geslacht", "afdeling", "begin", "duur (dagen)", "kosten", None])
    for place, (stay, ward) in enumerate(zip(stays, spelt(stays, wards, wrong, 13), strict=True)):
        again = "onbekend" if stay.again is None else (("ja", "Ja")[place % 2] if stay.again else "nee")
        about = [stay.patient, 999 if place % 40 == 0 else stay.age, "mv"[stay.patient % 2], ward, stay.admitted]
        cost: Any = "onbekend" if stay.cost is None and place % 2 else stay.cost
        rows.append([*about, -999 if stay.days is None else stay.days, -999 if cost is None else cost, again])
    days, total = sum(stay.days or 0 for stay in stays), round(sum(stay.cost or 0 for stay in stays), 2)
    rows.append(["Totaal", None, None, None, None, days, total, None])
    cover = [["Ziekenhuis Noord"], ["Opnames 2024"], [None], ["Contact", "afdeling planning"]]
    return OfficeFile(
        name="Opnames 2024.xlsx",
        content=merged_xlsx({"Voorblad": cover, "Opnames": rows}, {"Opnames": ("A1:H1", "A3:C3", "D3:G3", "H3:H4")}),
        stays=stays,
        read_as="the sheet “Opnames” of a workbook, names in lines 3 and 4, joined",
        wards=wards,
        ward="Opname: afdeling",
        days="Opname: duur (dagen)",
        cost="Opname: kosten",
        again="Heropname",
        whose="Patiënt: nummer",
        codes="-999; onbekend",
        listed=listed(wards, wrong),
        bounds={"Opname: duur (dagen)": ("0", "60"), "Opname: kosten": ("0", "20000")},
        last=1,
    )


def english() -> OfficeFile:
    """The file that the app brings along, read here without it."""
    content = (Path(__file__).parents[3] / "data" / "hospital_stays.csv").read_bytes()
    lines = content.decode("windows-1252").splitlines()[4:-1]
    wards = ("Surgery", "Cardiology", "Internal medicine", "Neurology", "Paediatrics")
    wrong = {"Surgrey": "Surgery"}
    return OfficeFile(
        name="hospital_stays.csv",
        content=content,
        stays=tuple(_stay(row, [*wards, *wrong]) for row in csv.DictReader(io.StringIO("\n".join(lines)), delimiter=";")),
        read_as="points between thousands, Windows-1252, names in line 5",
        wards=wards,
        ward="Ward",
        days="Days",
        cost="Cost in €",
        again="Readmitted within 30 days",
        whose="Patient no.",
        codes="-999; n/a",
        listed=listed(wards, wrong),
        bounds={"Days": ("0", "60"), "Cost in €": ("0", "30000")},
        last=1,
    )


def _stay(row: dict[str, str], spelt: list[str]) -> Stay:
    day, month, year = map(int, row["Admitted"].split("."))
    cost = float(row["Cost in €"].replace(".", "").replace(",", "."))
    return Stay(
        patient=int(row["Patient no."]),
        number=int(row["Stay no."]),
        ward=spelt.index(row["Ward"]) % (len(spelt) - 1),
        admitted=datetime.date(year, month, day),
        age=int(row["Age"]),
        days=int(row["Days"]),
        cost=None if cost == -999 else cost,
        again={"yes": True, "no": False, "n/a": None}[row["Readmitted within 30 days"]],
    )


def american() -> OfficeFile:
    """Parquet: costs as numbers, days and readmissions with nulls, codes beside them, wards as a dictionary."""
    stays = drawn(7, 1_150, 800, 19_000)
    wards = ("Surgery", "Internal Medicine", "Cardiology", "Neurology", "Pediatrics")
    wrong = {"Surgrey": "Surgery"}
    columns = {
        "Patient ID": pa.array([f"{stay.patient:07}" for stay in stays]),
        "Encounter": pa.array([stay.number for stay in stays]),
        "Department": pa.array(spelt(stays, wards, wrong, 17)).dictionary_encode(),
        "Admitted": pa.array([stay.admitted for stay in stays]),
        "Age": pa.array([stay.age for stay in stays], pa.int8()),
        "Length of stay": pa.array([stay.days for stay in stays], pa.int16()),
        "Charges (USD)": pa.array([-999.0 if stay.cost is None else stay.cost for stay in stays]),
        "Readmitted": pa.array([stay.again for stay in stays], pa.bool_()),
    }
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return OfficeFile(
        name="encounters.parquet",
        content=file.getvalue(),
        stays=stays,
        read_as="a Parquet file, with dates as text",
        wards=wards,
        ward="Department",
        days="Length of stay",
        cost="Charges (USD)",
        again="Readmitted",
        whose="Patient ID",
        codes="-999",
        listed=listed(wards, wrong),
        bounds={"Length of stay": ("0", "60"), "Charges (USD)": ("0", "20000")},
    )


OFFICES = (german, dutch, polish, french, nameless, american)
