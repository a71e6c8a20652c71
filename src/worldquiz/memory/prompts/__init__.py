"""Prompts of memories that call a model."""

from worldquiz.llm.prompts import Templates

filled = Templates(__name__).filled
