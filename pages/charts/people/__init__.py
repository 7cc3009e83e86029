"""What keeping s of each person's rows costs and saves: one chart a file, each with the sentence that describes it."""

from pages.charts.people.bounds_and_caps import bounds_and_caps
from pages.charts.people.by_size import by_size
from pages.charts.people.chances import chances_of_bounds, chances_of_caps
from pages.charts.people.error_by_cap import ADDS_UP, error_by_cap
from pages.charts.people.levels import levels
from pages.charts.people.rows_a_person import rows_a_person

__all__ = [
    "ADDS_UP",
    "bounds_and_caps",
    "by_size",
    "chances_of_bounds",
    "chances_of_caps",
    "error_by_cap",
    "levels",
    "rows_a_person",
]
