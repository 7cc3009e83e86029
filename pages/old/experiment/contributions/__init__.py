"""What keeping s of each person's rows costs and saves, predicted from a table that its holder may look at."""
