"""What a million people in one file cost the app's own process, and the process that reads them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TITLE = "A million people in a file of 11 MB"
NOTE = (
    "From the bytes of the file to the answer: read, declared, arranged by people, and a sum asked of them, in a fresh process "
    "that has its imports made. Files of 1 to 16 MB are read in a process of their own, within 560 MB. The names have 8 "
    "letters each, or one of them has 49, by which each takes the room of 49."
)
WANTED_MEGABYTES, WANTED_SECONDS = 600, 5
_LONGEST = (8, 49)
_ROOT = Path(__file__).parents[2]
_CODE = """
import resource, sys, time
from pathlib import Path
import numpy, pandas, pyarrow.compute
from dpcore import targets
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import declared_table
from pages.files.persons import Persons
from pages.files.tables import Format, read_file
rows = (b"p%07d,%d\\n" % (i, i % 10) for i in range(10**6 - 1))
content = b"person,x\\n" + b"".join(rows) + b"q" * int(sys.argv[1]) + b",1\\n"
began, worked = time.perf_counter(), time.process_time()
draft = read_file(content, "people.csv", Format(), public=False)
number = Declaration(name="x", type="number", lowest="0", highest="9")
table = declared_table(draft, content, (number,), public=False, persons=Persons("person"))
asked = targets.Capped(targets.On(targets.Sum((0.0, 9.0)), ("x",)), "person", 1)
asked(table.prepare(("x", "person"), asked).database)
seconds, processor = time.perf_counter() - began, time.process_time() - worked
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
child = resource.getrusage(resource.RUSAGE_CHILDREN)
print(seconds, processor, int(peak.split()[1]) / 1024, child.ru_maxrss / 1024, child.ru_utime + child.ru_stime)
"""


def rows() -> Iterator[tuple[str, str, str]]:
    """(what, wanted, measured) for each file."""
    for longest in _LONGEST:
        command = [sys.executable, "-c", _CODE, str(longest)]
        done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True, timeout=300)
        seconds, processor, here, there, its = map(float, done.stdout.split())
        names = f"names of {longest} letters"
        yield f"{names}: the app's own process at its largest", f"≤ {WANTED_MEGABYTES} MB", f"{here:.0f} MB"
        yield f"{names}: the process that reads, at its largest", f"≤ {WANTED_MEGABYTES} MB", f"{there:.0f} MB"
        yield f"{names}: from the file to the answer", f"≤ {WANTED_SECONDS} s", f"{seconds:.1f} s"
        yield f"{names}: of that, work in the app's own process", "shown", f"{processor:.2f} s, {its:.2f} s beside it"
