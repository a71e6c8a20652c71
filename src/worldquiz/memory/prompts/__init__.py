"""Prompts of memories that call a model."""

from functools import partial

from worldquiz.llm import prompts

filled = partial(prompts.filled, __name__)
