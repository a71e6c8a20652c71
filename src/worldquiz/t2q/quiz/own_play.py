"""Own play: questions about what the agent itself did, made from its steps once it has played.

EMemBench tests an agent's memory in this way. Each run has its own questions of this kind, so
agents are compared by their scores, not question by question. An event is the first time, over all
tasks, that the agent entered a room, or opened or took a thing. Questions leave out the numbers of
commands, which no agent sees, and things that an objective or the first screen names, since their
order can be guessed. In half of the pairs the earlier event comes first in the alphabet, because
texts list things alphabetically, and an agent may take them in that order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from random import Random

from worldquiz import rng
from worldquiz.facts.episode import Episode
from worldquiz.facts.requirement import All, Moment
from worldquiz.records import digest
from worldquiz.t2q.question import Question
from worldquiz.t2q.quiz.ask import put
from worldquiz.t2q.quiz.sheet import kind_of
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.world.game import first_screen

TYPE = "episode"
EVENTS = {"player_at": "entered", "open": "opened", "carried": "took"}
"""The facts that events make true, and their verbs."""
GUESS = 0.56
"""Guessing rate: one of two answers is right, plus 0.06 for hints in the question sheet."""
FIRST = "About the play itself: which of the two did the player do first, over all tasks together?"
ROOMS = (
    "About the play itself, all tasks together: just before the player first {event}, how many "
    "different rooms had it been in, the one where it stood counted?"
)
CARRIED = (
    "About the play itself, all tasks together: when the player first {event}, did it carry the "
    "{thing}?"
)


@dataclass(frozen=True)
class _Event:
    """Something that the agent did for the first time, and the agent's state just before."""

    at: Moment
    verb: str
    name: str
    rooms: int  # number of rooms that it had been in
    carried: frozenset[str]

    @property
    def text(self) -> str:
        return f"{self.verb} the {self.name}"


def asked_of(
    bundle: Bundle, episodes: Sequence[Episode], wording: int, most: int | None,
    horizon: int | None,
) -> tuple[Bundle, Mapping[str, Moment]]:  # fmt: skip
    """Return a world's quiz in a run's wording, with at most `most` questions about its play.

    The second value is, for each of these questions, the moment from which it was answerable.
    """
    lived = own_play(bundle, episodes, most, horizon) if most else {}
    reworded = (put(question, wording) for question in bundle.questions)
    whole = replace(bundle, questions=(*reworded, *lived))
    return whole, {question.id: at for question, at in lived.items()}


def own_play(
    bundle: Bundle, episodes: Sequence[Episode], most: int, horizon: int | None = None
) -> Mapping[Question, Moment]:
    """Return at most `most` questions about an agent's own play, and when each was answerable.

    With a `horizon`, they are only about that many first commands. Equal play gives equal
    questions; an id is a digest of the text.
    """
    told = " ".join(task.objective for task in bundle.tasks)
    told += " ".join(name for fact in first_screen(bundle.spec) for name in fact.args)
    events = [each for each in _events(episodes, horizon) if each.name not in told]
    draw = rng.child(bundle.spec.seed, "quiz", TYPE)
    draw.shuffle(events)
    pairs = list(_pairs(events))
    paired = {event for four in pairs for two in four for event in two}  # asked about in one way
    rest = [event for event in events if event not in paired]
    kinds = (_first(pairs[::2]), _rooms(pairs[1::2]), _carried(rest, events, draw))
    found = dict[Question, Moment]()
    for group in filter(None, chain.from_iterable(zip_longest(*kinds))):
        if len(found) + len(group) <= most:
            found |= group
    return {
        replace(q, id=f"{TYPE}-{digest(q.text, *q.choices)[:10]}", guess=GUESS): at
        for q, at in found.items()
    }


def _events(episodes: Sequence[Episode], horizon: int | None) -> Iterator[_Event]:
    """Yield the events in order, within the first `horizon` commands."""
    seen, rooms, commands = set[tuple[str, str]](), set[str](), 0
    for number, episode in enumerate(episodes):
        carried = frozenset[str]()
        for step in episode.steps:
            commands += step.index > 0
            if horizon is not None and commands > horizon:
                return
            for fact in step.added if step.index else ():
                key = fact.predicate, fact.args[0]
                if fact.predicate in EVENTS and key not in seen and fact.args[0] not in rooms:
                    seen.add(key)
                    at = Moment(number, step.index)
                    yield _Event(at, EVENTS[key[0]], key[1], len(rooms), carried)
            lost = {fact.args[0] for fact in step.removed if fact.predicate == "carried"}
            got = {fact.args[0] for fact in step.added if fact.predicate == "carried"}
            carried = carried - lost | got
            told = (*step.added, *step.revealed)
            rooms.update(fact.args[0] for fact in told if fact.predicate == "player_at")


Asked = tuple[Question, Moment]
Four = Sequence[tuple[_Event, _Event]]


def _pairs(events: Sequence[_Event]) -> Iterator[Four]:
    """Yield two pairs of events at a time, all four of one sort and about one kind of thing.

    The earlier event is first in the alphabet in one pair, and second in the other.
    """
    alike = defaultdict[tuple[str, str], list[_Event]](list)
    for event in events:
        alike[event.verb, kind_of(event.name)].append(event)
    for some in alike.values():
        pairs = [*zip(some[::2], some[1::2], strict=False)]
        rising = [(a, b) for a, b in pairs if (a.at < b.at) is (a.name < b.name)]
        falling = [pair for pair in pairs if pair not in rising]
        yield from zip(rising, falling, strict=False)


def _first(fours: Sequence[Four]) -> Iterator[Sequence[Asked]]:
    """Ask which of two events was first."""
    for four in fours:
        group = list[Asked]()
        for two in four:
            right, choices = min(two, key=lambda event: event.at), tuple(e.text for e in two)
            about = tuple(event.name for event in two)
            asked = Question("", TYPE, FIRST, All(()), about, "which", (right.text,), choices)
            group.append((asked, right.at))
        yield group


def _rooms(fours: Sequence[Four]) -> Iterator[Sequence[Asked]]:
    """Ask how many rooms the agent had been in at each of two events, both numbers as choices."""
    for four in fours:
        numbers = [sorted((one.rooms, other.rooms)) for one, other in four]
        if all(low < high for low, high in numbers):
            yield [
                (Question("", TYPE, ROOMS.format(event=event.text), All(()), (event.name,),
                          "which", (str(event.rooms),), tuple(map(str, two))), event.at)
                for pair, two in zip(four, numbers, strict=True)
                for event in pair
            ]  # fmt: skip


def _carried(
    events: Sequence[_Event], every: Sequence[_Event], draw: Random
) -> Iterator[Sequence[Asked]]:
    """Ask about two things of one kind, of which one was carried at an event and one was not."""
    taken = sorted(event.name for event in every if event.verb == EVENTS["carried"])
    for event in (each for each in events if each.verb == EVENTS["player_at"]):
        had = [thing for thing in taken if thing in event.carried]
        pairs = [
            (thing, other)
            for thing in had
            for other in taken
            if other not in had and kind_of(other) == kind_of(thing)
        ]
        if pairs:
            two = draw.choice(pairs)
            yield [
                (Question("", TYPE, CARRIED.format(event=event.text, thing=thing), All(()),
                          (event.name, thing), "yes_no", (answer,)), event.at)
                for thing, answer in zip(two, ("yes", "no"), strict=True)
            ]  # fmt: skip
