"""What keeping s of each person's rows costs and saves: one chart a file, each with the sentence that describes it."""

from pages.charts.people.caps import rows_a_person
from pages.charts.people.choices import bounds_and_caps, chances_of_bounds, chances_of_caps, chances_of_limits
from pages.charts.people.errors import ADDS_UP, error_by_bound, error_by_cap
from pages.charts.people.levels import by_size, levels
from pages.charts.people.limits import taken_by_limit

__all__ = [
    "ADDS_UP",
    "bounds_and_caps",
    "by_size",
    "chances_of_bounds",
    "chances_of_caps",
    "chances_of_limits",
    "error_by_bound",
    "error_by_cap",
    "levels",
    "rows_a_person",
    "taken_by_limit",
]
