"""Scores of answers, contests of contestants, tables, and predictors of a maze's difficulty."""
