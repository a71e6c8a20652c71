"""``worldquiz t2q run``: an agent plays every task of a suite, an answerer takes every quiz."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.shell import Jobs, Json, SuiteFolder, emit, out, progress, resumable, workers
from worldquiz.runs.folder import MODEL
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.cli import model_options, tables
from worldquiz.t2q.cli.scores import tables as scores_of
from worldquiz.t2q.front import load
from worldquiz.t2q.llm.trial import DEFAULT_EMBEDDER, Subject
from worldquiz.t2q.memory.base import Granularity, Query, Wiring
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.store import read_run
from worldquiz.t2q.suites import Suite, open_suite

AgentName = Annotated[
    str | None,
    typer.Option(help="Who acts: `worldquiz t2q agents` lists them. By default, the model."),
]
AnswererName = Annotated[
    str | None,
    typer.Option(help="Who takes the quiz: see `worldquiz t2q agents`. By default, the model."),
]


def run(
    suite_folder: SuiteFolder,
    out_folder: Annotated[Path, typer.Option("--out", help="Folder of the run.")],
    agent: AgentName = None,
    answerer: AnswererName = None,
    seed: Annotated[int, typer.Option(help="Random seed of agents that draw.")] = 0,
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
    """Let an agent play every task and an answerer take every quiz.

    Each is a scripted one by name, or a language model with a memory. A run that was stopped goes
    on where it was.
    """
    from worldquiz.llm.price import Price

    suite = load(suite_folder)
    title = f"{model} + {memory}" if model else f"{agent} + {answerer}"
    with _running(title, suite) as done:
        finished = suite.run(
            agent=agent, answerer=answerer, model=model, out=out_folder, memory=memory, seed=seed,
            max_steps=max_steps, jobs=workers(jobs), base_url=base_url, memory_model=memory_model,
            generate=model_options.settings(generate),
            price=astuple(Price.read(price)) if price else None, connections=connections,
            retries=retries, embedder=embedder, granularity=granularity, k=k, query=query,
            recent=recent, explore=explore, bonus=bonus, laws=laws, confidence=confidence,
            batch=batch, progress=done,
        )  # fmt: skip
    if json:
        emit(finished.scores)
        return
    for table in scores_of([read_run(finished.path)]):
        out().print(table)


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
    agent: AgentName = None,
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

    The low estimate is of an agent that wins every task by its walkthrough, the high one of an
    agent that uses up the steps of every task.
    """
    from worldquiz.llm.estimate import no_price
    from worldquiz.llm.price import Price, known_price
    from worldquiz.t2q.llm.estimate import estimate as estimated

    suite = open_suite(suite_folder)
    subject = Subject(
        memory, Wiring(granularity, k, Query.SHORT, recent),
        Options(explore, bonus, laws, False, batch),
        agent=agent or MODEL, max_steps=max_steps,
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
        if model and prices is None:
            out().print(no_price(model), markup=False)
