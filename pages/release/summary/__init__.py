"""A summary of the whole table on the page Release: asked for, pressed and shown as cards."""
