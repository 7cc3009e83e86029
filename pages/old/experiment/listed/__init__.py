"""A list of questions: asked together, with one ε, one γ and one run of draws."""
