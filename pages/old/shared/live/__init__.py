"""What follows the hand on Explore: γ, ε, the charts and the sentences."""
