"""How a response was made, in words: its noise, and what that was sized to."""

from __future__ import annotations

from contextlib import suppress

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.registry.catalog import members
from pages.experiment.defaults import title
from pages.experiment.scenario import Scenario
from pages.shared.escape import behind, escaped
from pages.state.release_entry import Entry
from pages.wording.values import bound_words


def made(entry: Entry) -> str:
    """How the response was made, in words."""
    release = entry.release
    assert release is not None
    of = release.provenance
    sensitivity = counted(words.figure(float(of["sensitivity"] or 0)), behind(moved_after(entry.about.answer)))
    noise = _noise(entry, words.figure(release.scale))
    if "sample_id" not in of:
        return f"{noise}, sized to the worst case, {sensitivity}."
    return (
        f"{noise}, sized to Δ̂ = {sensitivity}: number {of['k']:,} of {counted(format(of['m'], ','), ' trials')} under "
        f"{bound_words(str(of['bound']))}. The oracle was {escaped(entry.about.oracle)}."
    )


def _noise(entry: Entry, scale: str) -> str:
    """A choice in the receipt's words; other noise by its mechanism's name."""
    assert entry.release is not None
    settings, mechanism = entry.about.settings, entry.release.mechanism
    with suppress(DpcoreError):  # settings of members that are gone
        if settings is not None and (way := Scenario.from_json(settings).mechanism.chosen_by):
            return f"It was chosen by {way}, with noise of scale {scale}"
    kind = members("mechanisms").get(mechanism)
    return f"{facts(kind).in_words or f'{title(mechanism)} noise'} has scale {scale}"
