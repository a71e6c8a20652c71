"""Prompts of MANGO: the paper's and the release's, word for word."""

from worldquiz.llm.prompts import Templates

_TEMPLATES = Templates(__name__)
template, filled, lines = _TEMPLATES.text, _TEMPLATES.filled, _TEMPLATES.lines
