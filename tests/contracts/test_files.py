"""Every file of a room is a kind, or helps one; any other is left out, with a sentence that names it."""

from __future__ import annotations

from dpcore.registry import catalog
from dpcore.registry.files import ROOMS
from tests.contracts.conftest import Put

_CALLED = "    def __call__(self, database, /):\n        return database[:1]\n"
_HEAD = "from dataclasses import dataclass\n"
_FROZEN = f"{_HEAD}@dataclass(frozen=True)\n"
_MECHANISM = "from dpcore.mechanisms.base import Mechanism\n"

LEFT_OUT = {  # room, file and source; what the sentence says of it
    "a slip of the pen": ("targets", "trimmed", "def f(:\n", ("does not import: SyntaxError", "Mend it")),
    "a library that is not there": ("oracles", "far", "import no_such_library\n", ("ModuleNotFoundError", "'no_such_library'")),
    "a fault of its own": ("curves", "steep", "1 / 0\n", ("ZeroDivisionError, division by zero",)),
    "one that ends the program": ("mechanisms", "loud", "raise SystemExit(1)\n", ("does not import: SystemExit",)),
    "nothing in it": ("targets", "empty", "", ("declares no kind", "a frozen dataclass Empty", "there is no dataclass")),
    "no dataclass": ("targets", "bare", f"class Bare:\n{_CALLED}", ("declares Bare, which is no frozen dataclass",)),
    "not frozen": ("targets", "soft", f"{_HEAD}@dataclass\nclass Soft:\n{_CALLED}", ("@dataclass(frozen=True)",)),
    "another name than its file": (
        "targets",
        "cut",
        f"{_FROZEN}class CutMean:\n{_CALLED}",
        ("declares CutMean", "Rename the file to cut_mean.py"),
    ),
    "the name of a kind of its room": (
        "targets",
        "mean_again",
        f"{_FROZEN}class Mean:\n{_CALLED}",
        ("declares Mean", "mean.py is there already"),
    ),
    "the name of a curve": (
        "targets",
        "kernel_density",
        f"{_FROZEN}class KernelDensity:\n{_CALLED}",
        ("dpcore/curves/kernel_density.py",),
    ),
    "the name of a target": (
        "curves",
        "mean",
        f"{_FROZEN}class Mean:\n    def values(self, database, points, /): ...\n",
        ("dpcore/targets/mean.py",),
    ),
    "two of one file": (
        "targets",
        "linear_fit",
        f"{_FROZEN}class LinearFit:\n{_CALLED}@dataclass(frozen=True)\nclass LinearFIT:\n{_CALLED}",
        ("LinearFit and LinearFIT", "one kind a file"),
    ),
    "a target that cannot be called": ("targets", "mute", f"{_FROZEN}class Mute: ...\n", ("can be called",)),
    "an oracle that draws nothing": ("oracles", "dry", f"{_FROZEN}class Dry:\n{_CALLED}", ("has draw(databases, ",)),
    "a curve without values": ("curves", "flat", f"{_FROZEN}class Flat:\n{_CALLED}", ("has values(database, points)",)),
    "a mechanism that is none": ("mechanisms", "lone", f"{_FROZEN}class Lone:\n{_CALLED}", ("inherits Mechanism",)),
    "half a mechanism": (
        "mechanisms",
        "half",
        f"{_MECHANISM}{_FROZEN}class Half(Mechanism):\n    pass\n",
        ("law and norm and privacy too",),
    ),
}


def test_every_file_of_ours_is_a_kind_or_helps_one() -> None:
    assert catalog.findings() == ()
    assert all(len(catalog.members(room)) > 1 for room in ROOMS)


def test_a_file_that_is_no_kind_is_left_out_with_a_sentence(put: Put) -> None:
    before = {each: dict(catalog.members(each)) for each in ROOMS}
    for room, file, source, _ in LEFT_OUT.values():
        put(room, file, source)
    assert {each: catalog.members(each) for each in ROOMS} == before
    found = {sentence.split(" ", 1)[0]: sentence for sentence in catalog.findings()}
    assert len(found) == len(catalog.findings()) == len(LEFT_OUT)
    for case, (room, file, _, said) in LEFT_OUT.items():
        sentence = found[f"dpcore/{room}/{file}.py"]
        assert [part for part in said if part not in sentence] == [], (case, sentence)
        assert sentence.endswith(".")


def test_a_file_that_another_of_its_room_imports_from_helps_it(put: Put) -> None:
    ways = {"one": "from dpcore.targets.trims_one import cut", "two": "from dpcore.targets import trims_two"}
    ways["three"] = "import dpcore.targets.trims_three"
    for name in ways:
        put("targets", f"trims_{name}", "def cut(): ...\n")
    assert len(catalog.findings()) == len(ways)
    for name, way in ways.items():
        put("targets", f"trimmed_{name}", f"{way}\n{_FROZEN}class Trimmed{name.title()}:\n{_CALLED}")
    assert catalog.findings() == ()
    assert {"TrimmedOne", "TrimmedTwo", "TrimmedThree"} <= set(catalog.members("targets"))


def test_a_right_file_is_a_kind_and_so_may_have_a_name_of_a_room_that_it_is_not_picked_with(put: Put) -> None:
    put("targets", "normal", f"{_FROZEN}class Normal:\n{_CALLED}")
    assert "Normal" in catalog.members("targets")
    assert "Normal" in catalog.members("oracles")
    assert catalog.findings() == ()
