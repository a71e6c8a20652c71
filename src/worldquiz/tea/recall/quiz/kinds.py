"""What makes a kind of question: its words, its answer, and what must have been shown.

A kind is one file that defines a `Kind`, and one line in `catalog` (or an entry point). Each of its
questions says two requirements: from when on it can be answered, and from when on there is a hint
of the answer. Before the hint the right reply is that it was not shown; between the two nothing is
asked, for then a good eye may know what a fair test must not ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from worldquiz import rng
from worldquiz.facts.question import Question, Type, Which, YesNo
from worldquiz.facts.requirement import Requirement
from worldquiz.tea.recall.quiz.apartment import Apartment

LEAST = 2
"""Questions that may have the same answer, however few have another."""


@dataclass(frozen=True, slots=True)
class Found:
    """A question before it has an id."""

    text: str
    answer: str | bool
    requires: Requirement  # met: what was shown settles it
    hints: Requirement  # not met: nothing that was shown bears on it; met no later than `requires`
    about: tuple[str, ...]  # things and rooms: with its kind, what tells it from all others
    choices: tuple[str, ...] = ()  # in the order in which they are offered; none for yes and no


@dataclass(frozen=True, slots=True)
class Item:
    """A question about a flat, of a kind."""

    kind: str
    question: Question
    hints: Requirement
    own_sheet: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question. Equal flats have equal questions."""

    name: str
    type: Type  # of the five of arXiv 2601.09503
    find: Callable[[Apartment], Iterator[Found]]
    own_sheet: bool = False  # whether other kinds' questions would give its answers away
    spread: Callable[[Found], str] = field(default=lambda found: str(found.answer))
    """What questions are drawn evenly over."""

    def items(self, flat: Apartment, most: int | None, seed: int) -> tuple[Item, ...]:
        """Return at most so many of its questions, drawn evenly over answers, by id; None: all."""
        if most is None:
            return tuple(sorted((self._item(flat, each) for each in self.find(flat)), key=_id))
        groups: dict[str, list[Found]] = {}
        for found in self.find(flat):
            groups.setdefault(self.spread(found), []).append(found)
        drawn = _drawn(groups, most, (seed, flat.scene.id, self.name))
        return tuple(sorted((self._item(flat, each) for each in drawn), key=_id))

    def _item(self, flat: Apartment, found: Found) -> Item:
        id = "/".join((self.name, flat.scene.id, *found.about))
        return Item(self.name, _question(id, self.type, found), found.hints, self.own_sheet)


def place(found: Found) -> str:
    """Return at which place the right answer is offered: to spread what has no common answers."""
    return str(found.choices.index(str(found.answer)))


def _id(item: Item) -> str:
    return item.question.id


def _question(id: str, type: Type, found: Found) -> Question:
    if isinstance(found.answer, bool):
        return YesNo(id, type, found.text, found.answer, found.requires, found.about)
    return Which(id, type, found.text, found.choices, found.answer, found.requires, found.about)


def _drawn(
    groups: dict[str, list[Found]], most: int, names: tuple[int, str, str]
) -> Sequence[Found]:
    """Draw from each group in turn; no group gives more than another holds, or `LEAST`."""
    seed, *rest = names
    sizes = sorted(map(len, groups.values()), reverse=True)
    cap = max(sizes[1], LEAST) if len(sizes) > 1 else most
    piles = []
    for name in sorted(groups):
        pile = sorted(groups[name], key=lambda found: found.about)
        piles.append(rng.child(seed, "recall", *rest, name).sample(pile, min(len(pile), cap)))
    rng.child(seed, "recall", *rest).shuffle(piles)
    found: list[Found] = []
    while len(found) < most and any(piles):
        found += [pile.pop() for pile in piles if pile]
    return found[:most]
