"""The road by way of a map (arXiv 2403.19913, appendix C.4): a model draws it, a search answers.

*A step at a time* (5-shot): the model is shown the walkthrough's first five steps with the place
where each ends, then one step's action and text, and names the place where that ends, or None. The
triplets of source, action and destination follow, since one is where the last place was named.
Accuracy is the share of steps at which the place is what the annotation says: where the step moves
nobody, none. The paper also counts the five steps that its prompt gives away; here they are not
asked. (The mean over its six games is its 70.5 %.)

*The whole walkthrough at once* (0-shot): the model lists all triplets. "Any mistake would cause all
subsequent steps to be incorrect", so accuracy is the share of the walkthrough's moves before the
first mistake (6.3 %).

Names are compared as in `grade`: case and blanks aside. Both prompts are those of the paper's
supplement, but for the keys of the second, which we spell with underscores. The map that comes of
the triplets is searched for what `worldquiz mango run` would have asked, so its answers are scored
and shown beside any contestant's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from worldquiz.errors import KnobError
from worldquiz.facts.knowledge import share
from worldquiz.facts.replies import Form, without_thoughts
from worldquiz.mango.answers import Key
from worldquiz.mango.mapper import DrawnMap, Leg
from worldquiz.mango.maze import Maze, taken
from worldquiz.mango.moves import ToldMove, read_moves
from worldquiz.mango.prompts import filled
from worldquiz.mango.questions import Prompts
from worldquiz.mango.walkthrough import WalkStep, plain, published
from worldquiz.runs.losses import FAILED
from worldquiz.stats.intervals import Ratio, intervals

SHOTS = (5, 0)
"""Examples that a model is shown: first steps, asked one at a time; none, asked all at once."""
WHOLE = "whole"
_LABEL = "==>LOCATION:"
_AROUND = " \t\"'`*.:"


@dataclass(frozen=True, slots=True)
class MapReading:
    """A part of a walkthrough that a model is asked to read."""

    task: ClassVar[str] = "triplet"  # what kind of thing it is, in a line of replies
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
        self.maze = maze
        self.walk = [step for step in maze.walkthrough if step.number <= steps]
        self.moves = {step: ToldMove(*edge.key) for step, edge in taken(maze, steps).items()}

    def place(self, step: int) -> str | None:
        """Return the place that a step leads to, None if it makes no move."""
        return self.moves[step].target if step in self.moves else None

    def stands(self, step: int) -> str:
        """Return where one stands after a step, "" if no move tells."""
        before = [move for number, move in self.moves.items() if number <= step]
        after = [move for number, move in self.moves.items() if number > step]
        return before[-1].target if before else after[0].source if after else ""


def readings(about: Mapping[str, Course], shots: int) -> tuple[MapReading, ...]:
    """Return all that a model is asked to read.

    Raises `KnobError` for shots that there are not, and where a maze has nothing beyond them.
    """
    if shots not in SHOTS:
        raise KnobError(
            f"shots {shots}: give {SHOTS[0]} (a step at a time) or {SHOTS[1]} (all at once)"
        )
    for name, course in about.items():
        if shots and len(course.walk) <= shots + 1:
            raise KnobError(
                f"maze {name!r}: {shots} steps are examples, and {len(course.walk) - 1} are read: "
                "read more, or leave it out by naming other games"
            )
    if not shots:
        return tuple(MapReading(name, None) for name in about)
    return tuple(
        MapReading(name, step.number)
        for name, course in about.items()
        for step in course.walk[shots + 1 :]
    )


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


def prompts(
    about: Mapping[str, Course], every: Sequence[MapReading], shots: int
) -> Prompts[MapReading]:
    """Return the prompts of all parts."""
    return Prompts(
        {f"{each.game}-{each.id}": each for each in every},
        MapReading.about,
        lambda reading: prompt(about[reading.game], reading, shots),
    )


def read_place(reply: str) -> str | None:
    """Return the place that a reply names, None where it names none.

    The prompt asks for the place and nothing else: its first line counts, marks around it do not.
    """
    lines = [line for line in without_thoughts(reply, " ").splitlines() if line.strip()]
    said = lines[0].strip().removeprefix(_LABEL).strip(_AROUND) if lines else ""
    return None if plain(said) in ("", "none") else " ".join(said.split())


class ReadMap(NamedTuple):
    """The map that replies about one walkthrough draw, and what they are worth."""

    drawn: DrawnMap
    right: int  # steps completed rightly; moves before the first mistake
    asked: int  # steps; moves
    unread: int  # replies that could not be read


def read_course(course: Course, replies: Mapping[int | None, str]) -> ReadMap:
    """Return what replies draw: they are by step, or the one to the whole walkthrough by None."""
    if None in replies:
        reply = read_moves(replies[None])
        told, true = ([tuple(map(plain, move)) for move in moves]
                      for moves in (reply.moves, course.moves.values()))  # fmt: skip
        wrong = (at for at, move in enumerate(true) if at >= len(told) or told[at] != move)
        unread = int(reply.form is Form.ILL_FORMED)
        return ReadMap(_drawn(reply.moves), next(wrong, len(true)), len(true), unread)
    places = {step: read_place(reply) for step, reply in replies.items() if step is not None}
    here = course.stands(min(places) - 1)
    moves = [move for step, move in course.moves.items() if step not in places]
    for step in sorted(places):
        place = places[step]
        if place is not None and plain(place) != plain(here):
            moves.append(ToldMove(here, course.walk[step].action, place))
            here = place
    silent = {step for step in places if not without_thoughts(replies[step], " ").strip()}
    right = sum(
        plain(place or "") == plain(course.place(step) or "")
        for step, place in places.items()
        if step not in silent
    )
    return ReadMap(_drawn(moves), right, len(places), len(silent))


def _drawn(moves: Sequence[ToldMove]) -> DrawnMap:
    return DrawnMap(Leg(*move) for move in moves)


def read_run(
    about: Mapping[str, Course], replies: Mapping[Key, Mapping[str, Any]]
) -> dict[str, ReadMap]:
    """Return each maze's map as a run's replies draw it; of which a reply failed, it has none."""
    parts = [line for line in replies.values() if line["task"] == MapReading.task]
    failed = {line["game"] for line in parts if line.get("status") == FAILED}
    told: dict[str, dict[int | None, str]] = {name: {} for name in about if name not in failed}
    for line in parts:
        if line["game"] in told:
            step = None if line["id"] == WHOLE else int(line["id"])
            told[line["game"]][step] = line["reply"]
    return {name: read_course(about[name], replies_) for name, replies_ in told.items()}


def table(read: Mapping[str, ReadMap]) -> dict[str, Any]:
    """Return accuracy: of each maze, and its mean over mazes with a 95 % interval."""
    games = {
        game: {"right": each.right, "asked": each.asked, "unread": each.unread,
               "accuracy": share(each.right, each.asked)}
        for game, each in sorted(read.items())
    }  # fmt: skip
    shares = tuple(row["accuracy"] for row in games.values() if row["accuracy"] is not None)
    ratio = Ratio(shares, (1.0,) * len(shares))
    bounds = intervals({"accuracy": ratio})["accuracy"]
    right, asked, unread = (
        sum(getattr(each, name) for each in read.values()) for name in ("right", "asked", "unread")
    )
    return {
        "accuracy": {"macro": ratio.value, "interval": bounds, "mazes": len(shares)},
        "micro": {"accuracy": share(right, asked), "right": right, "asked": asked},
        "unread": unread,
        "games": games,
    }
