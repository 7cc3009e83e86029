"""What a table's holder declares of its columns, once: proposed from the file, constants from then on."""
