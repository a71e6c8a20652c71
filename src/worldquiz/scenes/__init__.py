"""Scenes: furnished flats, generated, settled and frozen; and what can be seen and done in them."""
