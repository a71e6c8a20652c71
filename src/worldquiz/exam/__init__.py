"""Benchmarks made from items and a grade: runs, rows, pages, human quizzes and servers."""
