"""What a lesson is made of, and which lessons there are."""
