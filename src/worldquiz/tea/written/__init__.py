"""Tasks written by a model (arXiv 2602.05249, "Experiment 1"): requests, replies and tables."""
