"""``worldquiz mango minigames``, ``minigames-score`` and ``map``: further tasks of MANGO's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable, waiting
from worldquiz.llm.client import AT_ONCE, Reach
from worldquiz.mango.asking.ask import PER_MAZE, STEPS, Asked
from worldquiz.mango.asking.tokens import ESTIMATE
from worldquiz.mango.cli.mango_run import KEPT
from worldquiz.mango.cli.options import Data, Games, Out, PerMaze, RfEasy, Seed, Tasks, Tokenizer
from worldquiz.mango.cli.score_tables import paper_table, table_14, triplet_table
from worldquiz.mango.games import minigames as mango_minigames
from worldquiz.mango.maze_set import MazeSet, finish
from worldquiz.mango.mazes.selection import kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.minigame_run import compare
from worldquiz.mango.scoring.minigames import Setting

_SETTINGS = {None: tuple(Setting), True: (Setting.MAP,), False: (Setting.PLAIN,)}

Steps = Annotated[int, typer.Option(min=0, help="Read so many steps of each walkthrough.")]
Answerer = Annotated[
    str | None, typer.Option(help="An answerer of an installed package, instead of a model.")
]


def minigames(
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    answerer: Answerer = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    game: Games = None,
    steps: Steps = STEPS,
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
    json: Json = False,
) -> None:
    """Play MANGO's minigames: choose the walkthrough's next move. Stopped runs go on."""
    which = mango_minigames.Games(steps, _SETTINGS[local_map], per_maze, seed, tokens, tokenizer)
    settings = model_options.settings(generate)
    reach = Reach.of(model, base_url, settings, connections, price, retries)
    work = MazeSet(data).minigame_work(answerer, reach, which, game or ())
    with resumable(KEPT), progress(model or str(answerer), len(work.units)) as done:
        run = finish(work, out_folder, done)
    if json:
        emit(run.scores)
        return
    out().print(table_14(compare([run.path])))


def minigames_score(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Runs of `worldquiz mango minigames`.")
    ],
    json: Json = False,
) -> None:
    """Compare several runs of minigames, as Table 14 does."""
    with waiting("scoring"):
        found = compare(runs)
    if json:
        emit(found)
        return
    out().print(table_14(found))


def map_(
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
    game: Games = None,
    steps: Steps = STEPS,
    tasks: Tasks = "df,rf",
    per_maze: PerMaze = PER_MAZE,
    seed: Seed = 0,
    rf_easy: RfEasy = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Have a model draw the maps, then search them for the answers. Stopped runs go on."""
    asked = Asked(steps, kinds(tasks), per_maze, seed, rf_easy)
    settings = model_options.settings(generate)
    reach = Reach.of(model, base_url, settings, connections, price, retries)
    work = MazeSet(data).map_work(answerer, reach, asked, shots, game or ())
    with resumable(KEPT), progress(model or str(answerer), len(work.units)) as done:
        found = finish(work, out_folder, done).scores
    if json:
        emit(found)
        return
    out().print(triplet_table(found["triplets"]))
    out().print(paper_table(found, "by the map"))
