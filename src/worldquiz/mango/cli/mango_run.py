"""``worldquiz mango run``: a model, a baseline or an answerer of one's own is asked."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable
from worldquiz.llm.client import AT_ONCE, Reach
from worldquiz.mango.asking.ask import PER_MAZE, RESERVE, STEPS, Asked, Budget, Template, Text
from worldquiz.mango.asking.tokens import ESTIMATE
from worldquiz.mango.cli.options import Data, Games, Out, PerMaze, RfEasy, Seed, Tasks, Tokenizer
from worldquiz.mango.cli.score_tables import paper_table
from worldquiz.mango.maze_set import MazeSet, finish
from worldquiz.mango.mazes.selection import kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.answerers import MAPPER

TEXT = "Walkthrough and prompts"
KEPT = "replies are kept: give the same command again to go on"


def run(
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    answerer: Annotated[
        str | None,
        typer.Option(
            help=f"Who answers, if no model does: {MAPPER} (the baseline, which draws the map by "
            "rules and searches it), or an answerer of an installed package."
        ),
    ] = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    game: Games = None,
    steps: Annotated[
        int, typer.Option(min=0, help="Show at most so many steps of each walkthrough.")
    ] = STEPS,
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
    seed: Seed = 0,
    rf_easy: RfEasy = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Have MANGO's questions answered. A stopped run goes on where it was."""
    budget = Budget.of(tokens, window, reserve, tokenizer)
    asked = Asked(
        steps, kinds(tasks), per_maze, seed, rf_easy, template, walkthrough,
        budget,
    )  # fmt: skip
    settings = model_options.settings(generate)
    reach = Reach.of(model, base_url, settings, connections, price, retries)
    work = MazeSet(data).quiz(answerer, reach, asked, game or ())
    with resumable(KEPT), progress(model or str(answerer), len(work.units)) as done:
        found = finish(work, out_folder, done).scores
    if json:
        emit(found)
        return
    out().print(paper_table(found, ""))
    if "mistakes" in found:
        out().print(_mistakes(found["mistakes"]["all"]), soft_wrap=True)


def _mistakes(found: dict[str, Any]) -> str:
    """Tell in a line why the map builder's wrong answers are wrong."""
    causes = ", ".join(f"{name} {count:,}" for name, count in found["causes"].items() if count)
    clear = found["unambiguous"]
    return (
        f"Wrong in part or whole: {found['wrong']:,} of {found['asked']:,}"
        f"{f' ({causes})' if causes else ''}; of the {clear:,} that the text settles, "
        f"{found['unambiguous_wrong']:,}."
    )
