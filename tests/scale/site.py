"""nginx's files for a run: the very site of docs/hosting, with other ports, a certificate of its own and a log."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

NAME = "dp.example.org"
HOSTING = Path(__file__).parents[2] / "docs" / "hosting.md"
SITE = HOSTING.with_name("hosting") / "nginx.conf.template"
_OUTER = Path(__file__).with_name("nginx.conf")


def write_site(folder: Path, *, apps: tuple[int, int], redirect: int, plain: int, tls: int) -> None:
    """Into ``folder``, nginx's prefix; it listens for people on ``tls``, and on ``plain`` for clients that measure."""
    folder.chmod(0o755)  # nginx's worker is nobody, and must find it if it wants to write
    key, certificate = _certificate(folder)
    replaced = {
        "listen 80;": f"listen 127.0.0.1:{redirect};",
        "listen 443 ssl;": f"listen 127.0.0.1:{tls} ssl; listen 127.0.0.1:{plain};",
        "/etc/letsencrypt/live/${DP_NAME}/fullchain.pem": certificate,
        "/etc/letsencrypt/live/${DP_NAME}/privkey.pem": key,
        "${DP_NAME}": NAME,
        "${DP_A}": "127.0.0.1",
        "${DP_B}": "127.0.0.1",
        ":8501": f":{apps[0]}",
        ":8502": f":{apps[1]}",
        "access_log off;": "access_log visits visits;",
        "error_log /var/log/nginx/error.log crit;": "",
    }
    text = SITE.read_text(encoding="utf-8")
    for old, new in replaced.items():
        if old not in text:
            raise LookupError(f"{SITE.name} no longer holds {old!r}, which the measured site must replace")
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text)
    shutil.copy(_OUTER, folder / "nginx.conf")


def _certificate(folder: Path) -> tuple[str, str]:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "1",
            "-subj",
            f"/CN={NAME}",
            "-addext",
            f"subjectAltName=DNS:{NAME}",
            "-keyout",
            str(key),
            "-out",
            str(certificate),
        ],
        check=True,
        capture_output=True,
        timeout=30,
    )
    return str(key), str(certificate)
