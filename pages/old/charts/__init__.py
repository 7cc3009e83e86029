"""Figures of lessons, exhibits, releases and people, and an SVG of each."""
