"""The commands of ``worldquiz t2q``."""
