"""The link to a page with the scenario, in a popover."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages import address, state
from pages.old.shared.escape import escaped
from pages.old.wording.sentences import plain


def show(page: str, *, with_list: bool = False) -> None:
    """Show a popover with the link.

    Args:
        page: Name of the page in the address.
        with_list: Add the list of questions to the link.
    """
    box = st.popover("Link", key="link", on_change="rerun", icon=":material/link:")
    if not box.open:
        return
    with box:
        try:
            link = address.link_to(state.scenario(), page, with_list=with_list)
        except TypeError:
            st.markdown("A link can only hold targets, oracles and mechanisms of dpcore. This scenario has another one.")
        except DpcoreError as error:
            st.markdown(escaped(plain(error)))
        else:
            st.markdown("**A link** opens this page with all settings and the seed. It holds no data.")
            st.code(link, language=None, wrap_lines=True)
