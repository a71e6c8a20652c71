"""``worldquiz mango explore``: an agent plays, and is asked about the map of its trajectory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli import model_options
from worldquiz.cli.runs import tables_of
from worldquiz.cli.shell import (
    Jobs,
    Json,
    ShardOption,
    tell,
    tell_shard,
    waiting,
    workers,
    working,
)
from worldquiz.llm.client import AT_ONCE, TIMEOUT, Reach
from worldquiz.llm.limits import Limits, seconds
from worldquiz.mango.asking.ask import PER_MAZE, Asked, Sampling
from worldquiz.mango.cli.options import Games, Out, PerMaze, RfEasy, Seed, Tasks
from worldquiz.mango.exploration import STEPS, exploring_work, finished_run
from worldquiz.mango.maze.recorder.trace import PATIENCE
from worldquiz.mango.mazes.selection import kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.answerers import KEEPER, MAPPER
from worldquiz.mango.scoring.baselines import Baseline
from worldquiz.memory.base import Granularity, Query, Wiring
from worldquiz.memory.setup import DEFAULT_EMBEDDER, Setup
from worldquiz.runs.folder import MODEL


def explore(
    ctx: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(
            metavar="GAMES",
            help="A folder of mazes, a suite of text worlds, or Z-machine games: a story file or a "
            "folder of them.",
        ),
    ],
    out_folder: Out,
    agent: Annotated[
        str,
        typer.Option(
            help="Who explores: frontier (tries every direction, nearest first), random, idle, "
            "walkthrough, model (that of --model, by a memory), or your own MODULE:CLASS with a "
            "method act(text)."
        ),
    ] = "frontier",
    steps: Annotated[int, typer.Option(min=0, help="Most commands in each game.")] = STEPS,
    model: model_options.Model = None,
    answerer: Annotated[
        str | None,
        typer.Option(
            help="Who answers the questions. By default the model, if one is given; else the agent "
            f"itself where it has a method answer(prompt), else {MAPPER}. Others: {KEEPER} (the "
            f"upper bound), {', '.join(Baseline)}, or an answerer of an installed package."
        ),
    ] = None,
    base_url: model_options.BaseUrl = None,
    memory_model: model_options.MemoryModel = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    questions_at_once: model_options.QuestionsAtOnce = None,
    retries: model_options.Retries = 5,
    timeout: model_options.Timeout = TIMEOUT,
    max_cost: model_options.MaxCost = None,
    max_tokens: model_options.MaxTokens = None,
    max_time: model_options.MaxTime = None,
    memory: model_options.Memory = "in-context",
    granularity: model_options.GranularityOption = Granularity.STEP,
    k: model_options.K = 10,
    query: model_options.QueryOption = Query.SHORT,
    recent: model_options.Recent = 4,
    embedder: model_options.EmbedderOption = DEFAULT_EMBEDDER,
    constrained: model_options.Constrained = False,
    retry_failed: model_options.RetryFailed = False,
    game: Games = None,
    tasks: Tasks = "df,rf",
    per_maze: PerMaze = PER_MAZE,
    sampling: Annotated[
        Sampling, typer.Option(help="How questions are drawn: see `worldquiz mango run`.")
    ] = Sampling.LEVELS,
    seed: Seed = 0,
    rf_easy: RfEasy = Route.SHORTEST,
    patience: Annotated[
        float, typer.Option(min=0.1, help="Seconds allowed for one step of a game.")
    ] = PATIENCE,
    jobs: Jobs = None,
    shard: ShardOption = None,
    json: Json = False,
) -> None:
    """Let an agent explore games, then have MANGO's questions answered about its own trajectory.

    Prints how much of each game's map the agent saw, what it knows of that, and the game's own
    score. A stopped run goes on where it was.
    """
    model_options.check_model(ctx)
    if agent != MODEL:
        model_options.check_panel(ctx, model_options.MEMORY_PANEL, f"--agent {MODEL}")
    settings = model_options.settings(generate)
    limits = Limits(max_cost, max_tokens, seconds(max_time))
    reach = Reach.of(
        model, base_url, settings, connections, price, retries, limits, timeout, questions_at_once
    )
    asked = Asked(
        steps, kinds(tasks), per_maze, seed, rf_easy, sampling=sampling, constrained=constrained
    )
    with waiting("opening the games"):
        work = exploring_work(
            source, agent, asked, answerer=answerer, reach=reach, games=game or (),
            retry_failed=retry_failed, patience=patience, memory_model=memory_model,
            setup=Setup(memory, Wiring(granularity, k, query, recent), embedder),
            jobs=jobs or 1 if agent == MODEL else workers(jobs),
        )  # fmt: skip
    with working(work.name, len(work.units), "games that are explored are kept") as done:
        run = finished_run(work, out_folder, done, shard, retry_failed=retry_failed)
    if shard is not None:
        tell_shard(out_folder, json=json)
        return
    tell(run.scores, tables_of([run]), json=json)
