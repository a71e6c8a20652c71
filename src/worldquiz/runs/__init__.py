"""Runs: their folders and files, their execution on several processes, and their results."""
