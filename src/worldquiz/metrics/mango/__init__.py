"""MANGO's scores: reading replies, grading them, tables, and the release's own rules."""
