"""A world's quiz: families of questions, and how these are asked, read and guessed at."""
