"""What keeping s of each person's rows costs and saves: one chart a file, each with the sentence that describes it."""

from pages.old.charts.drawn import Drawn
from pages.old.charts.people.caps import rows_a_person
from pages.old.charts.people.causes import causes_of_error
from pages.old.charts.people.errors import ADDS_UP, BY_THE_CAP, error_by_bound, error_by_cap
from pages.old.charts.people.limits import taken_by_limit
from pages.old.charts.people.one_person import HEIGHT as PERSON_HEIGHT
from pages.old.charts.people.one_person import rows_of_one_person

Described = tuple[Drawn, str]
"""A chart, and the sentence that describes it."""

__all__ = [
    "ADDS_UP",
    "BY_THE_CAP",
    "PERSON_HEIGHT",
    "Described",
    "causes_of_error",
    "error_by_bound",
    "error_by_cap",
    "rows_a_person",
    "rows_of_one_person",
    "taken_by_limit",
]
