"""Prompts of Task2Quiz: the paper's own, word for word."""

from worldquiz.llm.prompts import Templates

_TEMPLATES = Templates(__name__)
template, filled, lines = _TEMPLATES.text, _TEMPLATES.filled, _TEMPLATES.lines
