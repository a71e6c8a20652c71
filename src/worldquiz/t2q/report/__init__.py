"""The page and the tables about runs of Task2Quiz."""
