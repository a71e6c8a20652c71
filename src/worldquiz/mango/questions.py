"""MANGO's questions with their labels, sampled for the part of a walkthrough that is read.

Asking and scoring both build questions here, so that ids and labels agree. The labels of a path
(the steps from which it is easy or answerable) come from its own moves. The routes between two
places depend on the steps read, so route-finding questions are labelled on the maze that those
steps show, as in the paper's Tables 5 and 6.

Only questions that can be answered from these steps are asked. A sample is drawn evenly from easy
and hard questions; equal seeds give equal samples.

A prompt is the part of the walkthrough that is read, followed by a question. The text shared by all
questions about a maze comes first, so that providers can cache it. As in the paper's template
(arXiv 2403.19913, Examples 7 and 8), it lists the places and actions that these steps show, sorted
by name.

A limit in tokens is converted to a limit in steps for each maze.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import product
from typing import Any

from worldquiz import rng
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.llm.prompts import counter
from worldquiz.mango import sheets
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.mazes import Edge, Maze, shown_as, steps_within
from worldquiz.mango.paths import (
    ABSENT,
    Label,
    Net,
    Route,
    check_size,
    fingerprint,
    pair_id,
    path_id,
    reached,
    sample,
    told_from,
)
from worldquiz.mango.prompts import filled
from worldquiz.mango.published import split_names
from worldquiz.mango.settings import QuizSettings
from worldquiz.mango.walkthrough import published
from worldquiz.plugins import need
from worldquiz.stats.sampling import shares

MINIGAME = "minigame"
"""The task that `mango.minigames` asks."""
FOUR = 4
"""Routes from one pair of places to another, which are asked together."""


def kinds(text: str | Sequence[str]) -> tuple[str, ...]:
    """Parse task names, such as ``df,rf``. Raises `KnobError`."""
    names, known = split_names(text), [*map(str, Task), MINIGAME]
    for name in names:
        if name not in known:
            raise KnobError(f"tasks {text!r}: no task {name!r}{did_you_mean(name, known)}")
    if not names:
        raise KnobError(f"tasks: choose one or more of {', '.join(known)}")
    return tuple(kind for kind in known if kind in names)


def questions(maze: Maze, asked: QuizSettings, steps: int) -> tuple[Question, ...]:
    """Return questions that the first steps of a maze answer, destination finding first."""
    if asked.choice == "paired":
        return tuple(_paired(maze, steps, asked))
    found: list[Question] = []
    if Task.DF in kinds(asked.tasks):
        seed = rng.child_seed(asked.seed, "df")
        drawn = sample(maze.prefix(steps), asked.per_maze, seed, steps)
        found += [destination(maze.name, path) for path in drawn]
    if Task.RF in kinds(asked.tasks):
        every = sorted(Routes(maze.prefix(steps), Route(asked.rf_easy)), key=lambda each: each.id)
        groups = {
            level: [each for each in every if str(each.level(steps)) == level]
            for level in ("easy", "hard")
        }
        size = shares({level: len(group) for level, group in groups.items()}, asked.per_maze)
        for level, group in groups.items():
            draw = rng.child(asked.seed, "rf", maze.name, level)
            found += sorted(
                draw.sample(group, size.get(level, 0)),
                key=lambda each: (each.shortest or 0, each.source, each.target),
            )
    return tuple(found)


def _paired(maze: Maze, steps: int, asked: QuizSettings) -> Iterator[Question]:
    """Yield paired questions, which do not reveal the map (`mango.sheets`)."""
    shown, left = maze.prefix(steps), max(asked.per_maze, FOUR)
    pairs = sheets.partners(maze, shown)
    if Task.DF in kinds(asked.tasks):
        yield from sheets.destinations(shown, pairs, left, asked.seed)
    if Task.RF in kinds(asked.tasks):
        routes = Routes(shown, Route(asked.rf_easy))
        for one, two in sheets.blocks(maze, pairs, asked.seed):
            four = [routes.question(*ends) for ends in product(one, two)]
            if left >= FOUR and all(each and each.shortest for each in four):
                left -= FOUR
                yield from (replace(each, paired=True) for each in four if each)


def destination(game: str, path: Sequence[Edge]) -> Question:
    """Return the destination-finding question of a path."""
    easy, told = told_from(path)
    return Question(
        game, path_id(path), Task.DF, path[0].source, tuple(edge.action for edge in path),
        path[-1].target, len(path), easy, told,
    )  # fmt: skip


class Routes:
    """The route-finding questions of a maze."""

    def __init__(self, maze: Maze, easy: Route) -> None:
        """Index a maze. `easy` is the kind of route that can make a question easy."""
        self._net = Net(maze)
        check_size(self._net)
        self._easy, self._reached = easy, cache(partial(reached, self._net))

    def __iter__(self) -> Iterator[Question]:
        """Yield the question about each pair of places with a route, sorted by place names."""
        every = (self.question(*pair) for pair in product(self._net.places, repeat=2))
        return (question for question in every if question and question.shortest)

    def question(self, source: str, target: str) -> Question | None:
        """Return the question about two places, None unless the maze has both."""
        number = self._net.number
        if source not in number or target not in number:
            return None
        one, other = number[source], number[target]
        easy, told = (
            self._reached(one, by, route).get(other, (0, ABSENT))[1]
            for by, route in ((Label.TOLD_FORWARD, self._easy), (Label.TOLD_FIRST, Route.ANY))
        )
        return Question(
            self._net.name, pair_id(source, target), Task.RF, source, (), target,
            self._net.shortest(one).get(other),
            None if easy == ABSENT else easy, None if told == ABSENT else told,
        )  # fmt: skip


class Reading:
    """First steps of a maze's walkthrough, and the text that comes before each question."""

    def __init__(self, maze: Maze, steps: int) -> None:
        """Read the first steps. Raises `KnobError` for a maze without its walkthrough's text."""
        shown = maze.prefix(steps)
        self.steps, self.walkthrough, self.places = steps, shown.text, shown.places
        self.actions = sorted(shown.actions)
        lists = {"actions": ", ".join(self.actions), "places": ", ".join(sorted(self.places))}
        self.text = filled("mango_reading", walkthrough=published(self.walkthrough), **lists) + "\n"


def question_words(question: Question) -> str:
    """Return the words of a question, which follow the walkthrough in a prompt."""
    moves, form = ", ".join(question.actions), "_paired" if question.may_be_impossible else ""
    about = {"source": question.source, "moves": moves, "target": question.target}
    return filled(f"mango_{question.task}{form}", **about)


@dataclass(frozen=True, slots=True)
class AskingPlan:
    """The questions of a run, and their mazes, which are whole and sorted by name."""

    asked: QuizSettings
    mazes: Mapping[str, Maze] = field(repr=False)
    readings: Mapping[str, Reading] = field(repr=False)  # by maze
    questions: tuple[Question, ...] = field(repr=False)  # in the order of their answers

    def record(self) -> dict[str, Any]:
        """Return the settings and mazes of the plan, for the run's manifest."""
        read = {game: reading.steps for game, reading in self.readings.items()}
        return {
            **self.asked.record(), "tasks": list(kinds(self.asked.tasks)), "read": read,
            "questions": len(self.questions),
            "data": {game: fingerprint(maze) for game, maze in self.mazes.items()},
        }  # fmt: skip


def planned(mazes: Mapping[str, Maze], asked: QuizSettings) -> AskingPlan:
    """Return the plan of a run.

    Raises `MissingExtra`, and `KnobError` for a maze without text, for a tokenizer that cannot be
    loaded, for a token limit that excludes step 0, and if no question is left.
    """
    require_libraries()
    readings: dict[str, Reading] = {}
    found: list[Question] = []
    for name, maze in sorted(mazes.items()):
        text = shown_as(maze, asked.walkthrough)
        steps = maze.steps if asked.steps is None else min(asked.steps, maze.steps)
        if asked.tokens is not None:
            steps = min(steps, steps_within(text, asked.tokens, counter(asked.tokenizer)))
        readings[name] = Reading(text, steps)
        found += questions(text, asked, steps)
    if not found and MINIGAME not in kinds(asked.tasks):
        read = ", ".join(f"{name} {each.steps}" for name, each in readings.items())
        paired = asked.choice == "paired"  # asks only about places whose partners were read, too
        raise KnobError(
            f"no question of the tasks {', '.join(kinds(asked.tasks))} can be answered from the "
            f"steps read ({read}): read more steps{', or give --choice published' * paired}"
        )
    return AskingPlan(asked, {name: mazes[name] for name in readings}, readings, tuple(found))


def require_libraries() -> None:
    """Raise `MissingExtra` if a library for sampling questions and scoring answers is missing."""
    for library in ("numpy", "rapidfuzz"):
        need(library, extra="mango")
