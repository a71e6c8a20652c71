"""TEA-Test (arXiv 2602.05249, Tables 3 and 4): a balanced sample of tasks, baselines and scores."""
