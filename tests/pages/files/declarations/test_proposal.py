"""What is proposed: types from the cells, and nothing else of a confidential table; identifiers by their names."""

from __future__ import annotations

import pytest

from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.declarations.proposal import identifies, proposed, read_off, whose
from pages.files.tables import Table, read_csv


def _row(i: int) -> str:
    cost = "k.A." if i == 7 else f"{i}.100,5"
    return f"F{i};{30 + i % 50};{'FM'[i % 2]};{1 + i % 28:02}.0{1 + i % 9}.2024;{cost};{'ja' if i % 3 else 'nein'};n{i}"


ROWS = [_row(i) for i in range(300)]
STAYS = ("Fallnummer;Alter;Geschlecht;Aufnahme;Kosten;Raucher;Notiz\n" + "\n".join(ROWS) + "\n").encode()


def _stays() -> Table:
    return read_csv(STAYS, "stays", public=False)


def test_each_columns_type_is_proposed_from_what_most_of_its_cells_are() -> None:
    kinds = {one.name: one.type for one in proposed(_stays())}
    assert kinds == {
        "Fallnummer": "text",
        "Alter": "number",
        "Geschlecht": "category",
        "Aufnahme": "date, as 31.12.2024",
        "Kosten": "number",
        "Raucher": "yes or no",
        "Notiz": "text",
    }


def test_no_bound_and_no_category_is_proposed_from_the_values() -> None:
    assert {(one.lowest, one.highest, one.categories) for one in proposed(_stays())} == {("", "", ())}


def test_of_a_public_table_they_are_read_off_where_none_were_given() -> None:
    found = {one.name: one for one in read_off(_stays(), proposed(_stays()))}
    assert (found["Alter"].lowest, found["Alter"].highest) == ("30", "79")
    assert (found["Kosten"].lowest, found["Kosten"].highest) == ("100.5", "299100.5")
    assert (found["Aufnahme"].lowest, found["Aufnahme"].highest) == ("2024-01-01", "2024-09-28")
    assert found["Geschlecht"].categories == ("F", "M")


def test_identifiers_and_text_are_not_used_unless_there_is_nothing_else() -> None:
    assert [one.name for one in proposed(_stays()) if one.used] == ["Alter", "Geschlecht", "Aufnahme", "Kosten", "Raucher"]
    only = read_csv(b"id,note\n1,abc\n2,def\n", "t", public=False)
    assert [one.used for one in proposed(only)] == [True, False]


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "ID",
        "patient_id",
        "PatientID",
        "Fallnummer",
        "Fall-Nr",
        "name",
        "Nachname",
        "First Name",
        "e-mail",
        "Email",
        "telefon",
        "SSN",
        "MRN",
        "IBAN",
        "address",
        "user name",
        "customerNumber",
        "date of birth",
        "Geburtsdatum",
        "ip_address",
        "uuid",
        "nhs number",
        "passport",
    ],
)
def test_a_name_that_tells_who_somebody_is(name: str) -> None:
    assert identifies(name)


@pytest.mark.parametrize(
    ("name", "cells", "kind", "padded"),
    [
        ("patient_nr", [f"{i:05}" for i in range(100)], "text", True),
        ("patient_nr", [f"{i % 5:05}" for i in range(100)], "text", True),
        ("month", [f"{1 + i % 12:02}" for i in range(100)], "category", False),
        ("cost", ["0", "0.5", "10", "100", "-1"] * 20, "number", False),
        ("cost", ["007", *map(str, range(400))], "text", False),
    ],
)
def test_whole_numbers_with_leading_zeros_are_no_quantity(name: str, cells: list[str], kind: str, padded: bool) -> None:
    table = read_csv((f"age,{name}\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells))).encode(), "t", public=False)
    assert [one.type for one in proposed(table)] == ["number", kind]
    assert whose(table) == (name if padded else "")
    if padded:
        assert table.values[name].tolist() == cells


@pytest.mark.parametrize(
    ("cells", "unit"),
    [
        (["67,0 kg", "70 kg", "1.000,5 kg", "12"], "kg"),
        (["12 %", "7,5%", "", "k. A."], "%"),
        (["3 mg/dl", "4,25 mg/dl"], "mg/dl"),
        (["67 kg", "148 lb"], ""),
        (["1 Tag", "5 Tage", "1 Tag", "12 Tage", "3"], "Tage; Tag"),
        (["500 mm", "1 m", "20 mm", "30 mm"], ""),
        (["€ 1.234,50", "€12", "7"], "€"),
        (["CHF 12", "CHF 1.234,5"], "CHF"),
        (["A 12", "B 7"], ""),
        (["5 A", "6 B", "7 C", "8 D"], ""),
        (["12.03.2024", "13.03.2024"], ""),
        (["120/80", "130/90"], ""),
    ],
)
def test_one_unit_behind_the_numbers_is_detected(cells: list[str], unit: str) -> None:
    rows = "".join(f"{cell};{i},5\n" for i, cell in enumerate(cells * 20))
    found = proposed(read_csv(f"x;y\n{rows}".encode(), "t", public=False))[0]
    assert found.unit == unit
    assert (found.type == "number") is bool(unit)


@pytest.mark.parametrize(
    ("name", "is_somebody"),
    [
        *((name, True) for name in ("Patiënt: nummer", "Nr pacjenta", "N° patient", "Número de paciente", "PatientID")),
        *((name, True) for name in ("Patienten-Nr.", "Kundennummer", "ID patient", "customer_no", "Numéro du patient")),
        *((name, False) for name in ("number of patients", "Número de pacientes", "Anzahl Patienten", "N° séjour")),
    ],
)
def test_whose_a_row_is_is_told_by_a_name_where_no_number_is_padded(name: str, is_somebody: bool) -> None:
    rows = "".join(f"{i % 7};{100 + i // 2}\n" for i in range(90))
    assert whose(read_csv(f"ward;{name}\n{rows}".encode(), "t", public=False)) == (name if is_somebody else "")
    padded = "".join(f"{i:05};{100 + i // 2}\n" for i in range(90))
    assert whose(read_csv(f"stay;{name}\n{padded}".encode(), "t", public=False)) == "stay"


@pytest.mark.parametrize(
    "words", ["ja nein", "oui non", "sí no", "tak nie", "ja nee", "sim não", "ano ne", "WAHR FALSCH", "Vrai Faux"]
)
def test_yes_and_no_are_known_in_other_languages(words: str) -> None:
    yes, no = words.split()
    table = read_csv(("a,b\n" + f"{yes},1\n{no},2\n" * 20).encode(), "t", public=False)
    (one, _) = proposed(table)
    assert one.type == "yes or no"
    assert TYPES[one.type].values(table.values["a"], one).tolist() == [1, 0] * 20


def test_a_long_cell_of_blanks_takes_no_longer_than_its_length() -> None:
    """A hundred thousand blanks would take 20 s where each is a place to look for a unit from."""
    content = "a,b\n" + "12 €,x\n" * 20 + f"1{' ' * 100_000}b,x\n"
    assert proposed(read_csv(content.encode(), "t", public=False))[0].unit == "€"


def test_categories_of_public_file_are_its_cells() -> None:
    draft = read_csv(b"grade,b\n" + b"1.0,x\n2.0,y\n" * 20, "t", public=True)
    grade = Declaration(name="grade", type="category")
    declared = read_off(draft, (grade,))
    assert declared[0].categories == ("1.0", "2.0")
    assert declared_table(draft, declared, public=True).values["grade"].tolist() == ["1.0", "2.0"] * 20
