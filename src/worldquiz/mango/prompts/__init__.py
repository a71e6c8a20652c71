"""Prompts of MANGO: the paper's, word for word."""

from functools import partial

from worldquiz.llm import prompts

filled = partial(prompts.filled, __name__)
