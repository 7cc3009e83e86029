"""The files of docs/hosting agree with the app, one another, and the service that the page describes. Docker is not asked."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.benchmarks import nginx

ROOT = Path(__file__).parents[1]
HOSTING = ROOT / "docs" / "hosting"
SITE = nginx.TEMPLATE.read_text(encoding="utf-8")
SERVICE = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")


def _steps(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile and their arguments, in order."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")).replace("\\\n", " ")
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines.splitlines() if line.strip())]


STEPS = _steps((HOSTING / "Dockerfile").read_text(encoding="utf-8"))
COPIED = {what for name, rest in STEPS if name == "COPY" for what in rest.split()[:-1]}


def _compose() -> Any:
    return yaml.safe_load((HOSTING / "compose.yaml").read_text(encoding="utf-8"))


def _given(name: str) -> str:
    (rest,) = (rest for step, rest in STEPS if step == name)
    return rest


def test_the_image_is_slim_and_of_a_python_that_the_pins_were_made_for() -> None:
    version = re.fullmatch(r"PYTHON=python:(\d\.\d+)-slim-\w+", _given("ARG"))
    assert version is not None
    assert f">={version[1]}" == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f"--python-version {version[1]}" in (ROOT / "Makefile").read_text()
    assert _given("FROM") == "${PYTHON}"


def test_packages_come_by_their_hashes_and_the_app_runs_as_a_user_without_rights() -> None:
    (install,) = (rest for name, rest in STEPS if name == "RUN" and "pip" in rest)
    assert {"--require-hashes", "--no-build-isolation", "requirements.txt"} <= set(install.split())
    (made,) = (rest for name, rest in STEPS if name == "RUN" and rest.startswith("useradd"))
    assert f"--uid {_given('USER')} " in made
    assert _given("USER") != "0"
    assert [name for name, _ in STEPS].index("USER") > max(
        place for place, step in enumerate(STEPS) if step[0] in ("COPY", "RUN")
    )


def test_the_image_holds_what_the_app_needs_and_docker_is_sent_nothing_else() -> None:
    assert {"requirements.txt", ".streamlit", "app.py", "dpcore", "pages", "data", "docs"} == COPIED
    assert all((ROOT / name).exists() for name in COPIED)
    ignored = (HOSTING / "Dockerfile.dockerignore").read_text().splitlines()
    assert ignored[1] == "*"
    assert {line[1:] for line in ignored if line.startswith("!")} == COPIED
    assert json.loads(_given("CMD")) == ["streamlit", "run", "app.py"]


def test_its_health_is_asked_at_the_port_that_it_listens_on() -> None:
    program, *options = json.loads(_given("HEALTHCHECK").partition("CMD ")[2])
    assert (program, options[0]) == ("python", "-c")
    ast.parse(options[1])
    assert "/_stcore/health" in options[1]
    assert "STREAMLIT_SERVER_PORT" in options[1]
    assert "STREAMLIT_SERVER_PORT=8501" in _given("ENV").split()
    assert _given("EXPOSE") == "8501"


def test_nginx_finds_both_processes_where_compose_starts_them() -> None:
    services = _compose()["services"]
    to = services["nginx"]["environment"]
    assert set(to) == set(re.findall(r"\$\{(\w+)\}", SITE))
    for name, port in (("a", "8501"), ("b", "8502")):
        address = services[name]["networks"]["inside"]["ipv4_address"]
        assert to[f"DP_{name.upper()}"] == address
        assert services[name]["environment"]["STREAMLIT_SERVER_PORT"] == port
        assert f"${{DP_{name.upper()}}}:{port}" in SITE
    addresses = [one["networks"]["inside"]["ipv4_address"] for one in services.values()]
    (subnet,) = _compose()["networks"]["inside"]["ipam"]["config"]
    assert len(set(addresses)) == 3
    assert {address.rpartition(".")[0] for address in addresses} == {subnet["subnet"].rpartition(".")[0]}


def test_only_nginx_is_reached_from_outside_and_each_process_answers_under_the_name_of_the_site_alone() -> None:
    made = _compose()
    assert made["networks"]["inside"]["internal"] is True
    for name in ("a", "b"):
        process = made["services"][name]
        assert "ports" not in process
        assert set(process["networks"]) == {"inside"}
        assert re.sub(r":\?[^}]*", "", process["environment"]["STREAMLIT_SERVER_ALLOWED_HOSTS"]) == "${DP_NAME} 127.0.0.1"
    assert made["services"]["nginx"]["ports"] == ["80:80", "443:443"]
    assert {int(port) for port in re.findall(r"listen (\d+)", SITE)} == {80, 443}


def test_a_process_of_the_class_has_the_limits_of_the_service() -> None:
    limits = dict(re.findall(r"^(\w+)=(\w+)$", SERVICE, re.MULTILINE))
    for name in ("a", "b"):
        process = _compose()["services"][name]
        assert process["read_only"] is True
        assert process["cap_drop"] == ["ALL"]
        assert process["ulimits"] == {"nofile": int(limits["LimitNOFILE"]), "core": int(limits["LimitCORE"])}
        assert process["mem_limit"] == process["memswap_limit"] == limits["MemoryMax"].lower()
        assert limits["MemorySwapMax"] == "0"
    assert "TMPDIR=/dev/shm" in _given("ENV").split()
    assert "Environment=TMPDIR=/dev/shm" in SERVICE


def test_what_compose_names_is_there() -> None:
    made = _compose()
    for name in ("a", "b"):
        build = made["services"][name]["build"]
        context = (HOSTING / build["context"]).resolve()
        assert context == ROOT
        assert (context / build["dockerfile"]).is_file()
    site, _ = made["services"]["nginx"]["volumes"]
    assert (HOSTING / site.split(":")[0]).is_file()
    most = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"]["maxUploadSize"]
    assert f"client_max_body_size {most + 1}m;" in SITE


def _words(directives: list[nginx.Directive], name: str) -> list[list[str]]:
    """The arguments of every directive of this name in a block."""
    return [words[1:] for words, _ in directives if words[0] == name]


def _block(directives: list[nginx.Directive], *words: str) -> list[nginx.Directive]:
    (found,) = (block for opened, block in directives if opened[: len(words)] == list(words))
    return found


def test_nginx_has_the_limits_and_headers_that_the_page_promises() -> None:
    site = nginx.parse(SITE)
    _, tls = (block for words, block in site if words == ["server"])
    for zone in ("limit_req", "limit_conn"):
        zones = {word.removeprefix("zone=") for words in _words(tls, zone) for word in words}
        made = {word.split("=")[1].split(":")[0] for words in _words(site, f"{zone}_zone") for word in words if "zone=" in word}
        assert made
        assert made <= zones
    assert ["client_max_body_size", "51m"] in [words for words, _ in tls]
    for name in ("access_log", "proxy_buffering", "proxy_request_buffering", "server_tokens"):
        assert _words(tls, name) == [["off"]]
    headers = {words[0]: words[1:] for words in _words(tls, "add_header")}
    assert headers == {
        "Set-Cookie": ["$new_cookie", "always"],
        "Content-Security-Policy": ["$policy", "always"],
        "X-Content-Type-Options": ["nosniff", "always"],
        "Referrer-Policy": ["no-referrer", "always"],
    }
    assert not [words for _, block in tls for words in _words(block, "add_header")], "a block that adds one drops all others"
    assert _block(site, "map", "$upstream_http_content_security_policy")[0] == (
        ["", "default-src 'none'; frame-ancestors 'none'"],
        [],
    )
    proxied = _block(tls, "location", "/")
    assert ["Host", "$http_host"] in _words(proxied, "proxy_set_header")
    assert ["Upgrade", "$http_upgrade"] in _words(proxied, "proxy_set_header")


def test_nginx_never_sends_a_browser_to_another_process() -> None:
    """One that was sent there while its own restarts would come back to a ledger that lacks what was spent meanwhile."""
    site = nginx.parse(SITE)
    upstream = _block(site, "upstream", "app")
    assert _words(upstream, "hash") == [["$browser", "consistent"]]
    servers = _words(upstream, "server")
    assert len(servers) == 2
    assert all(words[1:] == ["max_fails=0"] for words in servers)
    _, tls = (block for words, block in site if words == ["server"])
    assert _words(_block(tls, "location", "/"), "proxy_next_upstream") == [["off"]]
    key, cookie = ({words[0]: words[1] for words, _ in block} for words, block in site if words[1:2] == ["$cookie_dp_browser"])
    assert key == {"": "$request_id", "default": "$cookie_dp_browser"}
    first, *rest = cookie[""].split("; ")
    assert first == "dp_browser=$request_id", "the cookie that is set is the key of the answer that sets it"
    assert {"HttpOnly", "Secure", "SameSite=Lax", "Path=/"} < set(rest)
    assert cookie["default"] == ""


def test_nginx_takes_the_site(tmp_path: Path) -> None:
    """Ask ``nginx -t`` if nginx is installed. Otherwise read it: each directive ends, and only places are filled in."""
    programs = shutil.which("nginx"), shutil.which("openssl")
    if not all(programs):
        assert len(nginx.parse(SITE)) == len(nginx.parse(SITE.replace("${DP_NAME}", "dp.example.org")))
        return
    made = nginx.write(tmp_path, apps=(8501, 8502), port=8443, plain_port=8080)
    tried = subprocess.run(
        [str(programs[0]), "-t", "-c", str(made), "-p", str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    assert tried.returncode == 0, tried.stderr


@pytest.mark.parametrize("broken", ["server { listen 80 }", "server { listen 80;", "listen 80", "listen 80; }"])
def test_a_site_with_a_missing_mark_is_noticed(broken: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        nginx.parse(broken)
