"""The papers' figures and tables beside ours, from stored results that ``data/make_gallery.py`` makes."""
