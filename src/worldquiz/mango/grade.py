"""MANGO's scores (arXiv 2403.19913, section 2.3 and appendix A.6).

*Destination finding*: the answer is the last place that the stated moves name. Its score is ``1 - d
/ l``, with the edit distance d to a correct place and the length l of the longer name. If a move
leads to several places, several places are correct; the nearest counts.

*Route finding*: the stated moves are carried out in the maze. The answer scores 1 if they end at
the destination, otherwise 0. If a move leads to several places, all of them are followed, and it is
enough if one of these paths ends at the destination.

*Matching of stated moves* (`Rule`): by default, a stated move is matched by its name, where "n",
"go north" and "walk north" name "north". The paper replaces a move that "doesn't exactly match any
valid move in the graph" by "the closest (i.e., smallest edit-distance) valid move". Here this is
the closest of all moves in the maze: if only the moves of one place counted, any word would match
in a dead end. For ties, which the paper does not mention, the first move by name counts.

*Reasoning*: 1 if the whole stated trajectory is right. It must start at the source, each move must
start where the previous one ended and lead to the place that the model names, and the last must end
at the destination. For destination finding, the moves must be those of the question. Moves are
matched as above; places must be named exactly.

*Knowledge* (`facts.knowledge`): an answer is right if it is a route with a success of 1, or if it
names a correct place in a form that `Places` recognizes among the names in the prompt.

*Weighted by route length*: success * l / max(p, l), where p is the number of stated moves, and l
that of the shortest route or of the question (SPL; Anderson et al., arXiv 1807.06757).

*Reading a reply*: MANGO asks for a Python list of dictionaries with the keys ``prev_node``,
``node`` and ``action`` (Examples 7 and 8; its programs say ``location_before`` and
``location_after``). Models surround this list with prose, code fences and thoughts, use other
quotes, or leave out the ``[`` that already ends their prompt. The last such list in a reply is its
answer; it is parsed, never evaluated as code. For the knowledge score, a reply has no answer if it
also states other moves. A reply is ill-formed without a list of moves that have all three keys,
each with a string; it scores 0 and stays in the denominator.

Names are compared ignoring case and extra blanks.
"""

from __future__ import annotations

import ast
import heapq
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from worldquiz.facts.answer_text import normal, tidy
from worldquiz.facts.answer_values import named
from worldquiz.facts.replies import claim, objects, strict, without_thoughts
from worldquiz.mango.mazes import Maze
from worldquiz.mango.walkthrough import BACK, LETTERS, Move, plain
from worldquiz.plugins import need

if TYPE_CHECKING:
    from rapidfuzz.distance import Levenshtein
else:
    Levenshtein = need("rapidfuzz.distance.Levenshtein", extra="mango")

likeness = Levenshtein.normalized_similarity
"""1 - edit distance / longer length: 1 for equal names, 0 for nothing in common."""
LONGEST = 100_000
"""Most characters in a list of moves; longer lists are ill-formed."""
_TRIED = 20
"""Most lists that are tried, from the last list backwards."""
KEYS = {
    "prev_node": "source", "location_before": "source",
    "action": "action",
    "node": "target", "location_after": "target",
}  # fmt: skip
"""The names of a move's parts, the paper's and the release's."""
_BETWEEN = re.compile(
    r"\s*,?\s*(?:#[^\n]*\s*)?(?:(?:[-*•]|(?:step )?\d{1,3} ?[.:)])\s*)?", re.IGNORECASE
)
"""Between dictionaries: a comma, a comment, and the bullet or number of a line."""
_GOES_ON = re.compile(r"\s*,\s*[^\s\]]")


def read_moves(reply: str) -> tuple[Move, ...]:
    """Return the moves that a reply states, () if it is ill-formed."""
    if moves := moves_of(_literal(reply.strip())):
        return moves
    return next(_tellings(without_thoughts(reply, " ")), ())


def _tellings(text: str) -> Iterator[tuple[Move, ...]]:
    """Yield the lists of moves in a text, the last first."""
    return filter(None, map(moves_of, islice(_lists(text), _TRIED)))


_NOT = re.compile(
    r"(?:\b(?:not|never|cannot|example|instead of)|n't\b)[\w '\"]{0,40}:?\s{0,9}[\[{]",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"\b(?:wait|actually|correction|sorry|wrong|can(?:not|'t) (?:tell|know|say|be))\b",
    re.IGNORECASE,
)


def takes_back(reply: str) -> bool:
    """Return whether a reply withdraws its moves in words, or states other moves as well."""
    text = without_thoughts(reply, " ")
    end = max(map(text.rfind, "]}")) + 1
    if _NOT.search(text) or _UNDONE.search(text, end):
        return True
    last, *others = [*_tellings(text)] or [()]
    parts = {last[n:m] for n in range(len(last)) for m in range(n + 1, len(last) + 1)}
    return not parts.issuperset(others)


def _literal(text: str) -> Any:
    """Return the value of a JSON or Python literal, None for any other text."""
    value = strict(text) if len(text) <= LONGEST else None
    return python_literal(text) if value is None else value


def python_literal(text: str) -> Any:
    """Return the value of a Python literal, None for any other text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about escapes unknown to Python
            return ast.literal_eval(text) if len(text) <= LONGEST else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _lists(text: str) -> Iterator[Any]:
    """Yield possible lists of dictionaries in a text, the last first.

    Only commas, blanks, comments and bullets may separate the dictionaries. The brackets may be
    missing, since a reply may continue from the bracket that ends its prompt.
    """
    found = objects(text)
    while found:
        run = [found.pop()]
        while found and _BETWEEN.fullmatch(text, found[-1].end, run[-1].start):
            run.append(found.pop())
        start, end = run[-1].start, run[0].end
        if end - start > LONGEST or text[end - 1] != "}" or _GOES_ON.match(text, end):
            continue
        if len(run) == 1 and not _move(run[0].value):
            yield from (each for each in run[0].value.values() if isinstance(each, list))
        told = _literal(f"[{text[start:end]}]")
        yield [each.value for each in reversed(run)] if told is None else told


def moves_of(value: object) -> tuple[Move, ...]:
    """Return a list of dictionaries as moves, () if one of them is not a move."""
    moves = [_move(each) for each in value] if isinstance(value, list) else []
    return tuple(move for move in moves if move) if all(moves) else ()


def _move(value: object) -> Move | None:
    if not isinstance(value, dict):
        return None
    parts = {KEYS[key]: said for key, said in value.items() if key in KEYS}
    source, action, target = (parts.get(name) for name in Move._fields)
    if isinstance(source, str) and isinstance(action, str) and isinstance(target, str):
        return Move(source, action, target)
    return None


class Task(StrEnum):
    """Task of a question."""

    DF = "df"  # destination finding
    RF = "rf"  # route finding


SCORES = ("success", "reasoning", "weighted")
"""Scores of an answer; reasoning is 0 or 1, weighted is success weighted by route length."""


class Rule(StrEnum):
    """Rule that maps a stated move to a move of the maze."""

    EXACT = "exact"  # the move that it names
    PAPER = "paper"  # the closest move of the whole maze


class Level(StrEnum):
    """Difficulty level of a question: easy if the steps read take every move of its route."""

    EASY = "easy"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a maze, without its wording."""

    game: str
    id: str
    task: Task
    source: str
    actions: tuple[str, ...]  # of destination finding; () for route finding
    target: str  # where the question's route ends
    shortest: int | None  # moves of the question's or the shortest route; None without a route
    easy_from: int | None  # the step from which it is easy; None: never
    answerable_from: int | None  # the step from which it can be answered; None: never
    paired: bool = False  # drawn by `mango.sheets`; without a target, its moves cannot be made

    @property
    def may_be_impossible(self) -> bool:
        """Return whether the right answer may be that the moves cannot be made (`CANNOT`)."""
        return self.paired and self.task is Task.DF

    def level(self, steps: int) -> Level | None:
        """Return the level for a reader of the first steps, None if they do not give the answer."""
        if self.answerable_from is None or self.answerable_from > steps:
            return None
        easy = self.easy_from is not None and self.easy_from <= steps
        return Level.EASY if easy else Level.HARD


_GOING = ("go", "walk", "head", "move", "run")


def meant(action: str) -> str:
    """Return the direction that an action names ("go north": "north"), or the action itself."""
    words = action.rstrip(".!").replace("-", " ").split()
    if words[:1] and words[0] in _GOING:
        del words[0]
        for filler in ("to", "the"):
            if words[:1] == [filler]:
                del words[0]
    way = "".join(words)
    way = LETTERS.get(way, way)
    return way if way in BACK else action


class Ways:
    """A maze for scoring: the places that each action leads to from each place, by plain name."""

    def __init__(self, maze: Maze, rule: Rule = Rule.EXACT) -> None:
        self._rule = rule
        self._exits: dict[str, dict[str, set[str]]] = {plain(place): {} for place in maze.places}
        for edge in maze.edges:
            exits = self._exits.setdefault(plain(edge.source), {})
            exits.setdefault(plain(edge.action), set()).add(plain(edge.target))
        self._actions = sorted({action for exits in self._exits.values() for action in exits})
        self._forms: dict[str, list[str]] = {}
        for action in self._actions:
            self._forms.setdefault(meant(action), []).append(action)
        self.taken = cache(self._taken)

    def lead(self, places: Iterable[str], actions: Iterable[str]) -> frozenset[str]:
        """Return the places that actions lead to from the given places, all by plain name."""
        exits = [self._exits.get(place, {}) for place in places]
        return frozenset(end for way in actions for some in exits for end in some.get(way, ()))

    def ends(self, source: str, walk: Iterable[Iterable[str]]) -> frozenset[str]:
        """Return the places where a walk may end, given the possible actions of each move."""
        ends = frozenset((plain(source),))
        for actions in walk:
            ends = self.lead(ends, actions)
        return ends

    def destinations(self, question: Question) -> frozenset[str]:
        """Return the plain names of the places where a question's moves end."""
        return self.ends(question.source, ([plain(action)] for action in question.actions))

    def _taken(self, said: str) -> Sequence[str]:
        """Return the actions of the maze that match a stated action by the rule."""
        if self._rule is Rule.EXACT or not self._actions:
            return self._forms.get(meant(said), ())
        return (min(self._actions, key=partial(Levenshtein.distance, said)),)


_REMARK = re.compile(r"$|\s*(?:[(\[,;:.]|-\s)")


class Places:
    """A maze's places, to be recognized by their names in a text."""

    def __init__(self, maze: Maze) -> None:
        self._exact = {plain(place): place for place in maze.places}
        self._names = {name: name for name in self._exact}
        self._names |= {name.replace("'s", ""): name for name in self._exact if "'s" in name}
        self._forms: dict[str, list[str]] = {}
        for name in self._exact:
            self._forms.setdefault(_form(name), []).append(name)

    def named(self, said: str) -> str | None:
        """Return the place that a text names, even with a remark after the name.

        None if the text names several places or none, denies the place, or if the remark may be
        part of another name: "hall (dark)" in a maze with "hall" and "hall (cold)".
        """
        if place := self._exact.get(plain(said)):
            return place
        text = _form(said)
        name = max(filter(text.startswith, self._forms), key=len, default="")
        mark = _REMARK.match(text, len(name))
        if not mark or len(self._forms.get(name, ())) != 1:
            return None
        begun = text[: mark.end()]
        if text != name and any(each.startswith(begun) for each in self._forms):
            return None
        [only] = self._forms[name]
        return self._exact[only] if named(said, "", self._names) == frozenset((only,)) else None


def _form(name: str) -> str:
    return re.sub(r" ?([(\[,;:])", r" \1", normal(tidy(name.replace("_", " "))))


CANNOT = "cannot be made"
"""The right answer to a list of moves that the map does not have."""
_CANNOT = re.compile(rf"\b{CANNOT}\b(?! (?:sense|out)\b)")


def says_cannot(reply: str) -> bool:
    """Return whether a reply says that the moves cannot be made."""
    if read_moves(reply):
        return False
    said = (claim(reply) or reply).lower().replace("can't", "cannot").replace("can not", "cannot")
    return _CANNOT.search(said) is not None


def grade(ways: Ways, question: Question, reply: str) -> dict[str, float]:
    """Return the scores of a reply, 0..1 each."""
    if question.paired and not question.target:
        return dict.fromkeys(SCORES, float(says_cannot(reply)))
    moves = read_moves(reply)
    if not moves:
        return dict.fromkeys(SCORES, 0.0)
    sound = _trajectory(ways, question, moves)
    said = plain(moves[-1].target)
    if question.task is Task.DF:
        ends = ways.destinations(question)
        success = max((likeness(said, name) for name in ends), default=0.0)
        sound = (
            sound
            and len(moves) == len(question.actions)
            and all(
                plain(action) in ways.taken(plain(move.action))
                for move, action in zip(moves, question.actions, strict=True)
            )
        )  # its moves are the question's
    else:
        target = plain(question.target)
        ends = ways.ends(question.source, (ways.taken(plain(move.action)) for move in moves))
        success = float(target in ends)
        sound = sound and said == target
    length = question.shortest or 0
    weighted = success * length / max(length, len(moves))
    return dict(zip(SCORES, (success, float(sound), weighted), strict=True))


def _trajectory(ways: Ways, question: Question, moves: Sequence[Move]) -> bool:
    """Return whether stated moves form a path in the maze that starts at the question's source."""
    here = plain(question.source)
    for move in moves:
        there = plain(move.target)
        ends = ways.lead([here], ways.taken(plain(move.action)))
        if plain(move.source) != here or there not in ends:
            return False
        here = there
    return True


Cost = tuple[int, int, int]
"""Number of moves (0 for a destination); of imputed moves; the latest step (0 for a route)."""


class Guide:
    """Routes that answer the questions about a maze, as lists of edge numbers."""

    def __init__(self, maze: Maze) -> None:
        self._maze = maze
        self._leaving: dict[str, list[int]] = {}
        for number, edge in enumerate(maze.edges):
            self._leaving.setdefault(plain(edge.source), []).append(number)

    def answer(self, question: Question, steps: int) -> list[int] | None:
        """Return the edges of the route that answers a question, None if the first steps show none.

        It has as few imputed moves as possible; for route finding it is also a shortest route.
        """
        actions = [plain(action) for action in question.actions]
        queue: list[tuple[Cost, list[int], str]] = [((0, 0, 0), [], plain(question.source))]
        done: set[tuple[str, int]] = set()
        while queue:
            (moves, imputed, latest), route, here = heapq.heappop(queue)
            state = here, len(route) if actions else 0
            if here == plain(question.target) and state[1] == len(actions):
                return route
            if state in done or (actions and state[1] == len(actions)):
                continue
            done.add(state)
            for number in self._leaving.get(here, ()):
                edge = self._maze.edges[number]
                told = edge.told.until(steps)
                if told.first is None or (actions and plain(edge.action) != actions[state[1]]):
                    continue
                last = max(latest, told.first) if actions else 0
                cost = moves + (not actions), imputed + (told.forward is None), last
                heapq.heappush(queue, (cost, [*route, number], plain(edge.target)))
        return None
