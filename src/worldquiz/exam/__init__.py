"""Benchmarks made of items and a grade: their runs, rows, pages, human quizzes and servers."""
