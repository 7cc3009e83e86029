"""The command ``what-privacy-costs``: ``streamlit run app.py`` from any folder, and the browser at its address."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

_APP = Path(__file__).parents[2] / "app.py"
OPENS_BROWSER = "--open-browser"  # argument of app.py: Streamlit does not open the browser for an ``st.App``
_PACKAGES = ("streamlit", "plotly", "pandas", "pyarrow", "jinja2", "pptx", "python_calamine")
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
        lacks = f"The app needs packages that are not installed here ({', '.join(missing)})"
        sys.exit(f'{lacks}: in the folder of the project, run pip install ".[app]".')
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(_APP), *options, "--browser.gatherUsageStats", "false"]
    os.execv(sys.executable, [*command, "--", OPENS_BROWSER])


def _missing() -> list[str]:
    """Return the packages of the app that are not installed."""
    return [name for name in _PACKAGES if find_spec(name) is None]
