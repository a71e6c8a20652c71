"""Agents, which play the games, and answerers, which take the quizzes."""
