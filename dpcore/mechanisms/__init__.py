"""Mechanisms, one file each. A new one inherits ``Mechanism``, states its norm, its privacy and its law, and is listed here."""

from dpcore.mechanisms.bernstein import BernsteinMechanism
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.gaussian import GaussianMechanism
from dpcore.mechanisms.laplace import LaplaceMechanism
from dpcore.mechanisms.two_steps import TwoStepMechanism

__all__ = ["BernsteinMechanism", "ExponentialMechanism", "GaussianMechanism", "LaplaceMechanism", "TwoStepMechanism"]
