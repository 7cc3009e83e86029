"""The sensitivity sampler: its methods, its draws, and the executors that measure them."""
