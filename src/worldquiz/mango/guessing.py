"""Guessing rates of MANGO's questions: the accuracy of an answerer that has no map.

The rate of a question is the highest accuracy among three guessers. Each of them knows more than
the question says, so a guesser who knows only the question does no better:

* a random walker that makes moves of the maze from the source, as many as the question has (DF) or
  the shortest route has (RF);
* for a destination, a guesser who names the place where most paths of this length end;
* for a route, a guesser who repeats one move: the best for this length in this maze.

A destination is right only if its name is exact (a success of 1 in `grade`): most wrong names share
letters with the right one, so that any fixed place has a success of a third or more.

The baselines are answerers without a map, and are listed in every table:

    go         the word "go": as every move of a route, and as the destination
    frequent   the place where most paths of this length end, or "cannot be made" if that may be
               the answer; for a route, the move that makes most routes of its length if repeated
    walk       a random walk in the maze, with as many moves as the question or the shortest route
    sheet      the answer on a map that is guessed from the questions alone: a move leads to the
               place whose lists of moves best continue those that begin with this move

The first three use facts hidden from models (the length of the shortest route, which place and
which move are frequent, where moves lead), so each is the best of its kind. `sheet` uses all
questions of a run, but not the walkthrough.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from typing import Any

from worldquiz import rng
from worldquiz.mango.grade import CANNOT, Question, Task
from worldquiz.mango.mapper import DrawnMap, SearchedMap
from worldquiz.mango.mazes import Maze
from worldquiz.mango.paths import Net, count
from worldquiz.mango.walkthrough import Move, told_as
from worldquiz.plugins import need


class Guessing:
    """Shares of right guesses at questions about the part of a maze that the first steps show."""

    def __init__(self, maze: Maze, steps: int) -> None:
        self._net = Net(maze.prefix(steps))
        self._leads: dict[tuple[str, str], set[str]] = {}
        for edge in maze.edges:  # the whole maze, in which stated moves are carried out
            self._leads.setdefault((edge.source, edge.action), set()).add(edge.target)
        self._np = np = need("numpy", extra="mango")
        self._walked = cache(lambda n: np.minimum(np.linalg.matrix_power(self._step, n), 1))
        self.repeated = cache(self._repeated)

    def rate(self, question: Question) -> float:
        """Return a question's guessing rate, 0..1; 0 if the steps do not show its places."""
        number = self._net.number
        if question.source not in number or question.target not in number:
            return 0.0
        length = len(question.actions) or question.shortest or 0
        walked = self._walked(length)[number[question.source], number[question.target]]
        if question.task is Task.RF:
            return float(max(walked, self.repeated(length)[1]))
        ends = self._ends[length]
        return float(max(walked, ends.max() / ends.sum() if ends.sum() else 0.0))

    def end(self, length: int) -> str:
        """Return the place where most paths of a length end; ties go to the first by name."""
        number: int = self._ends[length].argmax()
        return self._net.places[number]

    @cached_property
    def _step(self) -> Any:
        """Transition matrix of a random walk, [from, to]; a move to several places adds to each."""
        number, size = self._net.number, len(self._net.places)
        found = self._np.zeros((size, size))
        moves = {(edge.source, edge.action) for edge in self._net.edges}
        of_place = Counter(source for source, _ in moves)
        for source, action in moves:
            for end in self._leads[source, action] & number.keys():
                found[number[source], number[end]] += 1 / of_place[source]
        return found

    @cached_property
    def _ends(self) -> Any:
        """Numbers of paths by length and last place: [length, place]."""
        return self._np.array(count(self._net).ends)

    def _repeated(self, length: int) -> tuple[str, float]:
        """Return the move that, repeated, makes most routes of a length, and the share it makes."""
        places = self._net.places
        asked = [
            (place, places[other])
            for one, place in enumerate(places)
            for other, moves in self._net.shortest(one).items()
            if moves == length
        ]
        found: dict[str, int] = {}
        for action in sorted({edge.action for edge in self._net.edges}):
            led = {place: {place} for place in self._net.places}
            for _ in range(length):
                led = {
                    start: {end for here in ends for end in self._leads.get((here, action), ())}
                    for start, ends in led.items()
                }
            found[action] = sum(other in led[one] for one, other in asked)
        best = max(found, key=found.__getitem__, default="")
        return best, found[best] / len(asked) if asked else 0.0


def answered(baseline: str, maze: Maze, asked: Sequence[Question]) -> list[list[Move]]:
    """Return the moves with which a baseline without a map answers questions about a maze.

    The maze is the part shown by the steps read. Equal questions get equal answers, except from
    `sheet`. An answer with fewer moves than its question means that these cannot be made.
    """
    if baseline == "sheet":
        drawn = DrawnMap(_told_by(asked))
        return [searched(drawn, question) for question in asked]
    guessing = Guessing(maze, maze.steps)
    leaving: dict[str, dict[str, list[str]]] = {}
    for edge in sorted(maze.edges, key=lambda edge: edge.key):
        leaving.setdefault(edge.source, {}).setdefault(edge.action, []).append(edge.target)

    def said(question: Question) -> list[Move]:
        length = len(question.actions) or question.shortest or 1
        if baseline == "walk":
            return _walked(question, length, leaving)
        if baseline == "go":
            return _told(question, length, "go", "go")
        if question.task is Task.RF:
            return _told(question, length, guessing.repeated(length)[0], "")
        return [] if question.paired else _told(question, length, "", guessing.end(length))

    return [said(question) for question in asked]


def searched(found: SearchedMap, question: Question) -> list[Move]:
    """Return the moves that a map gives as the answer to a question."""
    if question.task is Task.DF:
        return found.destination(question.source, question.actions)
    return found.route(question.source, question.target)


def told(question: Question, legs: Sequence[Move]) -> str:
    """Return moves as the text of a reply, or `CANNOT` if they are fewer than the question's."""
    if question.may_be_impossible and len(legs) < len(question.actions):
        return CANNOT
    return json.dumps([told_as(*leg) for leg in legs], ensure_ascii=False)


def _told_by(asked: Sequence[Question]) -> Iterator[Move]:
    """Yield the moves of a map that is guessed from the lists of moves asked from each place."""
    lists: dict[str, set[tuple[str, ...]]] = {place: set() for place in sorted(
        {place for each in asked for place in (each.source, each.target) if place}
    )}  # fmt: skip
    for each in asked:
        lists[each.source].add(each.actions)
    for place, some in lists.items():
        for action in sorted({actions[0] for actions in some if actions}):
            rest = {actions[1:] for actions in some if actions[:1] == (action,)} - {()}
            alike = {other: _alike(rest, there) for other, there in lists.items() if other != place}
            best = max(alike, key=alike.__getitem__, default=place)
            if alike.get(best, 0) > 0:
                yield Move(place, action, best)


def _alike(rest: Set[tuple[str, ...]], there: Set[tuple[str, ...]]) -> float:
    """Score a place: 1 for each list of `rest` that is asked `there`, -1/2 for each that is not."""
    common = len(rest & there)
    return common - (len(rest) - common) / 2 - (len(rest) + len(there) - 2 * common) / 1e6


def _walked(
    question: Question, length: int, leaving: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[Move]:
    draw = rng.child(0, "walk", question.game, question.task, question.id)
    here, legs = question.source, []
    for _ in range(length):
        if here not in leaving:
            break
        action = draw.choice(list(leaving[here]))
        there = draw.choice(leaving[here][action])
        legs.append(Move(here, action, there))
        here = there
    return legs


def _told(question: Question, length: int, move: str, place: str) -> list[Move]:
    """Return a guess: the question's own moves, or for a route one move repeated.

    The last move leads to the guessed place or the target; all others stay at the source.
    """
    df = question.task is Task.DF
    moves, here = (question.actions if df else [move] * length), question.source
    last = Move(here, moves[-1], place if df else question.target)
    return [*(Move(here, each, here) for each in moves[:-1]), last]
