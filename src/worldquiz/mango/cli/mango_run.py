"""``worldquiz mango run``, ``minigames`` and ``map``: a model, a baseline or another is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli import model_options
from worldquiz.cli.runs import tables_of
from worldquiz.cli.shell import Json, ShardOption, tell, tell_shard, working
from worldquiz.llm.client import AT_ONCE, TIMEOUT, Reach
from worldquiz.llm.limits import Limits, seconds
from worldquiz.llm.tokens import ESTIMATE
from worldquiz.mango.asking.ask import PER_MAZE, RESERVE, Asked, Budget, Sampling, Template, Text
from worldquiz.mango.cli.options import (
    Data,
    Games,
    Laid,
    Out,
    PerMaze,
    RfEasy,
    Seed,
    Tasks,
    Tokenizer,
    left_out,
)
from worldquiz.mango.cli.score_tables import means_table, triplet_table
from worldquiz.mango.games import minigames as mango_minigames
from worldquiz.mango.games.minigames import Setting
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.maze_set import MazeSet, finish
from worldquiz.mango.mazes.selection import kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.answerers import KEEPER, MAPPER
from worldquiz.mango.running.run import MazeWork
from worldquiz.mango.scoring.baselines import Baseline
from worldquiz.runs.losses import lines
from worldquiz.runs.run import Run

TEXT = "Walkthrough and prompts"
_SETTINGS = {None: tuple(Setting), True: (Setting.MAP,), False: (Setting.PLAIN,)}

Steps = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Read at most so many steps of each walkthrough. Default: 70; of full maps, all.",
    ),
]
Answerer = Annotated[
    str | None, typer.Option(help="An answerer of an installed package, instead of a model.")
]


def run(
    ctx: typer.Context,
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    answerer: Annotated[
        str | None,
        typer.Option(
            help=f"Who answers, if no model does: {MAPPER} (draws the map by rules and searches "
            f"it), {KEEPER} (the upper bound: is told the map), a baseline without a map "
            f"({', '.join(Baseline)}), or an answerer of an installed package."
        ),
    ] = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    timeout: model_options.Timeout = TIMEOUT,
    max_cost: model_options.MaxCost = None,
    max_tokens: model_options.MaxTokens = None,
    max_time: model_options.MaxTime = None,
    retry_failed: model_options.RetryFailed = False,
    game: Games = None,
    layout: Laid = None,
    steps: Steps = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            min=1, help="Show at most so many tokens of each walkthrough.", rich_help_panel=TEXT
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The model's context window in tokens; prompt and answer must fit into it.",
            rich_help_panel=TEXT,
        ),
    ] = None,
    reserve: Annotated[
        int,
        typer.Option(
            min=0, help="Tokens of the window that are kept for the answer.", rich_help_panel=TEXT
        ),
    ] = RESERVE,
    tokenizer: Tokenizer = ESTIMATE,
    template: Annotated[
        Template, typer.Option(help="Prompt template: paper or release.", rich_help_panel=TEXT)
    ] = Template.PAPER,
    walkthrough: Annotated[
        Text,
        typer.Option(
            help="Show the game's full text, or only the name of the place after each step.",
            rich_help_panel=TEXT,
        ),
    ] = Text.FULL,
    tasks: Tasks = "df,rf",
    per_maze: PerMaze = PER_MAZE,
    sampling: Annotated[
        Sampling,
        typer.Option(
            help="Draw questions evenly from easy and hard ones (levels), or over distance, steps "
            "since last seen, imputed moves, reversals and loops (strata), for long walkthroughs."
        ),
    ] = Sampling.LEVELS,
    seed: Seed = 0,
    rf_easy: RfEasy = Route.SHORTEST,
    constrained: Annotated[
        bool,
        typer.Option(
            "--constrained",
            help="Have the server hold replies to a JSON Schema of the listed places and moves.",
            rich_help_panel=model_options.PANEL,
        ),
    ] = False,
    shard: ShardOption = None,
    json: Json = False,
) -> None:
    """Have MANGO's questions answered. A stopped run goes on where it was."""
    model_options.check_model(ctx)
    if window is None:
        model_options.check_needs(ctx, ["reserve"], "--window")
        if tokens is None:
            model_options.check_needs(ctx, ["tokenizer"], "--tokens or --window")
    budget = Budget.of(tokens, window, reserve, tokenizer)
    mazes = _opened(data, layout)
    read = mazes.steps if steps is None else steps
    asked = Asked(
        read, kinds(tasks), per_maze, seed, rf_easy, template, walkthrough, budget, sampling,
        constrained,
    )  # fmt: skip
    settings = model_options.settings(generate)
    limits = Limits(max_cost, max_tokens, seconds(max_time))
    reach = Reach.of(model, base_url, settings, connections, price, retries, limits, timeout)
    work = mazes.quiz(answerer, reach, asked, game or ())
    run = _finished(work, out_folder, model or str(answerer), retry_failed, shard)
    if shard is not None:
        tell_shard(out_folder, json=json)
        return
    found = run.scores
    tell(found, [means_table(found, ""), *lines(found)], json=json)


def minigames(
    ctx: typer.Context,
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    answerer: Answerer = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    timeout: model_options.Timeout = TIMEOUT,
    max_cost: model_options.MaxCost = None,
    max_tokens: model_options.MaxTokens = None,
    max_time: model_options.MaxTime = None,
    retry_failed: model_options.RetryFailed = False,
    game: Games = None,
    layout: Laid = None,
    steps: Steps = None,
    per_maze: Annotated[
        int, typer.Option(min=1, help="Play at most so many minigames of a maze in each setting.")
    ] = PER_MAZE,
    seed: Annotated[
        int, typer.Option(help="Random seed for sampling minigames and their lists of actions.")
    ] = 0,
    local_map: Annotated[
        bool | None,
        typer.Option(
            "--local-map/--no-local-map",
            help="Show the places nearby, or hide them; both settings are played if neither is "
            "given.",
        ),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Play only minigames with at most so many tokens of walkthrough before them; the "
            "paper read 4,000.",
        ),
    ] = None,
    tokenizer: Tokenizer = ESTIMATE,
    shard: ShardOption = None,
    json: Json = False,
) -> None:
    """Play MANGO's minigames: choose the walkthrough's next move. Stopped runs go on."""
    model_options.check_model(ctx)
    if tokens is None:
        model_options.check_needs(ctx, ["tokenizer"], "--tokens")
    mazes = _opened(data, layout)
    read = mazes.steps if steps is None else steps
    which = mango_minigames.Games(read, _SETTINGS[local_map], per_maze, seed, tokens, tokenizer)
    settings = model_options.settings(generate)
    limits = Limits(max_cost, max_tokens, seconds(max_time))
    reach = Reach.of(model, base_url, settings, connections, price, retries, limits, timeout)
    work = mazes.minigame_work(answerer, reach, which, game or ())
    run = _finished(work, out_folder, model or str(answerer), retry_failed, shard)
    if shard is not None:
        tell_shard(out_folder, json=json)
        return
    tell(run.scores, tables_of([run]), json=json)


def map_(
    ctx: typer.Context,
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    answerer: Answerer = None,
    shots: Annotated[
        int,
        typer.Option(
            help="5: show five examples and ask for a step at a time; 0: show the whole "
            "walkthrough at once."
        ),
    ] = 5,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    timeout: model_options.Timeout = TIMEOUT,
    max_cost: model_options.MaxCost = None,
    max_tokens: model_options.MaxTokens = None,
    max_time: model_options.MaxTime = None,
    retry_failed: model_options.RetryFailed = False,
    game: Games = None,
    layout: Laid = None,
    steps: Steps = None,
    tasks: Tasks = "df,rf",
    per_maze: PerMaze = PER_MAZE,
    seed: Seed = 0,
    rf_easy: RfEasy = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Have a model draw the maps, then search them for the answers. Stopped runs go on."""
    model_options.check_model(ctx)
    mazes = _opened(data, layout)
    asked = Asked(mazes.steps if steps is None else steps, kinds(tasks), per_maze, seed, rf_easy)
    settings = model_options.settings(generate)
    limits = Limits(max_cost, max_tokens, seconds(max_time))
    reach = Reach.of(model, base_url, settings, connections, price, retries, limits, timeout)
    work = mazes.map_work(answerer, reach, asked, shots, game or ())
    found = _finished(work, out_folder, model or str(answerer), retry_failed).scores
    shown = [triplet_table(found["triplets"]), means_table(found, "by the map")]
    tell(found, [*shown, *lines(found)], json=json)


def _opened(data: Path, layout: Layout | None) -> MazeSet:
    """Open mazes, and say which are left out."""
    mazes = MazeSet(data, layout)
    left_out(data, layout)
    return mazes


def _finished(
    work: MazeWork, out_folder: Path, name: str, retry_failed: bool, shard: str | None = None
) -> Run:
    """Carry a run to its scores, and show how far it is."""
    with working(name, len(work.units), "replies are kept") as done:
        return finish(work, out_folder, done, shard, retry_failed=retry_failed)
