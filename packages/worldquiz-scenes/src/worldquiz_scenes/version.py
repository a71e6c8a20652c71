"""The version of worldquiz-scenes."""

__version__ = "0.1.0"
