"""Questions are answerable exactly where no twin of the world answers otherwise.

Those that are inferred, and those about things that were moved.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest

from conftest import SpecOf
from deep import DEEP
from games import played
from tiny_worlds import BACK
from twins import End, Twin, had, reached, replayed
from worldquiz.facts.episode import Episode
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Moment
from worldquiz.memory.base import Entry
from worldquiz.t2q import WorldSpec
from worldquiz.t2q.question import NO_EXIT, Question, prompt
from worldquiz.t2q.quiz.ask import infer, understood
from worldquiz.t2q.reader.context import WorldGraphMemory
from worldquiz.t2q.world.predicates import LISTED

SEEDS = range(930, 975) if DEEP else (*range(930, 936), 959)
"""In world 959 only a door that is known to be locked parts a thing from unseen rooms."""
PLAYERS = {"walkthrough": 60, "random": 30, "explorer": 12, "idle": 1}
"""Commands a task of each player."""
TYPES = ("moves", "detour", "needs", "premise")


def true(spec: WorldSpec, question: Question) -> set[str]:
    """Return the right answers in a full world, by plain search."""
    asked = understood(prompt(question))
    assert asked is not None
    names = asked.names
    match asked.wording:
        case "fewest":
            return {str(reached(spec, names[0]).get(names[1]))}
        case "between":
            return {str(reached(spec, names[0]).get(names[1], 0) - 1)}
        case "passable":
            return {"yes" if names[2] in reached(spec, names[1], [names[0]]) else "no"}
        case "spared":
            return {"yes" if names[1] in had(spec, names[2]) else "no"}
        case "door_way":
            return {dict(spec.ends(names[1])).get(names[0], NO_EXIT)}
        case "room_way":
            ways = {way for way, other in spec.ways.get(names[0], {}).items() if other == names[1]}
            return ways or {NO_EXIT}
    raise AssertionError(asked)


def shortcut(twin: Twin, room: str, other: str, most: int) -> list[tuple[End, End]] | None:
    """Return passages that may be, by which two rooms lie at most so far apart."""
    rooms = [*twin.visited, *twin.unseen, twin.room(), twin.room()]

    def search(here: str, came: str, left: int, path: list[End]) -> list[End] | None:
        if here == other:
            return path
        for way in BACK if left else ():
            end = End(here, way)
            if end in twin.ways:
                there = [twin.ways[end]]
            else:
                there = [e for r in rooms if twin.fits(end, e := End(r, BACK[way]))]
            for each in there:
                if way != came and each.room not in {e.room for e in path} | {room}:
                    found = search(each.room, each.way, left - 1, [*path, each])
                    if found is not None:
                        return found
        return None

    found = search(room, "", most, [])
    if found is None:
        return None
    starts = [room, *(end.room for end in found)]
    return [(End(r, BACK[e.way]), e) for r, e in zip(starts, found, strict=False)]


def worlds(spec: WorldSpec, shown: set[Fact], question: Question) -> Iterator[WorldSpec]:
    """Yield twins that differ as much as they may, the likeliest to answer otherwise first."""

    def new() -> Twin:
        return Twin(spec, shown)

    least = new()
    least.closed()
    yield least.world(least.room(), kind=False)
    most = new()
    yield most.world(most.opened(), kind=True)
    unlisted = [each for each in spec.of_kind("container") if LISTED(each) not in shown]
    for holder in unlisted:
        more = new()
        more.opened()
        yield more.world(holder, kind=True)
    if question.type == "moves":
        room, other = question.about
        short = new()
        if path := shortcut(short, room, other, reached(spec, room)[other] - 1):
            for one, two in path:
                if one not in short.ways:
                    short.join(one, two)
            short.closed()
            yield short.world(short.room(), kind=True)
    if question.type == "premise":
        yield from _supposed(new, *question.about)
    for seed in range(40):
        some, draw = new(), random.Random(seed)
        spot = some.opened() if seed % 2 else some.drawn(draw)
        yield some.world(draw.choice([spot, *unlisted]), kind=bool(seed % 4), fits=some.keys(draw))


def _supposed(new: Callable[[], Twin], room: str, name: str) -> Iterator[WorldSpec]:
    """Yield twins in which a room has an exit to another, or the other side of a door."""
    for way in BACK:
        here, there = End(room, way), End(name, BACK[way])
        for end in new().loose:
            twin = new()
            if twin.fits(end, here):
                twin.join(end, here)
                twin.closed()
                yield twin.world(twin.room(), kind=True)
        joined, hung = new(), new()
        if name in {*new().visited, *new().unseen} and joined.fits(here, there):
            joined.join(here, there)
            joined.closed()
            yield joined.world(joined.room(), kind=True)
        if room in hung.unseen and name not in hung.doors.values():
            hung.doors[here] = name
            hung.join(here, End(hung.room(), BACK[way]))
            hung.closed()
            yield hung.world(hung.room(), kind=True)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_question_is_answerable_where_no_twin_answers_otherwise(
    name: str, spec_of: SpecOf
) -> None:
    """And where one does, its game tells the same to the same commands."""
    found: Counter[tuple[str, bool]] = Counter()
    for seed in SEEDS:
        spec = spec_of("infer", seed)
        play = played(spec, name, steps=PLAYERS[name])
        evidence = Evidence.of(play.episodes, spec.initial)
        shown = set(evidence.first_seen)
        for question in play.bundle.questions:
            assert true(spec, question) == set(question.answers)
            settled = evidence.earliest(question.requires, infer) is not None
            found[question.type, settled] += 1
            other = None
            for each in worlds(spec, shown, question):
                if true(each, question).isdisjoint(question.answers):
                    assert not settled, (seed, question)
                    other = each
                    break
            if not settled:
                assert other is not None, (seed, question.text)
                assert replayed(other, play.bundle.tasks, play.episodes), (seed, question.text)
    if name == "random":
        assert all(found[type, known] for type in TYPES for known in (True, False)), found


# --- Things that were moved ----------------------------------------------------------------------

CHANGED = range(930, 950) if DEEP else range(930, 933)
LOOKING = {"walkthrough": 60, "random": 25, "explorer": 40, "idle": 1}
"""Commands a task of each player in these."""
Pair = tuple[str, str]


def exchanged(spec: WorldSpec, pair: Pair) -> WorldSpec:
    """Return a world in which two things lie where the other one lay."""
    other = dict(zip(pair, reversed(pair), strict=True))
    facts = {
        fact._replace(args=(other[fact.args[0]], *fact.args[1:]))
        if fact.predicate in ("at", "in", "on") and fact.args[0] in other
        else fact
        for fact in spec.facts
    }
    return replace(spec, facts=tuple(sorted(facts)))


def lying(spec: WorldSpec, pair: Pair) -> Iterator[WorldSpec]:
    """Yield the four worlds that differ in where a pair lay at the start, and where later."""
    for first, later in product((False, True), repeat=2):
        twin = exchanged(spec, pair) if first else replace(spec)
        twin.__dict__["later"] = exchanged(spec.later, pair) if later else spec.later
        yield twin


def place(spec: WorldSpec, question: Question) -> str:
    """Return the right answer in a world."""
    asked = understood(prompt(question))
    assert asked is not None
    then = spec.later if asked.wording == "last_place" else spec
    return then.place[asked.names[0]].args[1]


@pytest.mark.parametrize("name", LOOKING)
def test_a_place_is_settled_where_no_world_that_shows_the_same_has_another(
    name: str, spec_of: SpecOf
) -> None:
    """Of all four ways in which a pair can lie, those count whose game prints the same texts."""
    found: Counter[bool] = Counter()
    for seed in CHANGED:
        spec = spec_of("change", seed)
        play = played(spec, name, steps=LOOKING[name], tasks=9)
        evidence, tasks = play.bundle.evidence(play.episodes), play.bundle.tasks
        for pair in spec.partners:
            same = [each for each in lying(spec, pair) if replayed(each, tasks, play.episodes)]
            for question in play.bundle.questions:
                if question.about[0] in pair:
                    settled = evidence.earliest(question.requires) is not None
                    assert settled is (len({place(each, question) for each in same}) == 1), question
                    found[settled] += 1
    assert found[False] or name == "explorer"
    assert found[True]


def told(spec: WorldSpec, episodes: Sequence[Episode]) -> str:
    """Return what the memory `worldgraph` hands over after some episodes."""

    async def recalled() -> str:
        memory = WorldGraphMemory()
        for number, episode in enumerate(episodes):
            turns = [(Moment(number, n), turn) for n, turn in enumerate(episode.transcript)]
            await memory.add(Entry(tuple(turns), ""))
        return await memory.recall("")

    return asyncio.run(recalled())


def test_the_memory_that_draws_a_map_tells_both_times_apart(spec_of: SpecOf) -> None:
    spec = spec_of("change", CHANGED[0])
    first, later = told(spec, played(spec, "explorer").episodes).split("when the last task began")
    for text, world in ((first, spec), (later, spec.later)):
        lines = [line for line in text.splitlines() if line.startswith(("In the", "On the"))]
        assert lines
        for line in lines:
            spot, _, things = line[7:].rstrip(".").partition(": ")
            for thing in things.replace(", nothing else", "").split(", "):
                assert thing == "nothing" or world.place[thing].args[1] == spot, line
