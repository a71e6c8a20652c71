"""``worldquiz mango minigames``, ``minigames-score`` and ``map``: further tasks of MANGO's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable, waiting
from worldquiz.errors import KnobError
from worldquiz.llm.client import AT_ONCE, Reach
from worldquiz.mango.asking.ask import PER_MAZE, STEPS, Asked
from worldquiz.mango.asking.plan import planned
from worldquiz.mango.asking.tokens import ESTIMATE
from worldquiz.mango.cli.mango_score import paper_table
from worldquiz.mango.games import mapping
from worldquiz.mango.games import minigames as mango_minigames
from worldquiz.mango.mazes.selection import chosen, kinds
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.scoring.minigames import Setting

_KEPT = "what was replied is kept: give the same command again to go on"
_SETTINGS = {None: tuple(Setting), True: (Setting.MAP,), False: (Setting.PLAIN,)}
_COLUMNS = {Setting.PLAIN: "w/o map", Setting.MAP: "w/ map"}

Data = Annotated[
    Path, typer.Argument(metavar="DATA_DIR", help="A folder of mazes with walkthroughs.")
]
Out = Annotated[Path, typer.Option("--out", help="Where the run goes.")]
Game = Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")]
Steps = Annotated[int, typer.Option(min=0, help="Steps of the walkthrough read.")]
Connections = Annotated[
    int, typer.Option(min=1, help="Calls at once.", rich_help_panel=model_options.PANEL)
]


def minigames(
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: Connections = AT_ONCE,
    retries: model_options.Retries = 5,
    game: Game = None,
    steps: Steps = STEPS,
    per_maze: Annotated[
        int, typer.Option(min=1, help="Minigames of a maze at most, each in every setting.")
    ] = PER_MAZE,
    seed: Annotated[
        int, typer.Option(help="Of the sample, and of the actions to choose from.")
    ] = 0,
    local_map: Annotated[
        bool | None,
        typer.Option(
            "--local-map/--no-local-map",
            help="Tell the places nearby, or don't; both, side by side, if neither is given.",
        ),
    ] = None,
    tokens: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Play only what so many tokens of the walkthrough lead up to; the paper: 4,000.",
        ),
    ] = None,
    tokenizer: Annotated[
        str,
        typer.Option(
            help="By which tokens are counted: chars/NUMBER, tiktoken:NAME, hf:PATH or "
            "hf:OWNER/NAME."
        ),
    ] = ESTIMATE,
    json: Json = False,
) -> None:
    """Play MANGO's minigames: choose the walkthrough's next move. Stopped runs go on."""
    mazes = chosen(data, ",".join(game or ()))
    games = mango_minigames.Games(steps, _SETTINGS[local_map], per_maze, seed, tokens, tokenizer)
    reach = _reach(model, base_url, generate, price, connections, retries)
    with (
        resumable(_KEPT),
        progress(reach.model, len(mango_minigames.plan(mazes, games))) as done,
    ):
        found = mango_minigames.run(mazes, games, reach, out_folder, done)
    if json:
        emit(found)
        return
    out().print(_table_14({reach.model: found}))


def minigames_score(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Folders that mango minigames made.")
    ],
    json: Json = False,
) -> None:
    """Set several players of minigames side by side, as Table 14 does."""
    with waiting("scoring"):
        found = mango_minigames.compare(runs)
    if json:
        emit(found)
        return
    out().print(_table_14(found))


def map_(
    data: Data,
    out_folder: Out,
    model: model_options.Model = None,
    shots: Annotated[
        int,
        typer.Option(
            help="5: five examples, then a step at a time; 0: the whole walkthrough at once."
        ),
    ] = 5,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    price: model_options.Price = None,
    connections: Connections = AT_ONCE,
    retries: model_options.Retries = 5,
    game: Game = None,
    steps: Steps = STEPS,
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
    """Have a model draw the maps, and search them for the answers. Stopped runs go on."""
    mazes = chosen(data, ",".join(game or ()))
    plan = planned(mazes, Asked(steps, kinds(tasks), per_maze, seed, rf_easy))
    reach = _reach(model, base_url, generate, price, connections, retries)
    readings = mapping.readings(mapping.courses(plan), shots)
    with resumable(_KEPT), progress(reach.model, len(readings)) as done:
        found = mapping.run(plan, shots, reach, out_folder, done)
    if json:
        emit(found)
        return
    out().print(_triplets(found["triplets"]))
    out().print(paper_table(found, "by the map"))


def _reach(
    model: str | None,
    base_url: str | None,
    generate: list[str] | None,
    price: str | None,
    connections: int,
    retries: int,
) -> Reach:
    if model is None:
        raise KnobError("who answers? give --model")
    from worldquiz.llm.price import Price

    return Reach(
        model, base_url, model_options.settings(generate), connections,
        Price.read(price) if price else None, retries,
    )  # fmt: skip


def _table_14(players: dict[str, dict[str, Any]]) -> Table:
    table = _table("Minigames: successes / asked")
    columns = [
        (name, setting) for name, told in players.items() for setting in Setting if setting in told
    ]
    table.add_column("")
    for name, setting in columns:
        table.add_column(f"{name}\n{_COLUMNS[setting]}", justify="right")
    for game in sorted({game for told in players.values() for game in told["games"]}):
        cells = (
            _cell(players[name]["games"].get(game, {}).get(setting)) for name, setting in columns
        )
        table.add_row(game, *cells)
    table.add_section()
    totals = [players[name][setting] for name, setting in columns]
    table.add_row("all", *map(_cell, totals))
    table.add_row("share", *(_share(each["share"], each["interval"]) for each in totals))
    table.add_row("by chance", *(f"{each['chance']:.2f}" for each in totals))
    table.add_row("ill-formed", *(f"{each['ill_formed']:,}" for each in totals))
    table.caption = "Shares are of all minigames, with 95 % intervals over mazes."
    return table


def _cell(counts: dict[str, Any] | None) -> str:
    return "-" if counts is None else f"{counts['successes']:,}/{counts['asked']:,}"


def _triplets(found: dict[str, Any]) -> Table:
    table = _table("Triplets: means over mazes with 95 % intervals")
    for column in ("", "right", "asked", "unread", "accuracy", "precision", "recall"):
        table.add_column(column, justify="right" if column else "left")
    shares = ("accuracy", "precision", "recall")
    for game, row in found["games"].items():
        counts = (f"{row[name]:,}" for name in ("right", "asked", "unread"))
        table.add_row(game, *counts, *(_share(row[name], None) for name in shares))
    table.add_section()
    micro = found["micro"]
    table.add_row(
        "all", f"{micro['right']:,}", f"{micro['asked']:,}", f"{found['unread']:,}",
        *(_share(found[name]["macro"], found[name]["interval"]) for name in shares),
    )  # fmt: skip
    return table


def _share(value: float | None, interval: tuple[float, float] | None) -> str:
    if value is None:
        return "-"
    if interval is None:
        return f"{value:.2f}"
    return f"{value:.2f}\n{interval[0]:.2f}-{interval[1]:.2f}"


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
