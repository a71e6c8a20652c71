"""Scores of replies to tasks in scenes, and measures of walks to a goal."""
