"""Functions of somebody else's, of which nobody knows what they do, each call in a process of its own that is walled off."""

from dpcore.strangers.stranger import Stranger

__all__ = ["Stranger"]
