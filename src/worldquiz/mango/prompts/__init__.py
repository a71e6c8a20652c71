"""Prompts of MANGO: the paper's, word for word."""

from worldquiz.llm.prompts import filling

filled = filling(__name__)
