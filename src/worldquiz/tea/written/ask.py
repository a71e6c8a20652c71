"""Requests for tasks, asked through inspect: one sample is one picture with its marks.

Pictures are drawn when a request is asked, and are not in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageUser, Content, ContentImage, ContentText
from inspect_ai.solver import TaskState

from worldquiz.llm import asking
from worldquiz.llm.client import Reach
from worldquiz.runs.journal import Lines
from worldquiz.tea.data import Folder
from worldquiz.tea.exam.show import uri
from worldquiz.tea.written.marks import marked, prompt
from worldquiz.tea.written.parts import Request


def ask(
    requests: Sequence[Request],
    folders: Mapping[str, Folder],
    reach: Reach,
    out: Path,
    kept: Lines[str],
) -> None:
    """Ask a model for tasks, and keep each reply as it comes.

    Raises `WorldError` where some could not be asked, `CatalogError` for an unknown model.
    """
    by_id = {each.id: each for each in requests}
    task = Task(
        dataset=MemoryDataset(
            [Sample(id=each.id, input=_words(each)) for each in requests], name="tea_write"
        ),
        setup=asking.shown(asking.of_id, partial(_shown, by_id, folders)),
        solver=asking.asked(asking.of_id),
        fail_on_error=True,
        continue_on_fail=True,
        version=1,
        name="tea_write",
    )
    asking.ask(task, reach, out, kept, noun="requests")


def _shown(
    requests: Mapping[str, Request], folders: Mapping[str, Folder], state: TaskState
) -> list[ChatMessage]:
    """Return a view with its marks, and what is asked about it."""
    request = requests[str(state.sample_id)]
    picture = marked(folders[request.scene], request.view, request.marks)
    shown: list[Content] = [ContentImage(image=uri(picture)), ContentText(text=_words(request))]
    return [ChatMessageUser(content=shown)]


def _words(request: Request) -> str:
    return prompt(request.marks, request.view.camera, request.number, request.batch)
