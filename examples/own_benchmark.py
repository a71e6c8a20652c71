"""A benchmark of your own: what does a reader of a trail know of the house that it led through?

A house is a grid of rooms with things in them. A trail walks through a part of it and is written
as text. An answerer reads the trail, then answers questions about the whole house. A question whose
answer the trail did not show must be answered by "non-answerable".

    uv run python examples/own_benchmark.py

prints the scores of three baselines. In an installed package with the entry point
``rooms = "own_benchmark:BENCHMARK"`` in the group ``worldquiz.benchmarks``, it has these commands:

    worldquiz rooms build --out houses                  worldquiz show RUN
    worldquiz run houses --answerer reader --out RUN    worldquiz score RUN
    worldquiz run houses --model MODEL --out RUN        worldquiz compare RUN OTHER
    worldquiz human RUN                                 worldquiz report RUN... --out page.html
    worldquiz serve houses --agent-name NAME --out RUN  worldquiz export RUN... --out rows.parquet
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from worldquiz.cli import options
from worldquiz.errors import KnobError
from worldquiz.facts.answer_text import normal
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import AT, DIRECTIONS, LEADS, OPPOSITE, Fact
from worldquiz.facts.question import ABSTAIN
from worldquiz.facts.requirement import Requirement, Seen, walked
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.client import Reach
from worldquiz.records import digest, read_json, read_records, write_json, write_records
from worldquiz.rng import child
from worldquiz.runs.answer_lines import QuestionKey as Key
from worldquiz.runs.answer_lines import about_question, by_question, row_fields
from worldquiz.runs.benchmark import PLAN, Benchmark, DataKind, RunKind
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import MANIFEST, answered_by, begin, claimed, read_manifest
from worldquiz.runs.given import chosen, name_of
from worldquiz.runs.journal import Lines, finished
from worldquiz.runs.life import live
from worldquiz.runs.losses import read_losses, unit_name
from worldquiz.runs.run import Run
from worldquiz.runs.settings import RunSettings
from worldquiz.serve.reading import AskedText, ReadingPlace, ReadingRun, ServedReading
from worldquiz.serve.served import check_agent_name, read_settings
from worldquiz.stats.row_scores import scores

# ---- The world: a house, and a trail through it -------------------------------------------------

ROOMS = ("attic", "cellar", "kitchen", "library", "nursery", "parlour", "pantry", "stable", "study")
THINGS = ("anvil", "basket", "candle", "drum", "egg", "fiddle", "globe", "hat", "inkwell", "jug")
ROOMS_A_ROW = 3
MOVES = 7


@dataclass(frozen=True, slots=True)
class Floor:
    """The truth about a house, which no answerer sees."""

    rooms: tuple[str, ...]  # row by row
    places: Mapping[str, str]  # thing -> room
    ways: Mapping[tuple[str, str], str]  # room, direction -> the room beyond


def floor(draw: random.Random) -> Floor:
    """Draw a floor: four of five neighbouring rooms are joined."""
    rooms = draw.sample(ROOMS, len(ROOMS))
    places = {thing: draw.choice(rooms) for thing in THINGS}
    ways = {}
    for here, room in enumerate(rooms):
        for direction, there in (("east", here + 1), ("south", here + ROOMS_A_ROW)):
            beside = there % ROOMS_A_ROW if direction == "east" else there < len(rooms)
            if beside and draw.random() < 0.8:
                ways[room, direction] = rooms[there]
                ways[rooms[there], OPPOSITE[direction]] = room
    return Floor(tuple(rooms), places, ways)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the trail: what it says, and the facts that this discloses."""

    text: str
    revealed: tuple[Fact, ...]


def trail(draw: random.Random, plan: Floor) -> Iterator[Step]:
    """Walk at random from the first room, and tell each room that is entered."""
    room, told, facts = plan.rooms[0], "", []
    for _ in range(MOVES + 1):
        things = [thing for thing, place in plan.places.items() if place == room]
        exits = [direction for direction in DIRECTIONS if (room, direction) in plan.ways]
        facts += [AT(thing, room) for thing in things]
        told += f"You are in the {room}. You see: {', '.join(things) or 'nothing'}."
        yield Step(f"{told} Ways lead {', '.join(exits) or 'nowhere'}.", tuple(facts))
        if not exits:
            return
        direction = draw.choice(exits)
        other = plan.ways[room, direction]
        room, told, facts = other, f"You go {direction}. ", [LEADS(room, direction, other)]


# ---- The questions: each says what must have been seen ------------------------------------------


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the whole house, answerable once its requirement is met."""

    id: str
    type: str
    text: str
    gold: str
    requires: Requirement
    choices: tuple[str, ...] = ()


def questions(draw: random.Random, plan: Floor) -> Iterator[Question]:
    """Ask where every thing is, and where every way leads."""
    for thing, room in sorted(plan.places.items()):
        seen = Seen(AT(thing, room))
        yield Question(thing, "location", f"Where is the {thing}?", room, seen)
    for (room, direction), other in sorted(plan.ways.items()):
        text = f"You are in the {room} and go {direction}. Where do you arrive?"
        lures = draw.sample([each for each in plan.rooms if each not in (room, other)], 3)
        gone = walked(room, direction, other)
        choices = tuple(sorted([other, *lures]))
        yield Question(f"{room}-{direction}", "route", text, other, gone, choices)


@dataclass(frozen=True, slots=True)
class House:
    """A trail through a house, with questions about the house."""

    id: str
    steps: tuple[Step, ...]
    questions: tuple[Question, ...]

    @property
    def trail(self) -> str:
        """The text that is read."""
        return "\n".join(step.text for step in self.steps)


def house(id: str, seed: int) -> House:
    """Draw a house: equal seeds, equal houses."""
    draw = child(seed, "house", id)
    plan = floor(draw)
    return House(id, tuple(trail(draw, plan)), tuple(questions(draw, plan)))


# ---- Who answers: sees the trail, a question's text and its choices, and nothing else -----------

Answerer = Callable[[str, str, tuple[str, ...]], str]
"""A function or an object that can be called; its ``name`` is how records call it."""


def abstainer(trail: str, question: str, choices: tuple[str, ...]) -> str:
    """Know nothing, and say so: a lower bound."""
    return ABSTAIN


def guesser(trail: str, question: str, choices: tuple[str, ...]) -> str:
    """Guess from the question alone: another lower bound."""
    return child(0, question).choice(choices or ROOMS)


def reader(trail: str, question: str, choices: tuple[str, ...]) -> str:
    """Look up what the trail says: the upper bound."""
    known: dict[str, str] = {}
    before = ""
    for line in trail.splitlines():
        room, things = re.findall(r"in the (\w+)\. You see: (.*?)\.", line)[0]
        known |= {f"Where is the {thing}?": room for thing in things.split(", ")}
        if going := re.match(r"You go (\w+)\.", line):
            known[f"You are in the {before} and go {going[1]}. Where do you arrive?"] = room
            back = OPPOSITE[going[1]]
            known[f"You are in the {room} and go {back}. Where do you arrive?"] = before
        before = room
    return known.get(question, ABSTAIN)


BASELINES: dict[str, Answerer] = {each.__name__: each for each in (abstainer, guesser, reader)}


def prompt(trail: str, question: str, choices: tuple[str, ...]) -> str:
    """Return what a model is asked."""
    return f"Somebody walked through a house:\n\n{trail}\n\n{asked_text(question, choices)}"


def asked_text(question: str, choices: tuple[str, ...]) -> str:
    """Return a question as it is asked."""
    offered = f" Choose one of: {', '.join(choices)}." if choices else ""
    return (
        f"{question}{offered} Reply with the answer alone, in one word. If the text does not tell "
        f'the answer, reply "{ABSTAIN}".'
    )


# ---- A folder of houses: built whole, or finished where it was stopped --------------------------

HOUSES = "houses.jsonl"


def write(folder: Path, houses: Sequence[House]) -> None:
    """Write houses into a folder of houses or a run."""
    write_records(folder / HOUSES, "rooms-house", House, houses)


def read(folder: Path) -> tuple[House, ...]:
    """Return the houses of a folder of houses or a run."""
    return tuple(read_records(folder / HOUSES, "rooms-house", House))


def build(out: Path | str, houses: int = 4, seed: int = 7) -> Houses:
    """Build a folder of houses with their trails and questions."""
    folder, plan = Path(out), {"kind": "rooms", "houses": houses, "seed": seed}
    with claimed(folder):
        begin(folder, PLAN, plan)
        write(folder, [house(f"house-{number:02}", seed) for number in range(houses)])
        told = {**plan, "digest": digest((folder / HOUSES).read_bytes())}
        write_json(folder / MANIFEST, told)  # last: a folder with a manifest is whole
    return Houses(folder)


def finish_build(folder: Path) -> Houses:
    """Finish a build that was stopped."""
    plan = read_json(folder / PLAN)
    return build(folder, plan["houses"], plan["seed"])


@dataclass(frozen=True, kw_only=True)
class HouseSettings(RunSettings):
    """Settings of a run: those of every run but what this one has no use for."""

    LACKS = frozenset({"jobs", "on", "questions_at_once", "retry_failed", "seed", "shard"})


class Houses:
    """A folder of houses."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.digest = str(read_manifest(self.path, "rooms", "folder of houses")["digest"])
        self.houses = read(self.path)

    def run(
        self,
        answerer: str | Answerer | None = None,
        *,
        out: Path | str,
        settings: HouseSettings | None = None,
        **changes: Any,
    ) -> Run:
        """Ask a baseline by its name, an object of yours, or a model; finish a stopped run."""
        given = HouseSettings.of(settings, changes)
        if (answerer is None) == (given.model is None):
            raise KnobError("give --answerer or --model: one of them answers")
        quiz = Quiz(self, chosen(answerer, "answerer", BASELINES), Reach.of(given))
        live(quiz, Path(out))
        return Run(out, BENCHMARK)


# ---- A run: `runs.life.live` carries it from its first question to its scores -------------------


@dataclass(frozen=True)
class Quiz:
    """Houses and who answers: all that the life of a run needs to know."""

    data: Houses
    answerer: Answerer | None
    reach: Reach | None  # the model, if one answers
    noun = "questions"

    @property
    def manifest(self) -> dict[str, Any]:
        """What the run is: equal manifests, equal runs."""
        who = {"answerer": "model" if self.reach else name_of(self.answerer)}
        model = self.reach.record() if self.reach else {}
        return {"kind": "rooms-run", "data": self.data.digest, **who, **model}

    @cached_property
    def asked(self) -> dict[Key, tuple[str, str, tuple[str, ...]]]:
        """What an answerer sees of each question."""
        return {
            (house.id, each.type, each.id): (house.trail, each.text, each.choices)
            for house in self.data.houses
            for each in house.questions
        }

    @property
    def units(self) -> Sequence[Key]:
        """The questions in the order of their answers."""
        return tuple(self.asked)

    def require(self) -> None:
        """Raise what the model lacks (an extra, a key), before the run's folder is touched."""
        if self.reach:
            self.reach.require()

    def preflight(self) -> None:
        """Raise what says that the model cannot be asked; not called for a finished run."""
        if self.reach:
            self.reach.preflight()

    def begin(self, out: Path) -> None:
        """Keep the houses with the run, so that it stands by itself."""
        write(out, self.data.houses)

    def kept(self, out: Path, done: Done) -> Lines[Key]:
        """Open the journal of answers."""
        return Lines(out, by_question, done)

    def produce(self, left: Sequence[Key], kept: Lines[Key], out: Path) -> None:
        """Have the rest of the questions answered; each answer is kept as it comes."""
        if self.reach:
            from worldquiz.llm.asking import ask_prompts

            asked = ((about_question(each), prompt(*self.asked[each])) for each in left)
            ask_prompts(asked, self.reach, kept)
        elif self.answerer:
            for each in left:
                copy = deepcopy(self.answerer)  # no state goes on: a resumed run has equal bytes
                kept.keep({**about_question(each), "reply": copy(*self.asked[each])})

    def score(self, out: Path, kept: Lines[Key]) -> dict[str, Any]:
        """Return means by type with intervals, which any rows have."""
        return scores(rows(out))


# ---- Its rows, one a question: reports, exports, comparisons and people need nothing else -------


def rows(run: Path) -> Iterator[Row]:
    """Return a row for each question of a finished run."""
    answerer = answered_by(read_manifest(run, "rooms-run", "run of rooms"))
    lines, left = finished(run, by_question), read_losses(run).unfinished
    for house in read(run):
        evidence = Evidence.of_steps(step.revealed for step in house.steps)
        for asked in house.questions:
            moment = evidence.earliest(asked.requires)  # None: the trail did not show the answer
            key = house.id, asked.type, asked.id
            if unit_name(key) in left:
                continue
            line = lines[key]
            said, known = normal(line["reply"]), asked.choices or ROOMS
            told = row_fields(line, said if said in known else None)
            right = said == asked.gold if moment else told["status"] is AnswerStatus.ABSTAINED
            yield Row(
                run=run.name, benchmark="rooms", answerer=answerer, world=house.id,
                question=asked.id, type=asked.type, format="choice" if asked.choices else "room",
                text=asked.text, choices=asked.choices, gold=asked.gold,
                score=None if told["status"] is AnswerStatus.FAILED else float(right),
                answerable=moment is not None, episode=moment.episode if moment else None,
                step=moment.step if moment else None, chance=1 / len(known), **told,
            )  # fmt: skip


def reading(run: Path, world: str) -> str:
    """Return the trail that a person reads before the questions of a house."""
    return next(house.trail for house in read(run) if house.id == world)


# ---- Agents that call tools: what each reads in a house, and is asked ----------------------------


def serve(folder: Path, name: str, settings: Mapping[str, str]) -> ServedReading:
    """Serve houses to an agent of some name, with ``worldquiz serve``."""
    check_agent_name(name, BASELINES)
    read_settings(settings, {})  # there are none

    def make() -> ReadingRun:
        quiz = Quiz(Houses(folder), name, None)  # type: ignore[arg-type]  # it comes by itself
        return ReadingRun(quiz, {house.id: _place(house) for house in quiz.data.houses}, _line)

    return ServedReading("house", "You read a trail through a house, and are asked about it.", make)


def _place(house: House) -> ReadingPlace:
    keys = {(house.id, each.type, each.id): each for each in house.questions}
    asked = {
        key: AskedText(about_question(key), asked_text(each.text, each.choices))
        for key, each in keys.items()
    }
    return ReadingPlace(house.trail, asked)


def _line(about: Mapping[str, Any], reply: str) -> dict[str, Any]:
    return {**about, "reply": reply}


# ---- Commands, and the object by which worldquiz knows the benchmark ----------------------------

PATH = click.Path(path_type=Path)


@click.group(no_args_is_help=True)
def app() -> None:
    """Rooms: read a trail, then answer questions."""


@app.command("build")
@click.option("--out", type=PATH, required=True, help="Folder to write.")
@click.option("--houses", default=4, help="Number of houses.")
@click.option("--seed", default=7, help="Random seed.")
def build_command(out: Path, houses: int, seed: int) -> None:
    """Build a folder of houses."""
    click.echo(json.dumps({"houses": str(build(out, houses, seed).path)}))


@app.command("run")
@click.argument("folder", type=PATH)
@click.option("--out", type=PATH, required=True, help="Folder to write.")
@click.option("--answerer", help=", ".join(BASELINES))
@options.settings(HouseSettings)
def run_command(folder: Path, out: Path, answerer: str | None, settings: HouseSettings) -> None:
    """Ask a baseline or a model the questions about a folder of houses."""
    run = Houses(folder).run(answerer, out=out, settings=settings)
    click.echo(json.dumps(run.scores, sort_keys=True))


BENCHMARK = Benchmark(
    name="rooms", title="Rooms",
    summary="Rooms: read a trail through a house, then answer questions about the house.",
    data=(DataKind(
        kind="rooms", noun="folder of houses", open=Houses, build=finish_build, serve=serve,
    ),),
    runs=(RunKind(
        kind="rooms-run", noun="run of rooms", command="worldquiz rooms run", rows=rows,
        reading=reading, finish=lambda run, out: write(out, read(run)),
    ),),
    commands=lambda: app,
)  # fmt: skip

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        houses = build(Path(folder) / "houses")
        for name in BASELINES:
            found = houses.run(name, out=Path(folder) / name).scores
            print(f"{name:10} {found['score']:.2f}, of {found['counts']['scored']} questions")
