"""The commands of ``worldquiz mango``."""
