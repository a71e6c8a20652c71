"""The commands of ``worldquiz tea``."""
