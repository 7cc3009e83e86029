"""The wheel holds the app below a package of its own, and its command runs it in an empty folder."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
import tomllib
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from data.exhibits.exhibit import gallery
from pages.experiment.tables import DATA
from pages.files.tables import read_catalog
from tests.benchmarks.client import CHARTS, tab
from tests.browser.server import free_port

ROOT = Path(__file__).parents[2]
_HERE = "what_privacy_costs"
_NOT_THE_TREE = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "build", "*.egg-info")
_PRESENT = Path(sysconfig.get_paths()["purelib"])
_FOUND = f"""
import json, sys
from importlib.util import find_spec
sys.path.insert(0, next(iter(find_spec("{_HERE}").submodule_search_locations)))
from data.exhibits.exhibit import gallery
from pages.experiment.tables import DATA
from pages.files.tables import read_catalog
from data.exhibits.exhibit import gallery
print(json.dumps([str(DATA), list(read_catalog(DATA)), list(gallery())]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a copy of the tree, tests and documents with it."""
    tree, folder = tmp_path_factory.mktemp("copy") / "tree", tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, tree, ignore=_NOT_THE_TREE)
    _uv("build", "--wheel", "--quiet", "--out-dir", str(folder), str(tree))
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment of its own that has the wheel, and sees the packages of this one."""
    return _environment(tmp_path_factory.mktemp("environment"), wheel, _PRESENT)


def _environment(folder: Path, wheel: Path, packages: Path | None) -> Path:
    _uv("venv", "--quiet", "--clear", "--python", sys.executable, str(folder))
    python = folder / "bin" / "python"
    _uv("pip", "install", "--quiet", "--offline", "--no-deps", "--python", str(python), str(wheel))
    if packages is not None:
        (own,) = folder.glob("lib/*/site-packages")
        (own / "present.pth").write_text(f"{packages}\n")
    return folder / "bin"


def _uv(*command: str) -> None:
    _run(Path(sys.executable).with_name("uv"), *command)


def _run(program: Path, *options: str, cwd: Path | None = None, code: int = 0) -> str:
    """All that it says."""
    done = subprocess.run(
        [program, *options], cwd=cwd, env=_variables(), capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == code, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


def _variables(**others: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))} | others


def test_wheel_holds_library_app_and_data(wheel: Path) -> None:
    """Scripts that make the data are omitted, and so are tests."""
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    app = ["app.py", ".streamlit/config.toml", *_files("pages", "**/*"), *_files("data", "**/*")]
    app += [*_files("docs", "*.md"), *_files("docs/mathematics", "*.md")]
    making = [name for name in app if name.startswith("data/make_")]
    assert len(making) == 2
    assert held == {*_files("dpcore", "**/*.py"), *(f"{_HERE}/{name}" for name in app if name not in making)}


def _files(folder: str, pattern: str) -> list[str]:
    found = (path for path in ROOT.glob(f"{folder}/{pattern}") if path.is_file() and path.suffix != ".pyc")
    return [path.relative_to(ROOT).as_posix() for path in found]


def test_there_it_finds_every_table_and_every_exhibit(installed: Path, tmp_path: Path) -> None:
    folder, tables, exhibits = json.loads(_run(installed / "python", "-c", _FOUND, cwd=tmp_path))
    assert Path(folder).is_relative_to(installed.parent)
    assert tables == list(read_catalog(DATA))
    assert exhibits == list(gallery())


def test_pages_is_no_name_that_others_could_want(installed: Path, tmp_path: Path) -> None:
    code = "from importlib.util import find_spec as at; print(*(name for name in ('pages', 'data', 'app', 'dpcore') if at(name)))"
    assert _run(installed / "python", "-c", code, cwd=tmp_path).split() == ["dpcore"]


def test_command_shows_app_and_ends_at_ctrl_c(installed: Path, tmp_path: Path) -> None:
    """Whatever the holder's own settings say of another app, it listens here alone and tells nobody how it is used."""
    with _started(installed, tmp_path) as (process, address, log):
        assert {one.laddr.ip for one in psutil.Process(process.pid).net_connections() if one.status == psutil.CONN_LISTEN} == {
            "127.0.0.1"
        }
        with ThreadPoolExecutor(1) as thread:
            shown, pages, told = thread.submit(asyncio.run, _visit(address)).result()
        assert shown >= CHARTS
        assert not told
        assert {"explore", "learn", "release"} <= pages
        assert (tmp_path / "opened").read_text().split() == [address.replace("127.0.0.1", "localhost")]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 1)  # Streamlit may say "Aborted!"
        assert "Traceback" not in log.read_text()
    assert list((tmp_path / "empty").iterdir()) == []


async def _visit(address: str) -> tuple[set[str], set[str], bool]:
    """The charts of the first screen, the pages that there are, and whether the browser is asked to tell how it is used."""
    async with tab(address) as visitor:
        shown = set(visitor.charts)
        for page in ("learn", "release"):  # which read exhibits and lessons, and templates
            await visitor.go(page)
        return shown, {page or "explore" for page in visitor.pages}, visitor.tells


@contextmanager
def _started(installed: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], str, Path]]:
    """The command under a home whose settings are those of another app, with a browser that only notes what it is to open."""
    browser, log, port = folder / "browser", folder / "log", free_port()
    browser.write_text(f'#!/bin/sh\necho "$1" >>"{folder / "opened"}"\n')
    browser.chmod(0o755)
    (folder / "home" / ".streamlit").mkdir(parents=True)
    (folder / "home" / ".streamlit" / "config.toml").write_text(
        '[server]\naddress = "0.0.0.0"\nheadless = false\n[browser]\ngatherUsageStats = true\n'
    )
    (folder / "empty").mkdir()
    variables = _variables(BROWSER=str(browser), HOME=str(folder / "home"), STREAMLIT_BROWSER_GATHER_USAGE_STATS="true")
    with log.open("wb") as said:
        process = subprocess.Popen(
            [installed / "what-privacy-costs", "--server.port", str(port)],
            cwd=folder / "empty",
            env=variables,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    try:
        end = time.monotonic() + 60
        while not (folder / "opened").exists():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield process, f"http://127.0.0.1:{port}", log
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(20)


def test_command_without_packages_says_what_to_install(wheel: Path, tmp_path: Path) -> None:
    alone = _environment(tmp_path / "alone", wheel, None)
    said = _run(alone / "what-privacy-costs", cwd=tmp_path, code=1)
    assert said.startswith("The app needs packages that are not installed here (streamlit, plotly")
    assert said.endswith('in the folder of the project, run pip install ".[app]".\n')
    assert "Ctrl-C ends it" in _run(alone / "what-privacy-costs", "--help", cwd=tmp_path)
    some = tmp_path / "some"
    some.mkdir()
    for one in _PRESENT.iterdir():
        if not one.name.startswith("jinja2"):
            (some / one.name).symlink_to(one)
    said = _run(_environment(tmp_path / "lacking", wheel, some) / "what-privacy-costs", cwd=tmp_path, code=1)
    assert "(jinja2): in the folder of the project" in said


def test_the_extra_app_has_all_others() -> None:
    extras: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert f"dpcore[{','.join(sorted(set(extras) - {'app'}))}]" in extras["app"]
