"""One form for the options of every kind, made of what its fields say of themselves.

A field has a control where its metadata have a ``title`` or a ``label``, and its value is a number, a pair, a list of numbers
or one of the ``choices``. The title stands at the control, the label in sentences; ``help``, ``min``, ``max``, ``step`` and
``format`` are the control's; ``empty`` says what no value means, where there may be none; ``ends`` are the labels of a pair,
and ``wanted`` what a refused text should have been.
``shown`` and ``made`` turn a value into what is asked for, and back. Public bounds are asked for once, with the columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, fields, is_dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError, InvalidValueError
from pages import state
from pages.experiment.error_sentences import plain
from pages.experiment.names import small
from pages.experiment.scenario import Scenario
from pages.old.shared.widgets import choice, control, number, numbers_in

Act = Callable[[Callable[[], Any]], None]
Now = Callable[[], Any]
Owner = tuple[str, tuple[str, ...], tuple[Any, ...]]
_LATE = "A setting arrived after the question that it was for had been changed, so it was left out."


def show(now: Now, act: Act, *, of: str = "", key: str = "opt", inner: bool = True) -> None:
    """The controls of a member, and of those within it where ``inner``; a changed one asks ``act`` to take the other member,
    which may refuse itself. ``now`` gives the member as it is, also where a control's message comes."""
    owner = owner_of(now())
    _controls(now, lambda make: in_time(owner, now, partial(act, make)), of, key, inner=inner)


def _controls(now: Now, act: Act, of: str, key: str, *, inner: bool) -> None:
    member = now()
    for field in fields(member):
        value = getattr(member, field.name)
        put = partial(_put, now, field, act)
        asked = {"title", "label"} & set(field.metadata)
        if is_dataclass(value) and not asked:
            if inner:
                _controls(partial(_inside, now, field.name), put, of, key, inner=inner)
        elif field.init and asked and field.name != "bounds":
            _control(field, value, f"{key}_{field.name}", _label(field, of), put)


def propose(make: Callable[[], Any], take: Callable[[Any], None]) -> None:
    """Another member, or the sentence that refuses it."""
    try:
        take(make())
    except DpcoreError as error:
        state.change()  # takes earlier sentences away
        state.say(f"{plain(error)} The last one stays.")


def _inside(now: Now, name: str) -> Any:
    return getattr(now(), name)


def owner_of(member: Any, scenario: Scenario | None = None) -> Owner:
    """Of which table and columns an option of this member is, and of which kinds; of the scenario shown, or of another one."""
    asked = scenario or state.scenario()
    return asked.table, asked.columns, _kinds(member)


def _kinds(member: Any) -> tuple[Any, ...]:
    inside = (getattr(member, field.name) for field in fields(member)) if is_dataclass(member) else ()
    return type(member), *(_kinds(value) for value in inside if is_dataclass(value))


def in_time(owner: Owner, now: Now, act: Callable[[], None]) -> None:
    """Act, unless another kind of member or another question took the owner's place: a message of a control can come after that,
    and an option of the one is none of the other."""
    if owner_of(now()) == owner:
        act()
        return
    state.begin()
    state.say(_LATE)


def _put(now: Now, field: Field[Any], act: Act, make: Callable[[], Any]) -> None:
    """The member with another value of this field, the value made only inside ``act``."""

    def changed() -> Any:
        member = now()
        before, value = getattr(member, field.name), make()
        made = field.metadata.get("made")
        try:
            return replace(member, **{field.name: value if made is None else made(before, value)})
        except DpcoreError:
            if "wanted" not in field.metadata:
                raise
            raise InvalidValueError(field.name, field.metadata["wanted"], None) from None

    act(changed)


def _label(field: Field[Any], of: str) -> str:
    label: str = field.metadata.get("title") or field.metadata["label"]
    return f"{of}: {small(label)}" if of else label


def _control(field: Field[Any], value: Any, key: str, label: str, put: Act) -> None:
    hints = field.metadata
    if "choices" in hints:
        _choice(hints["choices"], value, key, label, put)
    elif "ends" in hints and value is not None:
        _pair(hints["ends"], value, key, put)
    elif "empty" in hints:
        _optional(field, value, key, label, put)
    elif "shown" in hints:
        if value is not None:
            _number(field, hints["shown"](value), key, label, put)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        _number(field, value, key, label, put)
    elif isinstance(value, tuple) and value and all(isinstance(item, (int, float)) for item in value):
        _text(field, _listed(value), key, label, put, numbers_in)


def _number(field: Field[Any], value: float, key: str, label: str, put: Act) -> None:
    hints, whole = field.metadata, isinstance(value, int)
    number(
        label,
        key,
        value,
        lambda given: put(lambda: int(given) if whole else given),
        form=hints.get("format"),
        step=hints.get("step", 1 if whole else None),
        least=hints.get("min") if whole else None,
        most=hints.get("max") if whole else None,
    )


def _choice(words: dict[Any, str], value: Any, key: str, label: str, put: Act) -> None:
    if value not in words:  # a link may have another
        words = {**words, value: _listed(value) if isinstance(value, tuple) else str(value)}
    by_name = {_name(item): item for item in words}
    titles = {_name(item): text for item, text in words.items()}
    choice(label, key, titles, _name(value), lambda name: put(lambda: by_name[name]))


def _name(value: Any) -> Any:
    return value if isinstance(value, (str, int)) else repr(value)


def _pair(ends: tuple[str, str], value: tuple[float, float], key: str, put: Act) -> None:
    low, high = value
    left, right = st.columns(2)
    with left:
        number(ends[0], f"{key}_low", low, lambda given: put(lambda: (given, high)))
    with right:
        number(ends[1], f"{key}_high", high, lambda given: put(lambda: (low, given)))


def _optional(field: Field[Any], value: Any, key: str, label: str, put: Act) -> None:
    """A whole number from ``min`` on, or a list of numbers; or nothing, which is said in its place."""
    if "min" not in field.metadata:
        value = field.metadata.get("shown", lambda same: same)(value)
        _text(field, "" if value is None else _listed(value), key, label, put, lambda text: numbers_in(text) if text else None)
        return
    control(
        st.number_input,
        label,
        field.metadata["min"],
        None,
        key=key,
        holds=value,
        act=lambda given: put(lambda: given),
        value=None,
        step=1,
        placeholder=field.metadata["empty"],
        help=field.metadata.get("help"),
    )


def _text(field: Field[Any], value: str, key: str, label: str, put: Act, read: Callable[[str], Any]) -> None:
    control(
        st.text_input,
        label,
        key=key,
        holds=value,
        act=lambda text: put(lambda: read(text.strip())),
        placeholder=field.metadata.get("empty"),
        help=field.metadata.get("help"),
    )


def _listed(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)
