"""A result becomes a figure: data for a browser, and its one module of JavaScript."""
