"""Default values of what members of the library may say of themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["default"]

if TYPE_CHECKING:
    from builtins import property as default
else:

    class Default:
        """Like property, but an attribute of a subclass or of an instance takes its place; a class itself does not have it."""

        def __init__(self, get: Callable[[Any], Any]) -> None:
            self.get, self.__doc__ = get, get.__doc__

        def __get__(self, member: Any, owner: type) -> Any:
            if member is None:  # so that a required field of a dataclass does not take it for its default value
                raise AttributeError(f"{self.get.__name__} is an attribute of an instance of {owner.__name__}")
            return self.get(member)

    default = Default
