"""The command ``what-privacy-costs``: ``streamlit run app.py`` from any folder, and the browser at its address."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

_APP = Path(__file__).parents[2] / "app.py"
OPENS_BROWSER = "--open-browser"  # argument of app.py: Streamlit does not open the browser for an ``st.App``
_OURS = "dpcore"  # the distribution that holds the library and the app
_HELP = """Opens the app “What privacy costs” in the browser, for this computer only; Ctrl-C ends it.

Every option of `streamlit run` can follow, such as:
  --server.port 8600        another port than 8501
  --server.headless true    without a browser
`streamlit run --help` lists the others."""


def main() -> None:
    """Run the app until Ctrl-C or a signal. SystemExit with a sentence if packages are missing."""
    options = sys.argv[1:]
    if {"-h", "--help"} & set(options):
        print(_HELP)
        return
    if missing := _missing():
        sys.exit(_what_to_install(missing))
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(_APP), *options, "--browser.gatherUsageStats", "false"]
    os.execv(sys.executable, [*command, "--", OPENS_BROWSER])


def _missing() -> list[str]:
    """Return the packages of our extras that are missing or too old; the extra ``app`` has all of them."""
    try:
        from packaging.requirements import Requirement  # comes with Streamlit
    except ModuleNotFoundError:
        return ["streamlit"]
    extras = metadata.metadata(_OURS).get_all("Provides-Extra") or []
    asked = map(Requirement, metadata.requires(_OURS) or ())
    of_extras = (one for one in asked if one.marker and any(one.marker.evaluate({"extra": extra}) for extra in extras))
    return sorted({one.name for one in of_extras if not one.specifier.contains(_version(one.name))})


def _version(package: str) -> str:
    """Return the installed version; 0 if there is none, which fits no requirement."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "0"


def _what_to_install(missing: list[str]) -> str:
    first, others = ", ".join(missing[:3]), len(missing) - 3
    more = f" and {others} more" if others > 0 else ""
    lacks = f"The app needs packages that are not installed here ({first}{more})"
    return f'{lacks}: in the folder of the project, run pip install ".[app]".'
