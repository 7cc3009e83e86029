"""Mechanisms, one file each. A new one inherits ``Mechanism``, states its norm, its privacy and its law, and is listed here."""

from dpcore.mechanisms.bernstein import Bernstein
from dpcore.mechanisms.exponential import Exponential
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.laplace import Laplace
from dpcore.mechanisms.two_steps import InSteps

__all__ = ["Bernstein", "Exponential", "Gaussian", "InSteps", "Laplace"]
