"""The road that a benchmark of items and a grade goes: run, rows, page, person, server."""
