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
from worldquiz.memory.base import Granularity, Query, Wiring
from worldquiz.memory.setup import DEFAULT_EMBEDDER
from worldquiz.runs.folder import MODEL
from worldquiz.t2q.budget import budget as budget_of
from worldquiz.t2q.cli import tables
from worldquiz.t2q.cli.options import Engine, MaxSteps, Times
from worldquiz.t2q.front import load
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.suites import open_suite

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
Like = Annotated[
    Path | None,
    typer.Option(
        metavar="RUN",
        help="Run of the same model and memory on the same suite, finished or not, whose worlds "
        "correct the estimate.",
    ),
]
Tokenizer = Annotated[
    str,
    typer.Option(
        help="Tokenizer of the model: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
        "hf:OWNER/NAME."
    ),
]
ReplyTokens = Annotated[
    int, typer.Option(min=1, help="Likely number of tokens of a reply, thinking among them.")
]
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


def estimate(
    suite_folder: SuiteFolder,
    model: Model = None,
    price: Price = None,
    agent: AgentName = None,
    max_steps: MaxSteps = None,
    budget: Times = None,
    json: Json = False,
    memory: Memory = "in-context",
    granularity: GranularityOption = Granularity.STEP,
    k: K = 10,
    recent: Recent = 4,
    explore: Explore = False,
    bonus: Bonus = False,
    laws: Laws = False,
    batch: Batch = 1,
    like: Like = None,
    tokenizer: Tokenizer = "chars/4",
    reply: ReplyTokens = 60,
) -> None:
    """Print the calls, tokens and cost that a run of a model will take, without calling it.

    The low estimate is of an agent that wins every task by its walkthrough, the high one of an
    agent that uses up the steps of every task, the likely one of an agent in between. They are no
    bounds: a model that thinks writes longer replies (--reply). The best estimate follows from a
    few worlds that the model has played already (--like).
    """
    from worldquiz.llm.estimate import no_price
    from worldquiz.llm.price import Price as Tokens
    from worldquiz.llm.price import known_price
    from worldquiz.t2q.llm.estimate import estimate as estimated

    suite = open_suite(suite_folder)
    subject = Subject(
        memory, Wiring(granularity, k, Query.SHORT, recent),
        Options(explore, bonus, laws, False, batch),
        agent=agent or MODEL, budget=budget_of(max_steps, budget, suite.budget),
    )  # fmt: skip
    prices = Tokens.read(price) if price else known_price(model) if model else None
    with working("estimating", len(suite.worlds)) as done:
        found = {
            "model": model,
            **estimated(
                suite, subject, prices, like=like, tokenizer=tokenizer, reply=reply, done=done
            ),
        }
    unpriced = [no_price(model)] if model and prices is None else []
    tell(found, [tables.estimate(found), *unpriced], json=json)
