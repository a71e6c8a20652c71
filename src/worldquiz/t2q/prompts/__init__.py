"""Prompts of Task2Quiz: the paper's own, word for word."""

from functools import partial

from worldquiz.llm import prompts

template, filled = partial(prompts.template, __name__), prompts.filling(__name__)


def lines(name: str) -> dict[str, str]:
    """Return a template that is a list of ``key: text`` lines as a mapping."""
    pairs = (line.partition(": ") for line in template(name).splitlines())
    return {key: text for key, _, text in pairs}
