"""What a target's answer is, one file a kind: its labels and its unit, from the columns' declarations."""
