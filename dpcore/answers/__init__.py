"""What a target gives: one file a kind of answer. What is said and drawn of it stands in workbench/headlines and plots/answers,
in files of the same name."""
