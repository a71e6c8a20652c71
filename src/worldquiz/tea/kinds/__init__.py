"""Tasks of an embodied agent, generated from what its cameras showed (TEA, arXiv 2602.05249)."""
