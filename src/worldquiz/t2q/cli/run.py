"""``worldquiz t2q run``: an agent plays every task of a suite, an answerer takes every quiz."""

from __future__ import annotations

from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli.model_options import (
    PROMPTS_PANEL,
    BaseUrl,
    Connections,
    Constrained,
    EmbedderOption,
    Generate,
    GranularityOption,
    K,
    MaxCost,
    MaxTime,
    MaxTokens,
    Memory,
    MemoryModel,
    Model,
    Price,
    QueryOption,
    QuestionsAtOnce,
    Recent,
    Retries,
    RetryFailed,
    Timeout,
    check_model,
    settings,
)
from worldquiz.cli.runs import tables_of
from worldquiz.cli.shell import (
    Json,
    On,
    ShardOption,
    SuiteFolder,
    tell,
    tell_shard,
    workers,
    working,
)
from worldquiz.llm.client import TIMEOUT
from worldquiz.llm.limits import Limits, seconds
from worldquiz.memory.base import Granularity, Query
from worldquiz.memory.setup import DEFAULT_EMBEDDER
from worldquiz.t2q.cli.options import Engine, MaxSteps, Times
from worldquiz.t2q.front import load

_prompts = partial(typer.Option, rich_help_panel=PROMPTS_PANEL)

Processes = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        help="Number of processes; by default, one for each core, or 1 with a model, where they "
        "share connections and limits. Results do not depend on it.",
    ),
]
Explore = Annotated[bool, _prompts("--explore", help="Ask for exploration.")]
Bonus = Annotated[bool, _prompts("--bonus", help="Promise a bonus for discoveries.")]
Laws = Annotated[bool, _prompts("--laws", help="State the laws of every world.")]
Confidence = Annotated[
    bool, _prompts("--confidence", help="Ask for the probability of being right.")
]
Batch = Annotated[int, _prompts(min=1, help="Number of questions asked at a time.")]
AgentName = Annotated[
    str | None,
    typer.Option(help="Who acts: `worldquiz t2q agents` lists them. By default, the model."),
]
AnswererName = Annotated[
    str | None,
    typer.Option(help="Who takes the quiz: see `worldquiz t2q agents`. By default, the model."),
]


def run(
    ctx: typer.Context,
    suite_folder: SuiteFolder,
    out_folder: Annotated[Path, typer.Option("--out", help="Folder of the run.")],
    agent: AgentName = None,
    answerer: AnswererName = None,
    seed: Annotated[int, typer.Option(help="Random seed of agents that draw at random.")] = 0,
    max_steps: MaxSteps = None,
    budget: Times = None,
    jobs: Processes = None,
    on: On = None,
    json: Json = False,
    model: Model = None,
    base_url: BaseUrl = None,
    memory_model: MemoryModel = None,
    generate: Generate = None,
    price: Price = None,
    connections: Connections = None,
    questions_at_once: QuestionsAtOnce = None,
    retries: Retries = 5,
    memory: Memory = "in-context",
    granularity: GranularityOption = Granularity.STEP,
    k: K = 10,
    query: QueryOption = Query.SHORT,
    recent: Recent = 4,
    embedder: EmbedderOption = DEFAULT_EMBEDDER,
    explore: Explore = False,
    bonus: Bonus = False,
    laws: Laws = False,
    confidence: Confidence = False,
    batch: Batch = 1,
    constrained: Constrained = False,
    timeout: Timeout = TIMEOUT,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    max_time: MaxTime = None,
    retry_failed: RetryFailed = False,
    shard: ShardOption = None,
    engine: Engine = None,
) -> None:
    """Let an agent play every task and an answerer take every quiz.

    Each is a scripted one by name, or a language model with a memory. A run that was stopped goes
    on where it was.
    """
    from worldquiz.llm.price import Price as Tokens

    check_model(ctx)
    suite = load(suite_folder)
    title = f"{model} + {memory}" if model else f"{agent} + {answerer}"
    with working(title, len(suite.worlds), "what is played is kept", on) as done:
        at_once = workers(jobs)
        finished = suite.run(
            agent=agent, answerer=answerer, model=model, out=out_folder, memory=memory, seed=seed,
            max_steps=max_steps, budget=budget, jobs=jobs or 1 if model else at_once,
            base_url=base_url, memory_model=memory_model, generate=settings(generate),
            price=astuple(Tokens.read(price)) if price else None, connections=connections,
            retries=retries, embedder=embedder, granularity=granularity, k=k, query=query,
            recent=recent, explore=explore, bonus=bonus, laws=laws, confidence=confidence,
            batch=batch, constrained=constrained,
            limits=Limits(max_cost, max_tokens, seconds(max_time)), timeout=timeout,
            retry_failed=retry_failed, shard=shard, questions_at_once=questions_at_once,
            progress=done, engine=engine,
        )  # fmt: skip
    if shard is not None:
        tell_shard(out_folder, json=json)
        return
    tell(finished.scores, tables_of([finished]), json=json)
