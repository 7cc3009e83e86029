"""Kinds of answers of targets, and how people read a response. One file for each family."""
