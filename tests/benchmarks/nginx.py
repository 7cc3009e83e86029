"""nginx with the site of docs/hosting, in a temporary folder, at ports of 127.0.0.1."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

TEMPLATE = Path(__file__).parents[2] / "docs" / "hosting" / "nginx.conf.template"
NAME = "localhost"
Directive = tuple[list[str], list["Directive"]]  # its words, and the directives in its block

_TOKEN = re.compile(r"""\s+|\#[^\n]*|"((?:[^"\\]|\\.)*)"|(\$\{\w+\}|[^\s;{}"])+|[;{}]""")


def parse(text: str) -> list[Directive]:
    """Return the directives of a configuration. ValueError if a brace or a semicolon is missing."""
    found, outside, words = list[Directive](), list[list[Directive]](), list[str]()
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.isspace() or token.startswith("#"):
            continue
        if token == ";":
            found.append((words, []))
            words = []
        elif token == "{":
            found.append((words, []))
            outside.append(found)
            found, words = found[-1][1], []
        elif token == "}":
            if words or not outside:
                raise ValueError(f"expected a semicolon or a block before a brace, got {words}")
            found = outside.pop()
        else:
            words.append(token.strip('"'))
    if words or outside:
        raise ValueError(f"expected the end of {words or 'a block'}")
    return found


def write(folder: Path, *, apps: Sequence[int], port: int, plain_port: int) -> Path:
    """Write a configuration that nginx takes: the site for two apps at these ports, with a new certificate.

    Only places are changed: addresses, ports and folders. Each answer also says which app gave it (``X-Answered``).
    """
    certificate = folder / "live" / NAME
    certificate.mkdir(parents=True)
    files = "-keyout", str(certificate / "privkey.pem"), "-out", str(certificate / "fullchain.pem")
    options = "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"
    subprocess.run(["openssl", "req", *options, *files], check=True, capture_output=True, timeout=60)
    site = TEMPLATE.read_text(encoding="utf-8")
    changes = {
        "/etc/letsencrypt": str(folder),
        "/var/log/nginx/error.log": str(folder / "site.log"),
        "${DP_NAME}": NAME,
        "${DP_A}:8501": f"127.0.0.1:{apps[0]}",
        "${DP_B}:8502": f"127.0.0.1:{apps[1]}",
        "listen 80;": f"listen 127.0.0.1:{plain_port};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl; add_header X-Answered $upstream_addr always;",
    }
    for old, new in changes.items():
        assert old in site, old
        site = site.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    whole = f"""daemon off; master_process off; pid {folder / "pid"}; error_log {folder / "error.log"};
events {{ worker_connections 1024; }}
http {{ {temporary}
{site}
}}
"""
    path = folder / "nginx.conf"
    path.write_text(whole, encoding="utf-8")
    return path
