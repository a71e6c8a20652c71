"""Prompts of memories that call a model."""

from worldquiz.llm.prompts import filling

filled = filling(__name__)
