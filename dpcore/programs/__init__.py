"""Commands as targets. They are in no catalogue: nothing that is read from a link, a file or a ledger ever runs one."""

from dpcore.programs.program import Program

__all__ = ["Program"]
