"""Reader of the game: a map of a world from its text alone, as an agent reads it.

Nothing here knows a fact of the simulator, nor how the quiz decides what is answerable: the two
roads to the truth are independent, and where they disagree one of them is wrong.
"""
