"""The report about MANGO's mazes: who answered what, and the mazes themselves."""
