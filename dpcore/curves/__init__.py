"""Curves: function-valued targets for ``targets.OnLattice``. A new one inherits ``Curve`` and is listed here."""

from dpcore.curves.kernels import KernelDensity, PriestleyChao

__all__ = ["KernelDensity", "PriestleyChao"]
