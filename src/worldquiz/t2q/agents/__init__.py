"""Players and answerers. None sees a fact; only privileged references are given more."""
