"""The road by way of a map (arXiv 2403.19913, appendix C.4): a model draws it, a search answers.

*A step at a time* (5-shot): the model is shown the walkthrough's first five steps with the place
where each ends, then one step's action and text, and names the place where that ends, or None. The
triplets of source, action and destination follow, since one is where the last place was named.

*The whole walkthrough at once* (0-shot): the model lists all triplets.

Both prompts are those of the paper's supplement, but for the keys of the second, which we spell
with underscores. The map that comes of the triplets is searched for what `worldquiz mango run`
would have asked, so its answers are scored and shown beside any contestant's. A run's folder holds
``triplets.jsonl``, too (see `worldquiz.mango.running.run`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from worldquiz.errors import KnobError
from worldquiz.llm.reply_lists import Form, ToldMove, read_moves, spoken
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.mapper.drawnmap import DrawnMap, Leg
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import WalkStep, published
from worldquiz.mango.paths.walk import taken
from worldquiz.mango.prompts import filled
from worldquiz.mango.running.replies import Key
from worldquiz.mango.scoring.triplets import ReadMap, chain, of_steps, of_whole, read_place
from worldquiz.runs.losses import FAILED

SHOTS = (5, 0)
"""Examples that a model is shown: first steps, asked one at a time; none, asked all at once."""
REPLIES = "triplets.jsonl"
WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class MapReading:
    """A part of a walkthrough that a model is asked to read."""

    task: ClassVar[str] = "triplets"  # what kind of thing it is, in a line of replies
    game: str
    step: int | None  # None: the whole walkthrough

    @property
    def id(self) -> str:
        """Id that no other reading of the maze has."""
        return WHOLE if self.step is None else str(self.step)

    def about(self) -> dict[str, Any]:
        """Return the keys that a line of replies holds about it."""
        return {"game": self.game, "task": self.task, "id": self.id}


class Course:
    """A walkthrough with the moves that it really makes."""

    def __init__(self, maze: Maze, steps: int) -> None:
        """Read so many steps. Raises `KnobError` for a maze without its walkthrough's text."""
        self.maze, self.moves = maze, taken(maze, steps)
        self.walk = [step for step in maze.walkthrough if step.number <= steps]

    def place(self, step: int) -> str | None:
        """Return the place that a step leads to, None if it makes no move."""
        return self.moves[step].target if step in self.moves else None

    def stands(self, step: int) -> str:
        """Return where one stands after a step, "" if no move tells."""
        before = [edge for number, edge in self.moves.items() if number <= step]
        after = [edge for number, edge in self.moves.items() if number > step]
        return before[-1].target if before else after[0].source if after else ""

    def asked(self, shots: int) -> tuple[MapReading, ...]:
        """Return the parts that a model is asked to read. Raises `KnobError` if none is left."""
        if not shots:
            return (MapReading(self.maze.name, None),)
        if len(self.walk) <= shots + 1:
            raise KnobError(
                f"maze {self.maze.name!r}: {shots} steps are examples, and {len(self.walk) - 1} "
                "are read: read more, or leave it out by naming other games"
            )
        return tuple(MapReading(self.maze.name, step.number) for step in self.walk[shots + 1 :])


def prompt(course: Course, reading: MapReading, shots: int) -> str:
    """Return the prompt, in the words of the paper's supplement."""
    if reading.step is None:
        return filled("mango_triplet_whole", walkthrough=published(course.walk))
    examples = (
        filled(
            "mango_triplet_example",
            number=str(step.number),
            place=course.place(step.number) or "None",
            **_shown(step),
        )
        for step in course.walk[1 : shots + 1]
    )
    step = course.walk[reading.step]
    return filled("mango_triplet_step", examples="\n\n".join(examples), **_shown(step))


def question(course: Course, reading: MapReading) -> str:
    """Return the question about a part, without the walkthrough and the examples before it."""
    if reading.step is None:
        return filled("mango_triplet_whole", walkthrough="").partition("\n\n")[2]
    step = course.walk[reading.step]
    return filled("mango_triplet_step", examples="", **_shown(step)).partition("\n\n\n\n")[2]


def _shown(step: WalkStep) -> dict[str, str]:
    return {"action": step.action, "observation": step.observation}


def read_course(course: Course, replies: Mapping[int | None, str]) -> tuple[DrawnMap, ReadMap]:
    """Return the map that replies draw, by the step that they are about, and what it is worth."""
    true = {step: ToldMove(*edge.key) for step, edge in course.moves.items()}
    if None in replies:
        moves = read_moves(replies[None])
        unread = moves.form is Form.ILL_FORMED
        return _drawn(moves.moves), of_whole(moves.moves, list(true.values()), unread=unread)
    steps = {step: reply for step, reply in replies.items() if step is not None}
    places = {step: read_place(reply) for step, reply in steps.items()}
    told = chain(
        course.stands(min(places) - 1), {step.number: step.action for step in course.walk}, places
    )
    given = [move for step, move in true.items() if step not in places]
    silent = [step for step, reply in steps.items() if not spoken(reply).strip()]
    drawn = _drawn([*given, *told.values()])
    return drawn, of_steps(places, told.values(), true, unread=silent)


def _drawn(moves: Sequence[ToldMove]) -> DrawnMap:
    return DrawnMap(Leg(*move) for move in moves)


def readings(about: Mapping[str, Course], shots: int) -> tuple[MapReading, ...]:
    """Return all that a model is asked to read. Raises `KnobError` for shots that there are not."""
    if shots not in SHOTS:
        raise KnobError(
            f"shots {shots}: give {SHOTS[0]} (a step at a time) or {SHOTS[1]} (all at once)"
        )
    return tuple(reading for course in about.values() for reading in course.asked(shots))


def prompts(
    about: Mapping[str, Course], every: Sequence[MapReading], shots: int
) -> Prompts[MapReading]:
    """Return the prompts of all parts."""
    return Prompts(
        {f"{each.game}-{each.id}": each for each in every},
        MapReading.about,
        lambda reading: prompt(about[reading.game], reading, shots),
    )


def read_run(
    about: Mapping[str, Course], replies: Mapping[Key, Mapping[str, Any]]
) -> dict[str, tuple[DrawnMap, ReadMap]]:
    """Return each maze's map as a finished run's replies draw it, and what it is worth.

    A maze of which a reply failed has no map.
    """
    failed = {line["game"] for line in replies.values() if line.get("status") == FAILED}
    told: dict[str, dict[int | None, str]] = {name: {} for name in about if name not in failed}
    for line in replies.values():
        if line["game"] in told:
            step = None if line["id"] == WHOLE else int(line["id"])
            told[line["game"]][step] = line["reply"]
    return {name: read_course(about[name], replies_) for name, replies_ in told.items()}
