"""Prompts of MANGO: the paper's, word for word."""

from worldquiz.llm.prompts import Templates

filled = Templates(__name__).filled
