"""A release takes the table's own number of records, whatever a link tries on a made-up table."""

from __future__ import annotations

from tests.pages.visit import confidential, go, notices, scenario, text

_CSV = b"income\n" + b"".join(b"%d\n" % (20 + i % 60) for i in range(200))


def test_a_release_is_of_the_tables_own_records() -> None:
    app = confidential(_CSV, 0, 100)
    assert scenario(app).n == 200
    app.session_state["scenario"] = scenario(app).with_(n=5_000)
    go(app, "release")
    assert scenario(app).n == 200
    assert "simulated table of 5,000" in notices(app)
    assert "about the 200 rows" in text(app)
