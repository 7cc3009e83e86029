"""Several answers of one response, each of its own kind and in its own unit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.facts import facts
from dpcore.base.rounded import ShownNumber, first_of
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True, slots=True)
class Several:
    """``of``: the kinds of answers, in order. ``sizes``: how many numbers each has. ``widths``: its share of the noise.

    A response is a vector of all their numbers, each over its width (``targets.Together``).
    """

    of: tuple[KindOfAnswer, ...]
    sizes: tuple[int, ...]
    widths: tuple[float, ...]
    unit: ClassVar[str] = ""
    after: ClassVar[str] = ""
    moved_after: ClassVar[str] = ""  # what moves are shares

    @property
    def labels(self) -> tuple[str, ...]:
        """Those of each answer, one after another."""
        return tuple(label for kind in self.of for label in kind.labels)

    def split(self, response: FloatArray, /) -> tuple[FloatArray, ...]:
        """Each answer's own numbers in its own unit: (..., d) -> one (..., d_i) an answer."""
        if response.shape[-1] != sum(self.sizes):
            raise InvalidValueError("response", f"of {sum(self.sizes)} numbers", response.shape)
        parts = np.split(response, np.cumsum(self.sizes)[:-1], axis=-1)
        return tuple(part * width for part, width in zip(parts, self.widths, strict=True))

    def within(self, law: Any, response: FloatArray | None, share: float, /) -> tuple[float, ...] | None:
        """Within which distance of each shown number, taken alone, that share of responses lies; None of no response."""
        if response is None:
            return None
        each = zip(self.of, self.split(response), self.widths, strict=True)
        return tuple(
            near for kind, part, width in each for near in _near(kind, part, replace(law, scale=law.scale * width), share)
        )

    def brief(self, response: FloatArray, /) -> str:
        """The first answers."""
        return first_of((kind.brief(part) for kind, part in zip(self.of, self.split(response), strict=True)), len(self.of))

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each answer with its unit, one after another."""
        return tuple(row for kind, part in zip(self.of, self.split(response), strict=True) for row in kind.parts(part))

    def shown(self, response: FloatArray, /) -> tuple[ShownNumber, ...]:
        """Each number of each answer by itself, with the number of its question; of kinds that have such."""
        found: list[ShownNumber] = []
        questions = zip(self.of, self.widths, self.split(response), strict=True)
        for place, (kind, width, part) in enumerate(questions, 1):
            numbers = (facts(kind).shown or _none)(part)
            found += [number.widened(width).called(f"{number.name} (question {place})") for number in numbers]
        return tuple(found)

    def plain(self, response: FloatArray, /) -> list[Any]:
        """As JSON: what stands for each answer, in order."""
        return [kind.plain(part) for kind, part in zip(self.of, self.split(response), strict=True)]


def _none(_: FloatArray) -> tuple[ShownNumber, ...]:
    return ()


def _near(kind: Any, part: FloatArray, law: Any, share: float) -> tuple[float, ...]:
    """Of one answer: as its kind has it, else that of the noise on each number."""
    if facts(kind).within is None:
        return (float(law.half_width(share)),) * part.size
    found: float | tuple[float, ...] = kind.within(law, part, share)
    return found if isinstance(found, tuple) else (found,)
