"""Tasks as they were asked: picture, boxes, words, the truth, and each answerer's reply.

Boxes lie over the picture as lines, so that they can be told apart in any light: those that are
given in yellow and cyan as answerers saw them, the truth in green, answers in their answerers'
colours. A box in space is drawn as the camera would see it.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from math import radians, tan

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.reply_lists import Form
from worldquiz.rng import child_seed
from worldquiz.tea.exam.sample import families
from worldquiz.tea.exam.show import command
from worldquiz.tea.report.plan import ending
from worldquiz.tea.report.tables import TakerEntry
from worldquiz.tea.scoring.contest import Answered, Contest, Role, ShownTask
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.scoring.navigation import Trip, success
from worldquiz.tea.scoring.parse import Value
from worldquiz.tea.taskgraph import Box2, Box3, Choice, Count, Instance, Metres, Truth, Word
from worldquiz_scenes.view import Camera

EACH = 4
"""Tasks of a type that are shown."""
MOST_BYTES = 5_000_000
"""Of all pictures on a page; beyond, tasks are shown without."""
GIVEN = ("yellow", "cyan")
NEAREST = 0.05
"""Metres before the camera from which on a corner can be drawn."""


@dataclass(frozen=True, slots=True)
class TakerReply:
    """An answerer's reply to a task."""

    entry: TakerEntry
    words: str
    worth: float
    form: Form

    @property
    def verdict(self) -> str:
        """Colour class of its score."""
        return "good" if self.worth == 1 else "bad" if self.worth == 0 else "part"


@dataclass(frozen=True, slots=True)
class Example:
    """A task on the page."""

    task: Instance
    words: str
    truth: str
    said: tuple[TakerReply, ...]
    view: str  # data URI; empty where there is none
    cuts: tuple[str, ...]
    width: int
    height: int
    lines: str  # SVG over the picture

    @property
    def number(self) -> int:
        """Number of the first cut-out among the pictures."""
        return 2 if self.view else 1


def chosen(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, list[str]]:
    """Return ids of tasks by type: half those that divide contestants most, half drawn."""
    found = {}
    for name, tasks in families(contest.tasks.values()).items():
        ids = [task.id for task in tasks]
        drawn = sorted(ids, key=lambda id: child_seed(0, "examples", id))
        apart = sorted(drawn, key=lambda id: -_spread(id, shown))
        some = dict.fromkeys(apart[: EACH // 2])
        some |= dict.fromkeys([id for id in drawn if id not in some][: EACH - len(some)])
        found[name] = list(some)
    return found


def rows(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, list[Row]]:
    """Return all tasks and walks of each answerer as rows, for the list of all that was asked."""
    return {
        entry.tag: [
            *(_task_row(contest.tasks[id], answer) for id, answer in entry.taker.answers.items()),
            *(_walk_row(contest.walks[id], trip) for id, trip in entry.taker.trips.items()),
        ]
        for entry in shown
    }


def _task_row(task: Instance, answer: Answered) -> Row:
    ill = answer.grade.form is Form.ILL_FORMED
    return _row(
        task, spoken_truth(task.truth), spoken(answer.grade.said, answer.reply),
        answer.grade.score, AnswerStatus.UNREADABLE if ill else AnswerStatus.ANSWERED,
    )  # fmt: skip


def _walk_row(task: Instance, trip: Trip) -> Row:
    arrived = float(success(trip))
    return _row(task, spoken_truth(task.truth), ending(trip), arrived, AnswerStatus.ANSWERED)


def _row(task: Instance, gold: str, reply: str, score: float, status: AnswerStatus) -> Row:
    return Row(
        run="", benchmark="tea", answerer="", world=task.scene, question=task.id,
        type=family(task.type), format="", text=command(task).partition(" Reply with one JSON")[0],
        gold=gold, reply=reply, answerable=True, status=status, score=score,
    )  # fmt: skip


def _spread(id: str, shown: Iterable[TakerEntry]) -> float:
    told = [
        entry.taker.answers[id].grade.score
        for entry in shown
        if entry.role is Role.CONTESTANT and id in entry.taker.answers
    ]
    return max(told) - min(told) if told else 0.0


def examples(
    contest: Contest, shown: Sequence[TakerEntry], most: int = MOST_BYTES
) -> dict[str, list[Example]]:
    """Return the tasks that are shown by type; pictures as long as there is room for them."""
    ids, left = chosen(contest, shown), most
    found: dict[str, list[Example]] = {name: [] for name in ids}
    for place in range(EACH):
        for name, some in ids.items():
            if place < len(some):
                task = contest.tasks[some[place]]
                told = contest.look(task) if contest.look else None
                size = sum(map(len, (told.view or b"", *told.cuts))) * 4 // 3 if told else 0
                example = _example(task, told, shown, pictured=size <= left)
                left -= size if size <= left else 0
                found[name].append(example)
    return found


def _example(
    task: Instance, told: ShownTask | None, shown: Sequence[TakerEntry], *, pictured: bool
) -> Example:
    said = tuple(
        TakerReply(
            entry, spoken(answer.grade.said, answer.reply), answer.grade.score, answer.grade.form
        )
        for entry in shown
        if (answer := entry.taker.answers.get(task.id))
    )
    words, truth = (told.words if told else task.command), spoken_truth(task.truth)
    if told is None or not pictured:
        return Example(task, words, truth, said, "", (), 0, 0, "")
    camera = told.camera
    lines = overlay(task, camera, shown) if told.view else ""
    cuts = tuple(map(uri, told.cuts))
    view = uri(told.view) if told.view else ""
    return Example(task, words, truth, said, view, cuts, camera.width, camera.height, lines)


def uri(jpeg: bytes) -> str:
    """Return a picture as a page holds it."""
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()


def spoken(said: Value | None, reply: str) -> str:
    """Return an answer in words; of an ill-formed one the reply's end."""
    match said:
        case None:
            text = " ".join(reply.split())
            return f"…{text[-80:]}" if len(text) > 80 else text or "nothing"
        case float():
            return f"{said:.2f}"
        case tuple() if len(said) == 6:
            return _solid(said[:3], said[3:])
        case tuple():
            return _flat(said)
        case _:
            return str(said)


def spoken_truth(truth: Truth) -> str:
    """Return the truth in words."""
    match truth:
        case Word(value) | Choice(value) | Count(value):
            return str(value)
        case Metres(value):
            return f"{value:.2f} m"
        case Box2(value):
            return _flat(value)
        case Box3(centre, size):
            return _solid(centre, size)
        case _:
            return truth.thing


def _flat(box: Sequence[float]) -> str:
    return ", ".join(f"{each:g}" for each in box)


def _solid(centre: Sequence[float], size: Sequence[float]) -> str:
    middle, lengths = (", ".join(f"{each:.2f}" for each in some) for some in (centre, size))
    return f"({middle}) of {lengths} m"


def overlay(task: Instance, camera: Camera, shown: Sequence[TakerEntry]) -> str:
    """Return the lines over a task's picture, in its pixels."""
    given = [each.value for _, each in sorted(task.given.items()) if isinstance(each, Box2)]
    parts = [_frame(box, f"given {name}") for name, box in zip(GIVEN, given, strict=False)]
    if isinstance(task.truth, Box2 | Box3):
        for entry in shown:
            answer = entry.taker.answers.get(task.id)
            if answer and isinstance(answer.grade.said, tuple) and entry.role is not Role.CEILING:
                parts.append(_answer(answer.grade.said, camera, entry))
        parts.append(_truth(task.truth, camera))
    return "".join(parts)


def _truth(truth: Box2 | Box3, camera: Camera) -> str:
    if isinstance(truth, Box2):
        return _frame(truth.value, "truth")
    return _wires((*truth.centre, *truth.size), camera, "truth", "")


def _answer(said: Sequence[float], camera: Camera, entry: TakerEntry) -> str:
    style = f' style="--c:var({entry.colour})"'
    title = f"<title>{escape(entry.tag)} {escape(entry.name)}</title>"
    if len(said) == 4:
        return f'<g class="answer"{style}>{title}{_rect(said)}</g>'
    return _wires(said, camera, "answer", style, title)


def _frame(box: Sequence[float], kind: str) -> str:
    return f'<g class="{kind}">{_rect(box)}</g>'


def _rect(box: Sequence[float]) -> str:
    x0, y0, x1, y1 = (_near(each) for each in box)
    return f'<rect x="{x0:g}" y="{y0:g}" width="{x1 - x0:g}" height="{y1 - y0:g}"/>'


def _near(pixel: float) -> float:
    """Return a coordinate that a browser can draw."""
    return round(max(-5000.0, min(5000.0, pixel)), 1)


def _wires(solid: Sequence[float], camera: Camera, kind: str, style: str, title: str = "") -> str:
    """Return the edges of a box in the camera's frame; none where it reaches behind the camera."""
    corners = [
        tuple(middle + sign * length / 2
              for middle, length, sign in zip(solid[:3], solid[3:], signs, strict=True))
        for signs in product((-1, 1), repeat=3)
    ]  # fmt: skip
    if min(z for _, _, z in corners) < NEAREST:
        return ""
    focal = camera.height / 2 / tan(radians(camera.fovy) / 2)
    points = [
        (_near(camera.width / 2 + focal * x / z), _near(camera.height / 2 + focal * y / z))
        for x, y, z in corners
    ]
    edges = [(one, other) for one in range(8) for bit in (1, 2, 4) if (other := one ^ bit) > one]
    path = "".join(
        f"M{points[one][0]:g} {points[one][1]:g}L{points[other][0]:g} {points[other][1]:g}"
        for one, other in edges
    )
    return f'<g class="{kind}"{style}>{title}<path d="{path}"/></g>'


def count(found: Mapping[str, Sequence[Example]]) -> tuple[int, int]:
    """Return how many tasks are shown, and how many of them with pictures."""
    every = [each for some in found.values() for each in some]
    return len(every), sum(bool(each.view or each.cuts) for each in every)
