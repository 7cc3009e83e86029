"""Files of seven hospitals are read as their systems meant them: every value of what is asked, and whose each row is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from dpcore.base.users import CODE
from pages.declaring.columns import codes_in, listed_in
from pages.files.declarations.declaration import Declaration, WholeFile
from pages.files.declarations.declared_table import declared_table, records
from pages.files.declarations.proposal import proposed, whose
from pages.files.persons import Persons
from pages.files.tables import Table, best, read_file
from pages.files.tables import proposed as ways
from tests.pages.files.office_files import OfficeFile, Stay
from tests.pages.files.office_workbooks import OFFICES, english

NAN = float("nan")
_NUMBERS: dict[str, Callable[[Stay], float | None]] = {
    "days": lambda stay: stay.days,
    "cost": lambda stay: stay.cost,
    "again": lambda stay: stay.again,
}


def _draft(file: OfficeFile) -> Table:
    return read_file(file.content, file.name, best(ways(file.content)).form, public=False)


def _whole(file: OfficeFile) -> WholeFile:
    words = codes_in(file.word) if file.by else ()
    return WholeFile(codes=codes_in(file.codes), last=file.last, by=file.by, words=words)


def _declared(draft: Table, file: OfficeFile) -> tuple[Declaration, ...]:
    """As they are proposed, with what its holder types into cells."""
    asked = []
    for one in proposed(draft):
        if one.name in file.bounds:
            one = replace(one, lowest=file.bounds[one.name][0], highest=file.bounds[one.name][1])
        if one.name == file.own_codes[0]:
            one = replace(one, codes=codes_in(file.own_codes[1]))
        if one.name == file.ward:
            categories, spellings = listed_in(file.listed, one.name)
            one = replace(one, categories=categories, spellings=spellings)
        asked.append(one)
    return tuple(asked)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("make", [english, *OFFICES], ids=lambda make: make.__name__)
def test_every_value_that_is_asked_is_read_as_it_was_meant(make: Callable[[], OfficeFile]) -> None:
    file = make()
    draft = _draft(file)
    assert draft.form is not None
    assert file.read_as in draft.form.words
    assert whose(draft) == file.whose * file.found
    declared, whole = _declared(draft, file), _whole(file)
    table = declared_table(draft, declared, public=False, persons=Persons(file.whose), whole=whole)
    assert table.size(()) == file.people
    wards = table.values[file.ward]
    stays = wards != ""  # of a row of totals nothing is known
    assert len(wards) == records(draft, whole)
    assert (len(wards) > len(file.stays)) is bool(file.by)
    assert wards[stays].tolist() == [file.wards[stay.ward] for stay in file.stays]
    for name, meant in _NUMBERS.items():
        column = getattr(file, name)
        known = [NAN if (value := meant(stay)) is None else float(value) for stay in file.stays]
        np.testing.assert_array_equal(table.values[column][stays], known, err_msg=column)
        assert np.isnan(table.values[column][~stays]).all()
    people = list(zip(table.values[file.whose][CODE][stays].tolist(), (stay.patient for stay in file.stays), strict=True))
    assert len({code for code, _ in people}) == len({patient for _, patient in people}) == len(set(people))
