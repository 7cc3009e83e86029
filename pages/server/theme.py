"""The theme that every answer tells the browser: worked out once, and not for each answer."""

from __future__ import annotations

from functools import lru_cache

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

_NAME = "_populate_theme_msg"
_MOST = 16  # sections of the theme; there are six


def remember() -> None:
    """Streamlit reads some 500 options six times for each run of the script, which was an eighth of the time of an answer.

    They change where the configuration file is read again, and nowhere else; then the theme is worked out anew. Of a Streamlit
    that does this in another way nothing is changed.
    """
    populate = getattr(app_session, _NAME, None)
    if populate is None or hasattr(populate, "forget"):
        return

    @lru_cache(maxsize=_MOST)
    def filled(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        populate(message, section)
        return message

    def remembered(message: CustomThemeConfig, section: str = "theme") -> None:
        kept = filled(section)
        if kept.ByteSize():  # else the part of the message is not there at all, which is not the same as empty
            message.MergeFrom(kept)

    vars(remembered)["forget"] = filled.cache_clear
    config.on_config_parsed(filled.cache_clear, force_connect=True)
    setattr(app_session, _NAME, remembered)
