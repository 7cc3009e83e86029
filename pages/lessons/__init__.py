"""One module a lesson; ``contents.py`` lists them."""
