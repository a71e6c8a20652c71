"""Players and answerers. None sees a fact; only floors and ceilings get a `Brief`."""
