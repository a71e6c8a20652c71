"""People's answers: the sheet that they fill in, and the run that comes of it."""
