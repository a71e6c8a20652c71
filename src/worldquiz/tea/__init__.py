"""TEA (arXiv 2602.05249): tasks generated in a scene, filtered, evolved, measured and asked."""
