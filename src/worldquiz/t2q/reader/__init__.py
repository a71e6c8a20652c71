"""Reader of the game: a map of a world from its text alone, as an agent reads it.

Nothing here uses a fact of the simulator, or how the quiz decides what is answerable. The two ways
to the truth are independent: where they disagree, one of them is wrong.
"""
