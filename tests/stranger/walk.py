"""Walks a copy of the app with a new file in each room: all in one process, for an app takes seconds to start."""

from __future__ import annotations

from tests.stranger import walk_curve, walk_mechanism, walk_oracle, walk_target

WALKS = {"targets": walk_target, "oracles": walk_oracle, "curves": walk_curve, "mechanisms": walk_mechanism}

if __name__ == "__main__":
    for room, walk in WALKS.items():
        walk.walk()
        print("walked", room)
