"""Mechanisms, one file each. A new one inherits ``Mechanism`` and states its norm, its privacy and its law."""
