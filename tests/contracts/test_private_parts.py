"""Each part of Streamlit and starlette that the app leans on and that they do not promise, with what it is for.

``pyproject.toml`` bounds Streamlit above. To raise the bound: install the next version, run this file, mend what it names, and
run the tests in ``tests/browser``.
"""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IMPORTED = {
    "starlette.exceptions:HTTPException": "an upload beyond the limits is refused with status 413",
    "starlette.formparsers:MultiPartParser.spool_max_size": "an upload stays in memory",
    "starlette.middleware:Middleware": "our own rules stand before Streamlit",
    "starlette.requests:Request": "the module that draws under the hand is given",
    "starlette.responses:Response": "the module that draws under the hand is given",
    "starlette.routing:Route": "the module that draws under the hand is given",
    "starlette.types:ASGIApp": "our own rules stand before Streamlit",
    "starlette.types:Message": "our own rules stand before Streamlit",
    "starlette.types:Receive": "our own rules stand before Streamlit",
    "starlette.types:Scope": "our own rules stand before Streamlit",
    "starlette.types:Send": "our own rules stand before Streamlit",
    "streamlit:config.on_config_parsed": "the theme is worked out anew where the configuration was read again",
    "streamlit:file_util.get_static_dir": "the policy allows the inline line of Streamlit's own page",
    "streamlit:runtime.exists": "tests of pages have no server",
    "streamlit:runtime.get_instance": "sessions and uploads are found",
    "streamlit.proto.NewSession_pb2:CustomThemeConfig": "the theme is worked out once",
    "streamlit.runtime:app_session._populate_theme_msg": "the theme is worked out once",
    "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager.add_file": "uploads are counted as they arrive",
    "streamlit.runtime.pages_manager:PagesManager.uses_pages_directory": "pages are run by app.py alone",
    "streamlit.runtime.scriptrunner:get_script_run_ctx": "a job knows whose it is",
    "streamlit.runtime.session_manager:SessionInfo": "sessions that were left are kept for a while",
    "streamlit.runtime.session_manager:SessionStorage": "sessions that were left are kept for a while",
    "streamlit.runtime.state.safe_session_state:SafeSessionState.filtered_state": "one key is looked up where it stands",
    "streamlit.runtime.state.session_state:SessionState": "callbacks of a tab run one after another",
    "streamlit.runtime.uploaded_file_manager:UploadedFileRec": "uploads are counted as they arrive",
    "streamlit.web.cli:main": "the installed command starts the app as Streamlit's own does",
    "streamlit.web.server.server_util:get_url": "the installed command opens the browser",
    "streamlit.web.server.starlette.starlette_websocket:is_host_allowed": "requests for a stranger's name are refused",
}
ASKED = {
    "streamlit:App": "our own rules stand before Streamlit",
    "streamlit:components.v2.component": "browsers run our components",
    "streamlit.runtime.app_session:AppSession.request_rerun": "open pages are told that the server stops",
    "streamlit.runtime.app_session:AppSession.shutdown": "the first of too many sessions is given up",
    "streamlit.runtime.runtime:Runtime.is_active_session": "a job ends when its tab is gone",
    "streamlit.runtime.runtime:Runtime.close_session": "sessions that were left are ended",
    "streamlit.runtime.runtime:Runtime.uploaded_file_mgr": "uploads of all tabs are counted",
    "streamlit.runtime.session_manager:SessionManager.list_active_sessions": "open pages are told that the server stops",
}
_STORAGE = "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager"
SET = {  # attributes that a constructor sets
    "streamlit.runtime.app_session:AppSession": ("id", "sessions that were left are kept for a while"),
    "streamlit.runtime.runtime:Runtime": ("_session_mgr", "sessions are found"),
    "streamlit.runtime.websocket_session_manager:WebsocketSessionManager": ("_session_storage", "who has left is forgotten"),
    _STORAGE: ("file_storage", "uploads of all tabs are counted"),
}
_MARKED = re.compile(r"data-testid=\\?\"(st\w+)\\?\"")


def _gone(what: str, why: str) -> str:
    have = f"Streamlit {version('streamlit')}, starlette {version('starlette')}"
    return f"{have}: {what} is gone, by which {why}. Find what took its place, or bound Streamlit below this version."


@pytest.mark.parametrize("path", [*IMPORTED, *ASKED])
def test_each_part_is_there(path: str) -> None:
    try:
        pkgutil.resolve_name(path)
    except (AttributeError, ImportError):
        pytest.fail(_gone(path, (IMPORTED | ASKED)[path]))


@pytest.mark.parametrize("path", SET)
def test_each_attribute_is_set(path: str) -> None:
    name, why = SET[path]
    try:
        told = inspect.getsource(pkgutil.resolve_name(path).__init__)
    except (AttributeError, ImportError):
        told = ""
    assert re.search(rf"\bself\.{name}\b[^=\n]*=", told), _gone(f"{path}.{name}", why)


def test_the_page_has_every_mark_that_styles_and_scripts_look_for() -> None:
    from streamlit import file_util

    sent = "".join(path.read_text(encoding="utf-8") for path in Path(file_util.get_static_dir()).rglob("*.js"))
    found = {mark for path in _sources() for mark in _MARKED.findall(path.read_text(encoding="utf-8"))}
    assert found
    gone = sorted(mark for mark in found if mark not in sent)
    assert not gone, _gone(f"data-testid {', '.join(gone)}", "pages are laid out")


def test_whatever_is_imported_from_inside_is_named_here() -> None:
    named = {_top(path) for path in IMPORTED}
    used = {one for path in _sources() for one in _imported(path)}
    assert used - named == set()
    assert named - used == set(), "named here, and imported nowhere"


def test_no_other_private_attribute_of_streamlit_is_asked_for() -> None:
    """One that begins with "_", of something that is no module and no object of our own."""
    asked = re.compile(r"(?:runtime|manager|manager\(\)|get_instance\(\))\.(_[a-z]\w*)")
    found = {name for path in _sources() for name in asked.findall(path.read_text(encoding="utf-8"))}
    assert found == {"_session_mgr", "_session_storage"}


def test_streamlit_is_bounded_above_and_its_pin_is_within() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = next(one for one in project["project"]["optional-dependencies"]["app"] if one.startswith("streamlit"))
    least, beyond = re.fullmatch(r"streamlit>=([\d.]+),<([\d.]+)", wanted).groups()  # type: ignore[union-attr]
    pinned = re.search(r"^streamlit==([\d.]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert pinned is not None
    assert _numbers(least) <= _numbers(pinned[1]) < _numbers(beyond)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _top(path: str) -> str:
    """The module and the name that is imported from it."""
    module, _, name = path.partition(":")
    return f"{module}:{name.split('.')[0]}"


def _sources() -> list[Path]:
    return [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]


def _imported(path: Path) -> Iterator[str]:
    """What a file imports from Streamlit's or starlette's modules, but ``import streamlit`` itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("streamlit", "starlette"):
            yield from (f"{node.module}:{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(("streamlit.", "starlette")))
