"""The papers' figures and tables: one module each computes one of them."""
