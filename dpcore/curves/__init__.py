"""Curves, one file each: function-valued targets for ``targets.OnLattice``. A new one inherits ``Curve`` and is listed here."""

from dpcore.curves.kernel_density import KernelDensity
from dpcore.curves.priestley_chao import PriestleyChao

__all__ = ["KernelDensity", "PriestleyChao"]
