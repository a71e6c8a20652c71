"""Guessing rates of questions, measured on other worlds."""
