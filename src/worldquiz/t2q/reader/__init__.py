"""Reader of the game: it maps a world from the game's texts alone, as an agent would.

It uses neither the simulator's facts nor the quiz's rules for what is answerable. So it checks them
independently: where the reader and the quiz disagree, one of them is wrong.
"""
