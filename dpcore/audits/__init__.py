"""What can be checked of a release or a sample: an attack, worst pairs, distributions in closed form."""
