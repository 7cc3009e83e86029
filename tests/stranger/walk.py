"""Walks a copy of the app with a new file in three rooms: all in one process, for an app takes seconds to start."""

from __future__ import annotations

from tests.stranger import walk_mechanism, walk_oracle, walk_target

WALKS = {"targets": walk_target, "oracles": walk_oracle, "mechanisms": walk_mechanism}

if __name__ == "__main__":
    for room, walk in WALKS.items():
        walk.walk()
        print("walked", room)
