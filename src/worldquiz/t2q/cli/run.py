"""``worldquiz t2q run``: somebody plays every task of a suite and takes every quiz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Jobs, Json, SuiteFolder, emit, out, progress, resumable, workers
from worldquiz.errors import KnobError
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.cli import model_options, tables
from worldquiz.t2q.cli.scores import print_scores
from worldquiz.t2q.llm.trial import DEFAULT_EMBEDDER
from worldquiz.t2q.memory.base import Granularity, Query
from worldquiz.t2q.run import Trial
from worldquiz.t2q.run import run as run_trial
from worldquiz.t2q.suite import Suite, open_suite


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
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    memory_model: model_options.MemoryModel = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.Connections = None,
    retries: model_options.Retries = 5,
    memory: model_options.Memory = "in-context",
    granularity: model_options.GranularityOption = Granularity.STEP,
    k: model_options.K = 10,
    query: model_options.QueryOption = Query.SHORT,
    recent: model_options.Recent = 4,
    embedder: model_options.EmbedderOption = DEFAULT_EMBEDDER,
    explore: model_options.Explore = False,
    bonus: model_options.Bonus = False,
    laws: model_options.Laws = False,
    confidence: model_options.Confidence = False,
    batch: model_options.Batch = 1,
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
        from worldquiz.llm.price import Price
        from worldquiz.t2q.llm.run import Call
        from worldquiz.t2q.llm.run import run as run_model

        subject = model_options.subject(
            memory=memory, granularity=granularity, k=k, query=query, recent=recent,
            embedder=embedder, explore=explore, bonus=bonus, laws=laws, confidence=confidence,
            batch=batch, agent=agent, quiz=quiz, seed=seed, max_steps=max_steps,
        )  # fmt: skip
        given = model_options.settings(generate)
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
    model: model_options.Model = None,
    price: model_options.Price = None,
    agent: Annotated[str | None, typer.Option(help="Who plays; the model if absent.")] = None,
    max_steps: Annotated[int, typer.Option(min=0, help="Commands a task.")] = t2q.MAX_STEPS,
    json: Json = False,
    memory: model_options.Memory = "in-context",
    granularity: model_options.GranularityOption = Granularity.STEP,
    k: model_options.K = 10,
    recent: model_options.Recent = 4,
    explore: model_options.Explore = False,
    bonus: model_options.Bonus = False,
    laws: model_options.Laws = False,
    batch: model_options.Batch = 1,
) -> None:
    """Print the calls, tokens and cost that a run of a model will take, without calling it.

    The least is what a player needs who wins every task by its walkthrough, the most what one
    needs who uses up every task's steps.
    """
    from worldquiz.llm.price import Price, known_price
    from worldquiz.t2q.llm.estimate import estimate as estimated

    suite = open_suite(suite_folder)
    subject = model_options.subject(
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
        out().print(tables.estimate(found))
