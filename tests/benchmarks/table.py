"""``make bench``: every number of the project in one run, as a Markdown table."""

from __future__ import annotations

import os
import sys

from tests.benchmarks import app, core, mechanisms


def main() -> None:
    """Print the table; the load average tells how busy the machine was."""
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n")
    print("| what | wanted | measured |\n|---|---|---|")
    for module in (core, mechanisms, app):
        for row in module.rows():
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
