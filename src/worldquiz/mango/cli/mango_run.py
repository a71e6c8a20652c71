"""``worldquiz mango run``: a model, or the map builder without one, answers MANGO's questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable
from worldquiz.errors import KnobError
from worldquiz.llm.client import AT_ONCE, Reach
from worldquiz.mango.asking.ask import PER_MAZE, RESERVE, STEPS, Asked, Budget, Template, Text
from worldquiz.mango.asking.plan import planned
from worldquiz.mango.asking.tokens import ESTIMATE
from worldquiz.mango.cli.mango_score import paper_table
from worldquiz.mango.mazes.selection import chosen, kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running import run as mango_run

TEXT = "What is read, and in whose words"


def run(
    data: Annotated[
        Path, typer.Argument(metavar="DATA_DIR", help="A folder of mazes with walkthroughs.")
    ],
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")],
    model: model_options.Model = None,
    reader: Annotated[
        str | None,
        typer.Option(
            help=f"A contestant that is no model: {mango_run.MAPPER}, which draws the map itself."
        ),
    ] = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")] = None,
    steps: Annotated[
        int, typer.Option(min=0, help="Steps of the walkthrough read at most.")
    ] = STEPS,
    tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens of the walkthrough read at most.", rich_help_panel=TEXT),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="The model's window in tokens: no prompt with its answer is longer.",
            rich_help_panel=TEXT,
        ),
    ] = None,
    reserve: Annotated[
        int, typer.Option(min=0, help="Tokens of it kept for the answer.", rich_help_panel=TEXT)
    ] = RESERVE,
    tokenizer: Annotated[
        str,
        typer.Option(
            help="Who counts tokens: chars/NUMBER (an estimate), tiktoken:NAME, hf:PATH or "
            "hf:OWNER/NAME.",
            rich_help_panel=TEXT,
        ),
    ] = ESTIMATE,
    template: Annotated[
        Template, typer.Option(help="Whose words.", rich_help_panel=TEXT)
    ] = Template.PAPER,
    walkthrough: Annotated[
        Text,
        typer.Option(
            help="The game's text, or in its stead the name of the place after each step.",
            rich_help_panel=TEXT,
        ),
    ] = Text.FULL,
    tasks: Annotated[str, typer.Option(help="df, rf, or both with a comma between.")] = "df,rf",
    per_maze: Annotated[
        int, typer.Option(min=1, help="Questions of each task that a maze is asked at most.")
    ] = PER_MAZE,
    seed: Annotated[int, typer.Option(help="Of the sample of questions.")] = 0,
    rf_easy: Annotated[
        Route, typer.Option(help="Whose moves make a route-finding question easy.")
    ] = Route.SHORTEST,
    json: Json = False,
) -> None:
    """Ask MANGO's questions. Stopped runs go on where they were."""
    if (model is None) == (reader is None):
        raise KnobError(f"who answers? give either --model or --reader {mango_run.MAPPER}")
    if reader not in (None, mango_run.MAPPER):
        raise KnobError(f"--reader {reader!r}: no such reader; there is {mango_run.MAPPER!r}")
    budget = Budget.of(tokens, window, reserve, tokenizer)
    asked = Asked(
        steps, kinds(tasks), per_maze, seed, rf_easy, template, walkthrough,
        budget,
    )  # fmt: skip
    plan = planned(chosen(data, game or ()), asked)
    reach = _reach(model, base_url, generate, connections, price, retries) if model else None
    with (
        resumable("what was replied is kept: give the same command again to go on"),
        progress(model or mango_run.MAPPER, len(plan.questions)) as done,
    ):
        if reach:
            found = mango_run.run(plan, reach, out_folder, done)
        else:
            found = mango_run.run_mapper(plan, out_folder, done)
    if json:
        emit(found)
        return
    out().print(paper_table(found, ""))
    if "mistakes" in found:
        out().print(_mistakes(found["mistakes"]["all"]), soft_wrap=True)


def _mistakes(found: dict[str, Any]) -> str:
    """Tell in a line what the map builder's wrong answers come from."""
    causes = ", ".join(f"{name} {count:,}" for name, count in found["causes"].items() if count)
    clear = found["unambiguous"]
    return (
        f"Wrong in part or whole: {found['wrong']:,} of {found['asked']:,}"
        f"{f' ({causes})' if causes else ''}; of the {clear:,} that the text settles, "
        f"{found['unambiguous_wrong']:,}."
    )


def _reach(
    model: str,
    base_url: str | None,
    generate: list[str] | None,
    connections: int,
    price: str | None,
    retries: int,
) -> Reach:
    from worldquiz.llm.price import Price

    prices = Price.read(price) if price else None
    settings = model_options.settings(generate)
    return Reach(model, base_url, settings, connections, prices, retries)
