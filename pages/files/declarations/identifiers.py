"""Columns that identify a person, by their names: they are not proposed for use."""

from __future__ import annotations

import re

_WHOLE = r"id|uid|guid|uuid|nr|no|name|vorname|nachname|surname|key|index|row|line|zeile"
_PART = (
    r"(?:patient|person|user|client|customer|member|subject|case|record|visit|stay|employee|student|fall|kunden|personal|konto|"
    r"account|card|phone|tel|telefon|mobile|handy|fax|order|invoice|policy|versicherungs?|versicherten|sozialversicherungs)"
    r"[ _.-]?(?:id|nr|no|num|nummer|number|key|code)|"
    r"(?:first|last|full|family|given|user|maiden|patient)[ _.-]?name|"
    r"e[ _-]?mail|phone|telefon|mobile|fax|ssn|social[ _-]?security|nhs[ _-]?n|mrn|iban|bic|passport|licen[cs]e|ausweis|"
    r"insurance[ _-]?n|steuer[ _-]?id|tax[ _-]?id|address|adresse|street|strasse|straße|ip[ _-]?addr|url|username|login|"
    r"credit[ _-]?card|(?:birth|geburts)[ _-]?(?:date|datum|day|tag)|date[ _-]?of[ _-]?birth|\bdob\b"
)
_IDENTIFIES = re.compile(rf"^(?:{_WHOLE})$|(?:^|[ _.-])(?:u?u?id)$|{_PART}", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def identifies(name: str) -> bool:
    """Whether a column of this name is likely to tell who somebody is."""
    return _IDENTIFIES.search(_CAMEL.sub("_", name.strip())) is not None
