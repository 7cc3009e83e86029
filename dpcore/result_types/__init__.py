"""Kinds of answers: what a target gives, and how people read a response to it. One file for each family."""
