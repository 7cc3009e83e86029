"""A form for the options of any plug-in class, made from the metadata of its fields.

A field has an input if its metadata have a ``title`` or a ``label``. The title is the label of the input, and the label is for
sentences. ``help``, ``min``, ``max``, ``step`` and ``format`` belong to the input, and ``choices`` are its options with their
words. ``empty`` explains a missing value. ``shown`` and ``made`` convert a value into the entry of the user and back. The field
``bounds`` has its own input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import partial
from typing import Any, final

import streamlit as st

from dpcore.errors import InvalidValueError
from pages import state
from pages.experiment.descriptions import small
from pages.experiment.scenario import Scenario
from pages.widgets.controls import control


@final
@dataclass(frozen=True, eq=False)
class Editable:
    """An instance that inputs replace, such as the target of the scenario.

    Inputs read the instance when they act: the browser can send several entries at once.

    Args:
        now: Returns the instance.
        take: Replaces it. It may raise DpcoreError.
    """

    now: Callable[[], Any]
    take: Callable[[Any], None]

    def inside(self, name: str) -> Editable:
        """Return the instance in a field."""
        return Editable(lambda: getattr(self.now(), name), lambda value: self.take(replace(self.now(), **{name: value})))

    def change(self, make: Callable[[Any], Any]) -> None:
        """Replace the instance by what ``make`` returns for it. If that is refused, a sentence says why, and it stays."""
        state.attempt(lambda: self.take(make(self.now())))

    def put(self, name: str, value: Any, *, needed: bool = False) -> None:
        """Replace the value of a field. If it is ``needed``, an empty input keeps the last one."""
        if value is None and needed:
            state.begin()
            state.say("A number is needed there: the last one stays.")
        else:
            self.change(lambda member: _replaced(member, name, value))


def change_target(shown: Scenario, make: Callable[[Any], Any]) -> None:
    """Change the target, unless the session has another kind of question by now: the browser can send an entry late.

    Args:
        shown: The scenario that the input was made for.
        make: Returns the new target from the current one.
    """
    target = state.scenario().target
    if type(target) is type(shown.target):
        state.attempt(lambda: state.change(target=make(target)))


def _replaced(member: Any, name: str, value: Any) -> Any:
    hints = next((field.metadata for field in fields(member) if field.name == name), None)
    if hints is None:
        raise InvalidValueError("setting", "one of the question that is shown, and it changed meanwhile", None)
    return replace(member, **{name: hints["made"](getattr(member, name), value) if "made" in hints else value})


def show(edited: Editable, *, key: str = "opt", of: str = "", inner: bool = True) -> None:
    """Show the inputs of an instance.

    Args:
        edited: The instance.
        key: Beginning of the keys of the inputs.
        of: Beginning of their labels.
        inner: Whether to show inputs of the instances in its fields.
    """
    member = edited.now()
    for field in fields(member):
        value, has_input = getattr(member, field.name), bool({"title", "label"} & set(field.metadata))
        if is_dataclass(value) and not has_input:
            if inner:
                show(edited.inside(field.name), key=key, of=of)
        elif field.init and has_input and field.name != "bounds":
            label: str = field.metadata.get("title") or field.metadata["label"]
            _show_input(edited, field, value, f"{key}_{field.name}", f"{of}: {small(label)}" if of else label)


def _show_input(edited: Editable, field: Field[Any], value: Any, key: str, label: str) -> None:
    hints, optional = field.metadata, "empty" in field.metadata
    shown = hints["shown"](value) if "shown" in hints and value is not None else value
    put, looks = partial(edited.put, field.name), {"placeholder": hints.get("empty"), "help": hints.get("help")}
    if "choices" in hints:
        _show_choice(hints["choices"], value, key, label, put)
    elif "min" in hints or (isinstance(shown, (int, float)) and not isinstance(shown, bool)):
        whole = optional or isinstance(shown, int)
        ends = (hints.get("min"), hints.get("max")) if whole else (None, None)
        step = hints.get("step", 1 if whole else None)
        number(label, key, shown, partial(put, needed=not optional), form=hints.get("format"), step=step, ends=ends, **looks)
    elif optional or (isinstance(shown, tuple) and shown and all(isinstance(one, (int, float)) for one in shown)):
        text = "" if shown is None else _listed(shown)
        control(st.text_input, label, key=key, holds=text, act=partial(_put_numbers, put, optional), **looks)


def number(
    label: str,
    key: str,
    value: float | None,
    act: Callable[[Any], None],
    *,
    form: str | None = None,
    step: float | None = None,
    ends: tuple[float | None, float | None] = (None, None),
    **looks: Any,
) -> None:
    """Show an input for a number; ``act`` gets None if the user clears it.

    Args:
        label: Its label.
        key: Its key.
        value: Its value.
        act: Called with the number that the user enters.
        form: Its format.
        step: Its step.
        ends: Smallest and largest number.
        **looks: Other arguments of ``st.number_input``.
    """
    control(st.number_input, label, *ends, key=key, holds=value, act=act, value=None, step=step, format=form, **looks)


def _show_choice(choices: dict[Any, str], value: Any, key: str, label: str, put: Callable[[Any], None]) -> None:
    words = {**choices}
    if value not in words:  # a link can have another value
        words[value] = _listed(value) if isinstance(value, tuple) else str(value)
    values = {said: one for one, said in words.items()}
    control(st.selectbox, label, list(values), key=key, holds=words[value], act=lambda said: put(values[said]))


def _put_numbers(put: Callable[[Any], None], optional: bool, text: str) -> None:
    put(None if optional and not text.strip() else numbers_in(text))


def numbers_in(text: str) -> tuple[Any, ...]:
    """Return the numbers between commas. If a part is not a number, all parts stay text for the constructor to refuse."""
    parts = [part.strip() for part in text.split(",")]
    try:
        return tuple(float(part) for part in parts)
    except ValueError:
        return tuple(parts)


def _listed(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)
