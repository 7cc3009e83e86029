"""What a member says of itself is asked in one place: no other file looks for one of these by its name."""

from __future__ import annotations

from dpcore.base.facts import facts


def test_a_member_that_says_nothing_has_the_defaults_and_one_that_says_something_has_that() -> None:
    class Own:
        takes_missing = True

        def seconds(self, n: int) -> float:
            return float(n)

    said = facts(Own())
    assert said.takes_missing
    assert said.seconds(3) == 3.0
    assert (said.takes_codes, said.candidates, said.relative_resolution, said.lost) == (False, (), 1e-7, None)
    assert facts(Own).takes_missing  # of a class
