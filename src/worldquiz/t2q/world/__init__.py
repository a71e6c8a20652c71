"""Text worlds: drawn from parameters and a seed, and played by rules in Python."""
