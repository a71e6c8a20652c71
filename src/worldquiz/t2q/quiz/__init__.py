"""A world's quiz: families of questions, with rules to ask, read and guess them."""
