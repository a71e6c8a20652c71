"""Players and answerers. None sees a fact; only lower and upper bounds get a `Brief`."""
