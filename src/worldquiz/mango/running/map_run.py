"""Maps that a model draws, searched for the answers, as ``worldquiz mango map`` has it done.

The run is one of MANGO's questions like any other; beside its answers it holds the replies that the
maps were drawn from. What drawing a maze's map took is told with its first answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import repeat
from operator import add
from pathlib import Path
from typing import Any

from worldquiz.llm.records import Purpose, Usage
from worldquiz.mango.asking.plan import Plan
from worldquiz.mango.games.mapping import REPLIES, Course, prompts, read_run, readings
from worldquiz.mango.mapper.drawnmap import DrawnMap, trajectory
from worldquiz.mango.running.answerers import Answerer, searched
from worldquiz.mango.running.folder import KIND
from worldquiz.mango.running.replies import Replies, key, replied
from worldquiz.mango.running.run import score_run
from worldquiz.mango.running.work import MazeWork
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import Lines

_FREE = Usage(Purpose.QUIZ, cost=0.0)
"""What answering takes once a map is drawn."""


def maps(plan: Plan, shots: int, answerer: Answerer) -> MazeWork:
    """Return the work of having each maze's map drawn, and answering by it.

    Raises `KnobError` for a number of examples that there is not.
    """
    about = {name: Course(maze, plan.steps(name)) for name, maze in plan.mazes.items()}
    every = readings(about, shots)

    def task() -> Any:
        from worldquiz.mango.games.tasks import triplet_task

        return triplet_task(about, shots)

    def scored(out: Path, replies: Replies) -> dict[str, Any]:
        _answer(plan, about, replies, out)
        return score_run(out)

    settings = {"shots": shots, **plan.record()}
    return MazeWork(
        KIND, plan.mazes, prompts(about, every, shots), answerer, settings, task, scored, REPLIES
    )


def _answer(plan: Plan, about: Mapping[str, Course], replies: Replies, out: Path) -> None:
    """Write the answers that the maps give."""
    maps_ = {name: each[0] for name, each in read_run(about, replies.lines).items()}
    answers = Lines(out, key, silent)
    for line in _lines(plan, maps_, replies):
        answers.keep(line)
    answers.settle([key(plan.prompts.about(question)) for question in plan.questions])


def _lines(plan: Plan, maps_: Mapping[str, DrawnMap], replies: Replies) -> Iterable[dict[str, Any]]:
    spent: dict[str, list[Usage]] = {}
    for line in replies.lines.values():
        spent.setdefault(line["game"], []).append(Usage(Purpose.QUIZ, **line["usage"]))
    for name, map_ in maps_.items():
        mine = [question for question in plan.questions if question.game == name]
        first = reduce(add, spent[name])
        for question, usage in zip(mine, (first, *repeat(_FREE, len(mine))), strict=False):
            reply = json.dumps(trajectory(searched(map_, question)), ensure_ascii=False)
            yield replied(plan.prompts.about(question), reply, usage)
