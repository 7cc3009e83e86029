"""Curves, one file each: function-valued targets, released on a lattice (``targets.OnLattice``)."""

from typing import TYPE_CHECKING

from dpcore.base.rooms import by_name
from dpcore.curves.kernel_density import KernelDensity
from dpcore.curves.priestley_chao import PriestleyChao

__all__ = ["KernelDensity", "PriestleyChao"]

if not TYPE_CHECKING:  # a type checker knows those that are listed
    __getattr__ = by_name(__name__)
