"""cells.py NOTEBOOK: runs the code cells of a notebook in order, as a kernel does, where nothing but Python is installed.

It prints how many cells ran, and how many showed a figure.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

names = {"__name__": "__main__"}
cells = shown = 0
for cell in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["cells"]:
    if cell["cell_type"] == "code":
        body = ast.parse("".join(cell["source"])).body
        last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = None if last is None else eval(compile(last, "cell", "eval"), names)
        shown += type(value).__name__ == "Figure"
        cells += 1
print(f"cells {cells}, figures {shown}")
