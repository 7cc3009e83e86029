"""Another name of ``pages.escape``."""

from pages.escape import escaped as escaped
