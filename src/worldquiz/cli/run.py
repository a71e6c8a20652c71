"""``worldquiz t2q run``: somebody plays every task of a suite and takes every quiz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.agents.memory.base import Granularity, Query
from worldquiz.cli import _models, _tables
from worldquiz.cli._scores import print_scores
from worldquiz.cli._shell import (
    Jobs,
    Json,
    SuiteFolder,
    emit,
    out,
    progress,
    resumable,
    workers,
)
from worldquiz.errors import KnobError
from worldquiz.evals import t2q
from worldquiz.evals.llm.trial import DEFAULT_EMBEDDER
from worldquiz.evals.run import Trial
from worldquiz.evals.run import run as run_trial
from worldquiz.evals.suite import Suite, open_suite


def run(
    suite_folder: SuiteFolder,
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")],
    agent: Annotated[
        str | None, typer.Option(help="Who plays; see `worldquiz agents`. The model if absent.")
    ] = None,
    quiz: Annotated[
        str | None,
        typer.Option(help="Who takes the quiz; see `worldquiz agents`. The model if absent."),
    ] = None,
    seed: Annotated[int, typer.Option(help="For players that draw at random.")] = 0,
    max_steps: Annotated[int, typer.Option(min=0, help="Commands a task.")] = t2q.MAX_STEPS,
    jobs: Jobs = None,
    json: Json = False,
    model: _models.Model = None,
    base_url: _models.BaseUrl = None,
    memory_model: _models.MemoryModel = None,
    generate: _models.Generate = None,
    price: _models.Price = None,
    connections: _models.Connections = None,
    retries: _models.Retries = 5,
    memory: _models.Memory = "in-context",
    granularity: _models.GranularityOption = Granularity.STEP,
    k: _models.K = 10,
    query: _models.QueryOption = Query.SHORT,
    recent: _models.Recent = 4,
    embedder: _models.EmbedderOption = DEFAULT_EMBEDDER,
    explore: _models.Explore = False,
    bonus: _models.Bonus = False,
    laws: _models.Laws = False,
    confidence: _models.Confidence = False,
    batch: _models.Batch = 1,
) -> None:
    """Let an agent play every task and take every quiz. Stopped runs go on where they were.

    Agents are scripted ones by name, or a language model with a memory.
    """
    suite = open_suite(suite_folder)
    if model is None:
        if agent is None or quiz is None:
            raise KnobError("who plays and answers? give --model, or --agent and --quiz")
        trial = Trial(agent, quiz, seed, max_steps)
        with _running(f"{agent} + {quiz}", suite) as done:
            finished = run_trial(suite, trial, out_folder, jobs=workers(jobs), done=done)
    else:
        from worldquiz.evals.llm.price import Price
        from worldquiz.evals.llm.run import Call
        from worldquiz.evals.llm.run import run as run_model

        subject = _models.subject(
            memory=memory, granularity=granularity, k=k, query=query, recent=recent,
            embedder=embedder, explore=explore, bonus=bonus, laws=laws, confidence=confidence,
            batch=batch, agent=agent, quiz=quiz, seed=seed, max_steps=max_steps,
        )  # fmt: skip
        given = _models.settings(generate)
        prices = Price.read(price) if price else None
        call = Call(model, base_url, memory_model, given, connections, prices, retries)
        with _running(f"{model} + {memory}", suite) as done:
            finished = run_model(suite, subject, call, out_folder, done=done)
    print_scores(finished, json=json)


@contextmanager
def _running(title: str, suite: Suite) -> Iterator[Callable[[str], None]]:
    """Show how far a run is, and say on ctrl-C how to go on."""
    with (
        resumable("what is played is kept: give the same command again to go on"),
        progress(title, len(suite.worlds)) as done,
    ):
        yield done


def estimate(
    suite_folder: SuiteFolder,
    model: _models.Model = None,
    price: _models.Price = None,
    agent: Annotated[str | None, typer.Option(help="Who plays; the model if absent.")] = None,
    max_steps: Annotated[int, typer.Option(min=0, help="Commands a task.")] = t2q.MAX_STEPS,
    json: Json = False,
    memory: _models.Memory = "in-context",
    granularity: _models.GranularityOption = Granularity.STEP,
    k: _models.K = 10,
    recent: _models.Recent = 4,
    explore: _models.Explore = False,
    bonus: _models.Bonus = False,
    laws: _models.Laws = False,
    batch: _models.Batch = 1,
) -> None:
    """Print the calls, tokens and cost that a run of a model will take, without calling it.

    The least is what a player needs who wins every task by its walkthrough, the most what one
    needs who uses up every task's steps.
    """
    from worldquiz.evals.llm.estimate import estimate as estimated
    from worldquiz.evals.llm.price import Price, known_price

    suite = open_suite(suite_folder)
    subject = _models.subject(
        memory=memory, granularity=granularity, k=k, recent=recent, explore=explore, bonus=bonus,
        laws=laws, batch=batch, agent=agent, max_steps=max_steps,
    )  # fmt: skip
    prices = Price.read(price) if price else known_price(model) if model else None
    with (
        resumable("nothing is written by this command"),
        progress("estimating", len(suite.worlds)) as done,
    ):
        found = {"model": model, **estimated(suite, subject, prices, done=done)}
    if json:
        emit(found)
    else:
        out().print(_tables.estimate(found))
