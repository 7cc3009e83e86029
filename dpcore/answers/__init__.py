"""What a target gives: one file a kind of answer. What the app says and draws of it stands in files of the same name."""
