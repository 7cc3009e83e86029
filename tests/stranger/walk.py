"""Walks a copy of the app with a new file in each room: all in one process, for an app takes seconds to start."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

from pages.old.about import page
from tests.stranger import walk_curve, walk_mechanism, walk_oracle, walk_target

WALKS = {"targets": walk_target, "oracles": walk_oracle, "curves": walk_curve, "mechanisms": walk_mechanism}
FEW = 100  # pairs on which the audit of samplers looks: no walk is about it

if __name__ == "__main__":
    with patch.object(page, "coverages", partial(page.coverages, pairs=FEW)):
        for room, walk in WALKS.items():
            walk.walk()
            print("walked", room)
