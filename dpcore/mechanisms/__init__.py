"""Mechanisms, one file each. A new one inherits ``Mechanism``, states its norm, its privacy and its law, and is listed here."""

from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.in_steps import InSteps
from dpcore.mechanisms.laplace import Laplace

__all__ = ["Bernstein", "Exponential", "Gaussian", "InSteps", "Laplace"]
