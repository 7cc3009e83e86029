"""Curves, one file each: function-valued targets, released on a lattice (``targets.OnLattice``)."""

from dpcore.curves.kernel_density import KernelDensity
from dpcore.curves.priestley_chao import PriestleyChao

__all__ = ["KernelDensity", "PriestleyChao"]
