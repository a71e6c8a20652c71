"""The inspect task: one sample is one world, from the first command to the last question.

    inspect eval worldquiz/t2q -T preset=easy -T memory=mem0 --model openai/gpt-5.1

A sample's metadata carries the world's records (`pack`), so that an eval log holds all that scoring
and reporting need, and `inspect score` calls no model. With a folder for records, each world is
also written there when it is finished; a world that stands there already is read and not played.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TypeVar

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import world_folder, write_folder
from worldquiz.t2q.llm.log_payload import RECORDS, pack
from worldquiz.t2q.llm.scoring import quiz as scored
from worldquiz.t2q.llm.scoring import summary
from worldquiz.t2q.llm.sitting import sit
from worldquiz.t2q.llm.suite_cache import built
from worldquiz.t2q.llm.trial import DEFAULT_EMBEDDER, Subject
from worldquiz.t2q.memory.base import Embedder, Granularity, Query, Wiring
from worldquiz.t2q.pipeline import MAX_STEPS
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import MODEL, Played, read_played, write_played
from worldquiz.t2q.suite import Plan, Suite, open_suite

Choice = TypeVar("Choice", bound=StrEnum)
_done: ContextVar[Done] = ContextVar("done", default=silent)


@task
def t2q(
    suite: str | None = None,
    preset: str = "paper",
    seed: int = 0,
    worlds: int = 10,
    memory: str = "in-context",
    granularity: str = Granularity.STEP,
    k: int = 10,
    query: str = Query.SHORT,
    recent: int = 4,
    embedder: str = DEFAULT_EMBEDDER,
    explore: bool = False,
    bonus: bool = False,
    laws: bool = False,
    confidence: bool = False,
    batch: int = 1,
    agent: str = MODEL,
    quiz: str = MODEL,
    player_seed: int = 0,
    max_steps: int = MAX_STEPS,
    records: str | None = None,
) -> Task:
    """Task2Quiz (arXiv 2601.09503): play every task of every world, then take its quiz.

    Args:
        suite: A folder that `worldquiz t2q build` made. Without it the suite of `preset`, `seed`
            and `worlds` is built, once, into the user's cache folder.
        preset: easy, medium, hard, or paper for all three.
        seed: Of the worlds.
        worlds: Worlds a level.
        memory: What the model remembers by; `worldquiz memories` lists them.
        granularity: What memory is given at a time: step or task.
        k: Pieces that memory recalls at most.
        query: What memory is asked with: short or full.
        recent: Last turns of the task that are shown as they are, beside what memory recalls.
        embedder: For memories that embed.
        explore: Ask for exploration beside the task.
        bonus: Promise a bonus for discoveries.
        laws: State the laws under which questions count as answerable.
        confidence: Ask for the probability that an answer is right.
        batch: Questions asked at a time.
        agent: Who plays: the model, or a scripted player.
        quiz: Who answers: the model, or a scripted taker.
        player_seed: For scripted players that draw at random.
        max_steps: Commands a task.
        records: A folder that finished worlds are written into.
    """
    subject = Subject(
        memory,
        Wiring(_one_of(Granularity, granularity, "granularity"), k,
               _one_of(Query, query, "query"), recent),
        Options(explore, bonus, laws, confidence, batch),
        embedder, agent, quiz, player_seed, max_steps,
    )  # fmt: skip
    opened = open_suite(Path(suite)) if suite else built(Plan(preset, seed, worlds))
    opened.require_games()
    return Task(
        dataset=MemoryDataset([_sample(opened, world) for world in opened.worlds], name="t2q"),
        solver=sitting(opened, subject, subject.embedding(), Path(records) if records else None),
        scorer=scored(),
        fail_on_error=True,  # a log that lacks worlds is no success: `eval-set` tries it again
        continue_on_fail=True,  # but the other worlds are finished first
        version=1,
        metadata={RECORDS: subject.record(opened)},
    )


def _sample(suite: Suite, world: str) -> Sample:
    entry = next(entry for entry in suite.manifest["worlds"] if entry["id"] == world)
    return Sample(
        id=world,
        input=f"World {world}: {entry['tasks']} tasks, then {entry['questions']} questions.",
        metadata={"level": entry["level"], "rooms": entry["rooms"], "objects": entry["objects"]},
    )


@solver
def sitting(
    suite: Suite, subject: Subject, embedder: Embedder | None, records: Path | None
) -> Solver:
    """Play a world and take its quiz, unless its records stand there already."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        world = str(state.sample_id)
        folder = world_folder(records, world) if records else None
        if folder and folder.is_dir():
            played = read_played(folder)
        else:
            played = await sit(suite, world, subject, get_model(), embedder)
            if folder:
                write_folder(folder, partial(write_played, played=played))
            _done.get()(world)
        _report(state, played)
        return state

    return solve


def _report(state: TaskState, played: Played) -> None:
    """Leave the records, and a summary for people, with the sample."""
    text = summary(played, results(played))
    state.metadata[RECORDS] = pack(played)
    state.output = ModelOutput.from_content(str(state.model), text)
    state.messages.append(ChatMessageAssistant(content=text))
    state.completed = True


@contextmanager
def telling(done: Done) -> Iterator[None]:
    """Have `done` told of each world that is finished meanwhile."""
    token = _done.set(done)
    try:
        yield
    finally:
        _done.reset(token)


def _one_of(kind: type[Choice], text: str, name: str) -> Choice:
    try:
        return kind(text)
    except ValueError as error:
        known = [str(each) for each in kind]
        raise KnobError(f"{name} {text!r}: no such value{did_you_mean(text, known)}") from error
