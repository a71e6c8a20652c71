"""Players and quiz takers. None sees a fact; only floors and ceilings get a `Brief`."""
