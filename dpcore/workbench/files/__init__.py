"""Files that are no text: read in a process of their own, with limits of memory and time, because their parsers can break."""
