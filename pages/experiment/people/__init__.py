"""What a limit on each person's rows, or on each person's total, costs: errors predicted on a public or a simulated table."""
