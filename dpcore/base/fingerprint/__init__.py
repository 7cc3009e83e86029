"""What a target or an oracle is, as JSON and as a SHA-256: provenance and ledger tell them apart by it."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any

import numpy as np

from dpcore.base.fingerprint.contents import contents
from dpcore.base.fingerprint.described import describe, to_json

__all__ = ["describe", "fingerprint", "to_json"]


def fingerprint(value: Any) -> str:
    """The SHA-256 of the JSON of a catalogue member, else of all that it consists of, else a name that is given once.

    Two that do different things never share it: to resume, and in a ledger, that would be a wrong guarantee. Two that do the
    same may differ, as a function that was given another name. It is the same in every process with the same code.

    What is not of the catalogue is followed through everything that it names. Code is taken by its bytecode, with its
    defaults, what it closes over, and the present value of each global that it or its nested functions read. A class is taken
    with its bases, its metaclass and each attribute; an object with its class and what ``__reduce__`` or ``__getstate__`` say
    that it is, which is also what a worker process is sent; an array with its dtype and its bytes. Python, dpcore and what is
    installed in site-packages are taken by name and version.

    Where that cannot be told with certainty the fingerprint is a new one each time; then nothing is resumed and no plan
    admits it. This is so for code that uses ``getattr``, ``globals``, ``eval``, ``open``, ``importlib`` or the like, for
    compiled code of the user's own, and for objects that do not pickle (but locks).

    It does not see what a target reads while it runs: files, the network, the clock, the environment, random numbers. Nor
    does it see changes that are made to installed packages in memory, or on disk behind their version. A target must be
    deterministic and must hold all that it uses.
    """
    try:
        content = json.dumps(to_json(value, array=_array), sort_keys=True).encode()
    except TypeError:
        try:
            return contents(value)
        except Exception:  # looking at an object runs its own code, which can raise anything
            return f"{describe(value)}@{secrets.token_hex(16)}"
    return hashlib.sha256(content).hexdigest()


def _array(array: np.ndarray[Any, Any]) -> Any:
    """Floats as they always were; of others the type too, as the names of columns are part of what a target reads."""
    return array.tolist() if array.dtype == np.float64 else {"dtype": repr(array.dtype), "values": array.tolist()}
