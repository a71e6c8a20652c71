"""Task2Quiz (arXiv 2601.09503): text games, tasks that cover them, agents, memories and a quiz."""
