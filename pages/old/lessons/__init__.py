"""A module a lesson: what its steps compute. Its words stand in ``pages/old/text/lessons/``, under the same name."""
