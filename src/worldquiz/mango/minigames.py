"""MANGO's minigames (arXiv 2403.19913, section 3.5 and appendix C.7): choose the next move.

A minigame shows a walkthrough up to a step; the right answer is the move that the walkthrough makes
next. The paper does not say which steps are asked, but its program does
(``src/play_games/play_game.py`` of the official repository at 83c085a), and `revisits` follows it.
The program draws a map along the walk, naming places by the first lines of their texts, and asks a
step that repeats a move on this map. "Small local map info" is the part of the map around the
current place, in the words of the paper's Example 9. The map may be wrong: arrivals by an action
other than a direction are missed, and every move is drawn with its reverse.

The program takes the list of possible actions from the running game. Here no game runs: the list
has every move from this place in the maze or on the drawn map, filled up to ten with other actions
of the walkthrough, sampled and shuffled by seed. It always contains the right action, as half of
the published lists do.

A reply succeeds if it chooses the walkthrough's action. It is read like every choice
(`facts.answer_values.named`). A reply that names several listed actions, or none, is ill-formed: it
fails and stays in the denominator. Table 14 counts successes by maze; Figure 4 shows the share over
all minigames. The 95 % interval of this share resamples whole mazes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

from worldquiz import rng
from worldquiz.errors import KnobError
from worldquiz.facts.answer_values import named
from worldquiz.facts.replies import claim
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.prompts import counter
from worldquiz.mango.mazes import Maze, steps_within, taken
from worldquiz.mango.prompts import filled
from worldquiz.mango.questions import MINIGAME
from worldquiz.mango.run import maze_item
from worldquiz.mango.settings import QuizSettings
from worldquiz.mango.walkthrough import BACK, COMPASS, WalkStep, plain, published
from worldquiz.runs.items import Line, RunItem, Shown
from worldquiz.runs.rows import row_fields
from worldquiz.stats.row_scores import scores

CHOICES = 10
"""Actions on the list, as in Example 9; more only where one place has more moves."""
DIRECTIONS = COMPASS.keys() - {"southwest"}
"""Moves that the official program notices."""
PLAIN, MAP = "plain", "map"
"""Information that a player has besides the walkthrough: none ("W/O MAPS" in Table 14), or the
exits of the current place ("W/ MAPS")."""


class Again(NamedTuple):
    """A repeated move, with the part of the drawn map around its source."""

    action: str
    first: int  # the step at which that move, or its reverse, was drawn
    exits: tuple[tuple[str, str], ...]  # places next to this one and how to go there, as drawn


@dataclass(frozen=True, slots=True)
class Minigame:
    """One choice of the next move."""

    game: str
    step: int  # the step to decide: the prefix ends before it
    setting: str  # `PLAIN` or `MAP`
    best: Again
    actions: tuple[str, ...]  # to choose from


def revisits(walkthrough: Sequence[WalkStep]) -> dict[int, Again]:
    """Return the steps that repeat a move on the map drawn so far, by step number."""
    drawn, here, found = dict[str, dict[str, tuple[str, int]]](), "Init", dict[int, Again]()
    for step in walkthrough[1:]:
        action = plain(step.action)
        place = step.observation.strip().lstrip(">\n").strip().partition("\n")[0]
        if action not in DIRECTIONS or place == here:
            continue
        exits = drawn.setdefault(here, {})
        if place in exits and exits[place][0] == action:
            shown = tuple((there, way) for there, (way, _) in exits.items())
            found[step.number] = Again(step.action, exits[place][1], shown)
        else:
            exits[place] = action, step.number
            drawn.setdefault(place, {})[here] = BACK[action], step.number
        here = place
    return found


def minigames(maze: Maze, given: QuizSettings) -> Iterator[Minigame]:
    """Yield a maze's minigames by step: with the local map, without it, or in both settings."""
    last = maze.steps if given.steps is None else given.steps
    if given.tokens is not None:
        last = min(last, 1 + steps_within(maze, given.tokens, counter(given.tokenizer)))
    games = {step: again for step, again in revisits(maze.text).items() if step <= last}
    drawn = rng.child(given.seed, "minigames", maze.name)
    shown = {None: (PLAIN, MAP), True: (MAP,), False: (PLAIN,)}
    for step in sorted(drawn.sample(sorted(games), min(given.per_maze, len(games)))):
        actions = _choices(maze, given, games[step], step)
        for setting in shown[given.local_map]:
            yield Minigame(maze.name, step, setting, games[step], actions)


def _choices(maze: Maze, given: QuizSettings, best: Again, step: int) -> tuple[str, ...]:
    """Return the list of actions that a minigame offers."""
    move = taken(maze, given.steps).get(step)
    moves = [edge.action for edge in maze.edges if move and edge.source == move.source]
    known = {plain(way): way for way in (*moves, *(way for _, way in best.exits), best.action)}
    others = {
        plain(each.action): each.action
        for each in maze.walkthrough[1:]
        if (given.steps is None or each.number <= given.steps) and plain(each.action) not in known
    }
    draw = rng.child(given.seed, "minigame", maze.name, step)
    room = min(len(others), max(0, CHOICES - len(known)))
    actions = [*sorted(known.values()), *draw.sample(sorted(others.values()), room)]
    draw.shuffle(actions)
    return tuple(actions)


def worded(game: Minigame) -> str:
    """Return the prompt after the walkthrough, in the paper's words (Example 9)."""
    words = filled("mango_minigame", actions=", ".join(game.actions))
    if game.setting == PLAIN:
        return words
    near = (
        filled("mango_minigame_exit", place=place, action=action)
        for place, action in game.best.exits
    )
    return f"{filled('mango_minigame_map', exits='; '.join(near))}\n{words}"


def items(mazes: Mapping[str, Maze], given: QuizSettings) -> tuple[RunItem, ...]:
    """Return every minigame of a run with its prompt. Raises `KnobError` if there is none."""
    every = tuple(each for maze in mazes.values() for each in minigames(maze, given))
    if not every:
        raise KnobError(
            f"no minigame in {', '.join(mazes)}: no move is made twice in the steps that are read "
            f"(at most {given.steps}); read more steps, or choose other mazes"
        )

    def shown(game: Minigame) -> Shown:
        maze = mazes[game.game]
        walked = published(maze.prefix(game.step - 1).walkthrough)
        return Shown(reading=walked, question=worded(game))

    def fields(game: Minigame, line: Line) -> dict[str, Any]:
        return {
            "format": "choice", "level": game.setting, "choices": game.actions,
            "gold": game.best.action, "prompt": worded(game),
            "shown": True, "episode": 0, "step": game.best.first,
            "guess": 1 / len(game.actions), **graded(game.actions, game.best.action, line),
        }  # fmt: skip

    return tuple(
        maze_item(
            (each.game, MINIGAME, f"{each.step}-{each.setting}"),
            partial(shown, each), partial(fields, each),
        )
        for each in every
    )  # fmt: skip


def graded(choices: Sequence[str], gold: str, line: Line) -> dict[str, Any]:
    """Return the fields that a reply to a minigame adds to its row."""
    said, known = line["reply"], {action: action for action in reversed(choices)}
    found = tuple(named(claim(said) or said, "", known) or ())
    choice = found[0] if len(found) == 1 else None
    read = row_fields(line, choice)
    answered = read["status"] is AnswerStatus.ANSWERED
    return {**read, "correct": float(choice == gold) if answered else None}


def table(rows: Iterable[Row]) -> dict[str, Any]:
    """Return Table 14 of one contestant: by maze and setting, and in total.

    Raises `MissingExtra` without numpy.
    """
    cells: dict[str, dict[str, list[Row]]] = {}
    for row in sorted(rows, key=lambda row: row.world):
        if row.status is not AnswerStatus.FAILED:
            cells.setdefault(str(row.level), {}).setdefault(row.world, []).append(row)
    games = {
        name: {setting: _counts(played.get(name, ())) for setting, played in cells.items()}
        for name in sorted({*chain(*cells.values())})
    }
    return {"games": games, **{setting: _total(played) for setting, played in cells.items()}}


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    return {
        "successes": sum(row.correct == 1 for row in rows), "asked": len(rows),
        "ill_formed": sum(row.status is not AnswerStatus.ANSWERED for row in rows),
    }  # fmt: skip


def _total(mazes: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    every = [row for rows in mazes.values() for row in rows]
    found = scores(every)
    return {
        **_counts(every), "mazes": len(mazes),
        "share": found["grade"], "interval": found["ci"]["grade"],
        "chance": fmean(row.guess or 0.0 for row in every),
    }  # fmt: skip
