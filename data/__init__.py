"""Tables, stored results of the gallery, and the scripts that make both."""
