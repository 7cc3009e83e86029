"""What stands above the charts and the sliders, wherever they follow a hand."""

SENSITIVE, TRIALS, PUBLISHED = "How sensitive is it?", "How many trials do I need?", "What would be published?"
GAMMA = "Share of changes not protected, γ (no count of people)"
EPSILON = "ε (more ε: less protection, more accuracy)"
