"""Answers found on a map (arXiv 2403.19913, appendix C.4): a model draws it, a search answers.

*One step at a time* (5-shot): the prompt shows the first five steps of the walkthrough with the
place where each ends, then the action and text of one later step. The model names the place where
this step ends, or None. This gives a triplet of source, action and destination, whose source is the
place named before. Accuracy is the share of steps whose place agrees with the annotation (None if
the step makes no move). The paper also counts the five steps that its prompt gives away; here they
are not asked. (The paper's 70.5 % is the mean over its six games.)

*The whole walkthrough at once* (0-shot): the model lists all triplets. "Any mistake would cause all
subsequent steps to be incorrect", so accuracy is the share of the walkthrough's moves before the
first mistake (6.3 % in the paper).

Names are compared as in `grade`, ignoring case and extra blanks. Both prompts are from the paper's
supplement, except that the keys in the second are spelled with underscores. The triplets make a
map, on which the answers to a run's questions are searched; these are scored like any others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, WorldError
from worldquiz.exam.answerers import Who
from worldquiz.exam.asking import by_world
from worldquiz.facts.knowledge import share
from worldquiz.facts.replies import without_thoughts
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.grade import read_moves
from worldquiz.mango.guessing import searched, told
from worldquiz.mango.mapper import DrawnMap
from worldquiz.mango.mazes import Maze, taken
from worldquiz.mango.prompts import filled
from worldquiz.mango.questions import AskingPlan
from worldquiz.mango.run import MazeRun, key_of, listed, maze_item, quiz_items
from worldquiz.mango.walkthrough import Move, WalkStep, plain, published
from worldquiz.runs.items import Line, RunItem, Shown
from worldquiz.runs.losses import FAILED
from worldquiz.runs.rows import ItemKey, Rows, about_item, row_fields
from worldquiz.stats.intervals import Ratio, intervals

SHOTS = (5, 0)
"""Number of example steps: five, with the rest asked one at a time; or none, all asked at once."""
WHOLE, TRIPLET = "whole", "triplet"
_NOWHERE = "None"
"""The reply for a step that ends at no place named in the text."""
_LABEL = "==>LOCATION:"
_AROUND = " \t\"'`*.:"


class Course:
    """The first steps of a walkthrough, with the move that each of them makes."""

    def __init__(self, maze: Maze, steps: int) -> None:
        """Read the first steps. Raises `KnobError` for a maze without its walkthrough's text."""
        self.maze = maze
        self.walk = [step for step in maze.walkthrough if step.number <= steps]
        self.moves = {step: Move(*edge.key) for step, edge in taken(maze, steps).items()}

    def ends(self, step: int) -> str:
        """Return the place that a step leads to, "None" if it makes no move."""
        return self.moves[step].target if step in self.moves else _NOWHERE

    def stands(self, step: int) -> str:
        """Return the place after a step, "" if the walkthrough makes no moves."""
        before = [move for number, move in self.moves.items() if number <= step]
        after = [move for number, move in self.moves.items() if number > step]
        return before[-1].target if before else after[0].source if after else ""


def shown(course: Course, number: int | None, shots: int) -> Shown:
    """Return the prompt for one step, or for all, in the words of the paper's supplement."""
    if number is None:
        text = filled("mango_triplet_reading", walkthrough=published(course.walk))
        return Shown(reading=text, gap="\n", question=filled("mango_triplet_whole"))
    first = (
        filled("mango_triplet_example", place=course.ends(step.number), **_told(step))
        for step in course.walk[1 : shots + 1]
    )
    text = filled("mango_triplet_examples", examples="\n\n".join(first))
    return Shown(reading=text, question=filled("mango_triplet_step", **_told(course.walk[number])))


def _told(step: WalkStep) -> dict[str, str]:
    return {"number": str(step.number), "action": step.action, "observation": step.observation}


def parts(courses: Mapping[str, Course], shots: int) -> tuple[RunItem, ...]:
    """Return an item for each part of a walkthrough that a model reads, with its prompt.

    Raises `KnobError` for an unknown number of shots, and if a maze has no steps beyond the
    examples.
    """
    if shots not in SHOTS:
        raise KnobError(
            f"shots {shots}: must be {SHOTS[0]} (a step at a time) or {SHOTS[1]} (all at once)"
        )
    found: list[tuple[Course, int | None]] = []
    for name, course in courses.items():
        if shots and len(course.walk) <= shots + 1:
            raise KnobError(
                f"maze {name!r}: only {len(course.walk) - 1} steps are read, and {shots} of them "
                "serve as examples: raise --steps, or choose other mazes with --game"
            )
        steps = [step.number for step in course.walk[shots + 1 :]] if shots else [None]
        found += [(course, step) for step in steps]

    def fields(course: Course, step: int | None, line: Line) -> dict[str, Any]:
        said, right, most = marked(course, step, line["reply"])
        if step is not None:
            form, gold, last = "place", course.ends(step), step
        else:
            form, gold, last = "moves", listed(course.moves.values()), course.walk[-1].number
        told = row_fields(line, said)
        return {
            "format": form, "gold": gold, "prompt": shown(course, step, shots).question,
            "shown": True, "episode": 0, "step": last,
            "unscored": None if most else "the walkthrough makes no move", **told,
            "correct": share(right, most) if told["status"] is AnswerStatus.ANSWERED else None,
            "measures": {"right": right, "asked": most},
        }  # fmt: skip

    return tuple(
        maze_item(
            (course.maze.name, TRIPLET, WHOLE if step is None else str(step)),
            partial(shown, course, step, shots), partial(fields, course, step),
        )
        for course, step in found
    )  # fmt: skip


def read_place(reply: str) -> str | None:
    """Return the place that a reply names, None if it does not name a place.

    The prompt asks for the place alone, so only the first line counts, without marks around it.
    """
    lines = [line for line in without_thoughts(reply, " ").splitlines() if line.strip()]
    said = lines[0].strip().removeprefix(_LABEL).strip(_AROUND) if lines else ""
    return None if plain(said) in ("", "none") else " ".join(said.split())


def marked(course: Course, step: int | None, reply: str) -> tuple[str | None, int, int]:
    """Return the content of a reply, the number of right items in it, and the number asked for.

    One step asks for one place. A whole walkthrough asks for moves, all wrong after a mistake.
    """
    if step is not None:
        said = (read_place(reply) or _NOWHERE) if without_thoughts(reply, " ").strip() else None
        return said, int(said is not None and plain(said) == plain(course.ends(step))), 1
    moves = read_moves(reply)
    told, true = ([tuple(map(plain, move)) for move in some]
                  for some in (moves, course.moves.values()))  # fmt: skip
    wrong = (at for at, move in enumerate(true) if at >= len(told) or told[at] != move)
    return listed(moves) if moves else None, next(wrong, len(true)), len(true)


def drawn(course: Course, replies: Mapping[int | None, str]) -> DrawnMap:
    """Return the map that replies draw. Their keys are steps, or None for the whole walkthrough."""
    if None in replies:
        return DrawnMap(read_moves(replies[None]))
    places = {step: read_place(reply) for step, reply in replies.items() if step is not None}
    here = course.stands(min(places) - 1)
    moves = [move for step, move in course.moves.items() if step not in places]
    for step in sorted(places):
        place = places[step]
        if place is not None and plain(place) != plain(here):
            moves.append(Move(here, course.walk[step].action, place))
            here = place
    return DrawnMap(moves)


class MapRun(MazeRun):
    """A run in which a model draws maps from the walkthroughs, and a search on them answers.

    If a request about a maze's walkthrough failed, the questions about this maze fail too.
    """

    def __init__(
        self,
        data: Path,
        plan: AskingPlan,
        items: Iterable[RunItem],
        about: Mapping[str, Any],
        who: Who,
    ) -> None:
        """Prepare the run of a plan; `items` are asked in addition to the plan's questions."""
        read = {name: reading.steps for name, reading in plan.readings.items()}
        self._courses = {name: Course(maze, read[name]) for name, maze in plan.mazes.items()}
        self._asked = {key_of(question): question for question in plan.questions}
        every = (*quiz_items(plan), *parts(self._courses, plan.asked.shots or 0), *items)
        super().__init__(data, every, about, who)

    def ask(self, items: Sequence[RunItem], kept: Rows) -> None:
        """Ask for the parts of all maps; then answer the questions about each maze from its map."""
        super().ask([item for item in items if item.key not in self._asked], kept)
        for some in by_world(items):
            left = [item.key for item in some
                    if item.key in self._asked and not kept.has(item.key)]  # fmt: skip
            self._search([item.key for item in some if item.key[1] == TRIPLET], left, kept)

    def _search(self, parts: Sequence[ItemKey], left: Sequence[ItemKey], kept: Rows) -> None:
        """Answer a maze's remaining questions from its map, or fail them if a part of it failed."""
        lines = {key: kept.lines[key] for key in parts if kept.has(key)}
        errors = [kept.losses[key] for key in parts if key in kept.losses]
        errors += [WorldError(str(line["unscored"])) for line in lines.values()
                   if line["status"] == FAILED]  # fmt: skip
        if not errors and (len(lines) < len(parts) or not left):
            return
        if errors:
            for key in left:
                kept.lose(about_item(key), errors[0])
            return
        replies = {None if key[2] == WHOLE else int(key[2]): line["reply"]
                   for key, line in lines.items()}  # fmt: skip
        found = drawn(self._courses[left[0][0]], replies)
        for key in left:
            asked = self._asked[key]
            kept.keep({**about_item(key), "reply": told(asked, searched(found, asked))})


def table(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the accuracy for each maze, and its mean over mazes with a 95 % interval."""
    rows = [row for row in rows if row.type == TRIPLET]
    failed = {row.world for row in rows if row.status is AnswerStatus.FAILED}
    games = {}
    for game in sorted({row.world for row in rows} - failed):
        mine = [row for row in rows if row.world == game]
        right, asked = (sum(row.measures[name] for row in mine) for name in ("right", "asked"))
        games[game] = {"right": right, "asked": asked, "accuracy": share(right, asked)}
    shares = tuple(row["accuracy"] for row in games.values() if row["accuracy"] is not None)
    ratio = Ratio(shares, (1.0,) * len(shares))
    bounds = intervals({"accuracy": ratio})["accuracy"]
    right, asked = (sum(row[name] for row in games.values()) for name in ("right", "asked"))
    return {
        "accuracy": {"macro": ratio.value, "interval": bounds, "mazes": len(shares)},
        "micro": {"accuracy": share(right, asked), "right": right, "asked": asked},
        "games": games,
    }
