"""What everything stands on: types and checks, norms, bounds, polynomials, fingerprints."""
