"""Guarantees, sensitivities, the operating points of the sampler, attackers, and descriptions of all of them."""
