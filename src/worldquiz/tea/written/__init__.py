"""Tasks written by a model (arXiv 2602.05249, "Experiment 1"): asked, read, bound and compared."""
