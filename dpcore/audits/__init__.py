"""Checks of mechanisms and samples: audits, a wrong oracle, and the error of sample and aggregate."""
