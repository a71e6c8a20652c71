"""Requests for tasks, asked of a model: a view with its marks, and the words about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from worldquiz.llm import asking
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message
from worldquiz.runs.journal import Lines
from worldquiz.tea.data import Folder
from worldquiz.tea.exam.show import message
from worldquiz.tea.written.marks import marked, prompt
from worldquiz.tea.written.parts import Request


def ask(
    requests: Sequence[Request], folders: Mapping[str, Folder], reach: Reach, kept: Lines[str]
) -> None:
    """Ask a model for tasks, and keep each reply as it comes.

    Raises `CatalogError` for an unknown model.
    """
    prompts = (
        asking.Prompt({"id": each.id}, partial(_messages, each, folders[each.scene]))
        for each in requests
    )
    asking.ask(prompts, reach, kept)


def _messages(request: Request, folder: Folder) -> list[Message]:
    words = prompt(request.marks, request.view.camera, request.number, request.batch)
    return [message(words, [marked(folder, request.view, request.marks)])]
