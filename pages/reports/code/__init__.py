"""What the app shows, as a script and a notebook that make it anew with dpcore alone."""
