"""The router: adopts the link, then shows a page of ``pages/server/page_list.py``.

``streamlit run`` imports this file once, as the server, and then runs it for each visitor, as the script.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from pages import address
from pages.ledger import session as ledger
from pages.server import jobs, startup
from pages.server.page_list import pages
from pages.server.policy import Policy
from pages.server.routes import ROUTES
from pages.widgets import notices


def _show() -> None:
    st.set_page_config(page_title="What privacy costs", layout="wide", initial_sidebar_state="collapsed")
    listed = [
        st.Page(page.show, title=page.TITLE, url_path=name, default=index == 0)
        for index, (name, page) in enumerate(pages().items())
    ]
    page = st.navigation(listed, position="top")
    jobs.keeper()  # says that the session is there
    has_link = page.url_path in address.PAGES_WITH_LINK
    if has_link:
        address.adopt()
    ledger.hold()
    notices.show_style()
    notices.guarded(page.run)
    if has_link:
        address.publish(page.url_path)
    ledger.listen()
    startup.listen()
    startup.finish()


if __name__ == "app":
    app = st.App(
        Path(__file__),
        routes=ROUTES,
        lifespan=startup.serving,
        middleware=[Middleware(Policy)],
    )
else:
    _show()
