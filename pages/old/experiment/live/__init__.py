"""What γ and ε change of a scenario whose draws are made, as tables that a browser can look up."""
