"""The report about MANGO's mazes: the contestants' answers, and the mazes themselves."""
