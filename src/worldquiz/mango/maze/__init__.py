"""Mazes: read from published data, recorded from games, or generated."""
