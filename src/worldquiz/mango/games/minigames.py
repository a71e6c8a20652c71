"""MANGO's minigames (arXiv 2403.19913, section 3.5 and appendix C.7): what to do next.

A minigame is a walkthrough up to a step, at which the best thing to do is a move: the one that the
walkthrough makes next. Those can be answered whose move, or its reverse, the text has told of by
then; no others are played. Each is played as it is and with "small local map info": every place
that the text has told to be next to this one, in the words of the paper's Example 9.

The paper takes the list of actions to choose from from the running game. Here nothing runs: the
list holds every move from this place that the maze knows, filled up to ten with other actions of
the walkthrough, drawn and put in order by seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from worldquiz import rng
from worldquiz.errors import KnobError
from worldquiz.llm.tokens import ESTIMATE, counter
from worldquiz.mango.asking.ask import PER_MAZE, STEPS
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.walkthrough import plain, published
from worldquiz.mango.paths.walk import steps_within, taken
from worldquiz.mango.prompts import filled
from worldquiz.mango.scoring.minigames import PlayedMinigame, Setting, read_choice

CHOICES = 10
"""Actions on the list, as in Example 9; more only where one place has more moves."""


@dataclass(frozen=True, slots=True)
class Games:
    """Settings of the minigames. Equal values play the same ones in the same words."""

    steps: int = STEPS  # of the walkthrough that the maze's labels are of
    settings: tuple[Setting, ...] = tuple(Setting)
    per_maze: int = PER_MAZE  # minigames of a maze at most, each in every setting
    seed: int = 0
    tokens: int | None = None  # that the walkthrough before a minigame may have; None: any number
    tokenizer: str = ESTIMATE

    def __post_init__(self) -> None:
        if self.steps < 0 or self.per_maze < 1 or not self.settings:
            raise KnobError(
                f"steps {self.steps}, {self.per_maze} minigames a maze, {len(self.settings)} "
                "settings: give steps from 0, minigames from 1, and a setting"
            )

    def record(self) -> dict[str, Any]:
        """Return it as a manifest tells it."""
        settings = [str(each) for each in self.settings]
        tokenizer = None if self.tokens is None else self.tokenizer
        return {**asdict(self), "settings": settings, "tokenizer": tokenizer}

    def last(self, maze: Maze) -> int:
        """Return the last step of a maze that a minigame may ask for."""
        if self.tokens is None:
            return self.steps
        return min(self.steps, 1 + steps_within(maze, self.tokens, counter(self.tokenizer)))


@dataclass(frozen=True, slots=True)
class Minigame:
    """One thing to decide."""

    task: ClassVar[str] = "minigame"  # what kind of thing it is, in a line of replies
    game: str
    step: int  # that is to come: the prefix ends before it
    setting: Setting
    place: str
    actions: tuple[str, ...]  # to choose from
    right: frozenset[str]  # those that lead where the walkthrough goes next

    @property
    def id(self) -> str:
        """Id that no other minigame of the maze has."""
        return f"{self.step}-{self.setting}"

    def about(self) -> dict[str, Any]:
        """Return the keys that a line of replies holds about it."""
        return {
            "game": self.game, "task": self.task, "id": self.id, "step": self.step,
            "setting": str(self.setting), "place": self.place, "actions": list(self.actions),
        }  # fmt: skip


def answerable(maze: Maze, games: Games) -> dict[int, Edge]:
    """Return the moves that a walkthrough makes when the text has told of them, by their step."""
    last = games.last(maze)
    return {
        step: edge
        for step, edge in taken(maze, games.steps).items()
        if step <= last
        and edge.source != edge.target
        and edge.told.until(step - 1).first is not None
    }


def minigames(maze: Maze, games: Games) -> tuple[Minigame, ...]:
    """Return the minigames of a maze: in the order of steps, each in all settings."""
    moves = answerable(maze, games)
    drawn = rng.child(games.seed, "minigames", maze.name)
    steps = sorted(drawn.sample(sorted(moves), min(games.per_maze, len(moves))))
    return tuple(
        Minigame(maze.name, step, setting, moves[step].source, *_choices(maze, games, moves, step))
        for step in steps
        for setting in games.settings
    )


def _choices(
    maze: Maze, games: Games, moves: Mapping[int, Edge], step: int
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the actions to choose from, and the right ones."""
    best, leads = moves[step], _leads(maze, moves[step].source)
    known = set(map(plain, leads))
    others = {
        plain(each.action): each.action
        for each in maze.walkthrough[1:]
        if each.number <= games.steps and plain(each.action) not in known
    }
    draw = rng.child(games.seed, "minigame", maze.name, step)
    room = min(len(others), max(0, CHOICES - len(leads)))
    actions = [*leads, *draw.sample(sorted(others.values()), room)]
    draw.shuffle(actions)
    right = {action for action, ends in leads.items() if ends <= leads[best.action]}
    return tuple(actions), frozenset(right)


def _leads(maze: Maze, place: str) -> dict[str, set[str]]:
    """Return where each move from a place leads to."""
    found: dict[str, set[str]] = {}
    for edge in sorted(maze.edges, key=lambda edge: (edge.action, edge.target)):
        if edge.source == place:
            found.setdefault(edge.action, set()).add(edge.target)
    return found


def prompt(maze: Maze, game: Minigame) -> str:
    """Return a minigame in the paper's words (Example 9), behind the walkthrough so far."""
    return _worded(maze, game, published(maze.prefix(game.step - 1).walkthrough))


def question(maze: Maze, game: Minigame) -> str:
    """Return a minigame as its prompt asks it, without the walkthrough."""
    return _worded(maze, game, "").strip()


def _worded(maze: Maze, game: Minigame, walkthrough: str) -> str:
    shown = maze.prefix(game.step - 1)
    told = {"walkthrough": walkthrough, "actions": ", ".join(game.actions)}
    if game.setting is Setting.PLAIN:
        return filled("mango_minigame_plain", **told)
    exits = sorted((e.target, e.action) for e in shown.edges if e.source == game.place)
    near = (filled("mango_minigame_exit", place=place, action=action) for place, action in exits)
    return filled("mango_minigame_map", **told, exits="; ".join(near))


def prompts(mazes: Mapping[str, Maze], every: Sequence[Minigame]) -> Prompts[Minigame]:
    """Return the prompts of all minigames."""
    return Prompts(
        {f"{each.game}-{each.id}": each for each in every},
        Minigame.about,
        lambda game: prompt(mazes[game.game], game),
    )


def plan(mazes: Mapping[str, Maze], games: Games) -> tuple[Minigame, ...]:
    """Return every minigame of a run. Raises `KnobError` where there is none."""
    found = tuple(each for maze in mazes.values() for each in minigames(maze, games))
    if not found:
        raise KnobError(
            f"no minigame in {', '.join(mazes)}: what is read (at most {games.steps} steps) makes "
            "no move that it has told of before; read more or take other mazes"
        )
    return found


def played(game: Minigame, reply: str) -> PlayedMinigame:
    """Return the score of a reply to a minigame."""
    choice = read_choice(reply, game.actions)
    success = choice.action in game.right
    chance = len(game.right) / len(game.actions)
    return PlayedMinigame(game.game, game.step, game.setting, choice.form, success, chance)
