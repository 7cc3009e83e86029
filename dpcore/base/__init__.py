"""Shared types, checks, norms, bounds, polynomials and fingerprints."""
