"""What is promised: privacy, sensitivities, the operating points of the sampler, and all of it in words."""
