"""A session of the app without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from pages.experiment.scenario import Scenario

_APP = Path(__file__).parents[2] / "app.py"


class _AsServed(PagesManager):
    """The pages as the server has them: AppTest takes the folder pages/ for a folder of scripts."""

    def __init__(self, *given: Any, **named: Any) -> None:
        PagesManager.uses_pages_directory = False
        super().__init__(*given, **named)


def opened(**query: str | list[str]) -> AppTest:
    """Open the app with this query in its address."""
    app_test.PagesManager = _AsServed
    app = AppTest.from_file(str(_APP), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return ran(app)


def ran(app: AppTest) -> AppTest:
    """Run the app and check that no exception is on the page."""
    app.run()
    assert not app.exception, [error.value for error in app.exception]
    return app


def go(app: AppTest, page: str) -> AppTest:
    """Open a page by the last part of its address, as the navigation does; Explore's is empty."""
    app.query_params.clear()
    app._page_hash = next(key for key, info in app._registered_pages.items() if info["url_pathname"] == page)
    ran(app)
    app._page_hash = ""
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Click a button."""
    app.button(key=key).click()
    return ran(app)


def scenario(app: AppTest) -> Scenario:
    """Return the scenario of the session."""
    current: Scenario = app.session_state["scenario"]
    return current


def address(app: AppTest, name: str = "s") -> str:
    """Return a parameter of the address."""
    values = app.query_params.get(name, [])
    return values if isinstance(values, str) else values[0] if values else ""


def warnings(app: AppTest) -> str:
    """Return the sentences on the page."""
    return " ".join(one.value for one in app.warning)
