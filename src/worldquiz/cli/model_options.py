"""The options of commands that run a language model."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import partial
from typing import Annotated, Any

import typer

from worldquiz.errors import KnobError
from worldquiz.memory.base import Granularity, Query

PANEL = "Model"
MEMORY_PANEL, PROMPTS_PANEL = "Memory", "Prompts (departures from the paper's)"

_model = partial(typer.Option, rich_help_panel=PANEL)
_memory = partial(typer.Option, rich_help_panel=MEMORY_PANEL)

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="A language model: openai/gpt-5.1, anthropic/NAME, or a server's own name with "
        "--base-url.",
        rich_help_panel=PANEL,
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        help="An OpenAI-compatible server, e.g. http://localhost:8000/v1; its key is taken from "
        "OPENAI_API_KEY.",
        rich_help_panel=PANEL,
    ),
]
Generate = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A setting of requests, by its name in OpenAI's protocol: temperature=0, seed=1.",
        rich_help_panel=PANEL,
    ),
]
Price = Annotated[
    str | None,
    typer.Option(
        metavar="INPUT,CACHED,OUTPUT",
        help="US dollars per million tokens.",
        rich_help_panel=PANEL,
    ),
]
Connections = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Most calls at once, of all worlds together; default: 20.",
        rich_help_panel=PANEL,
    ),
]
QuestionsAtOnce = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Questions of one quiz asked at the same time; no result depends on it. Default: 4 of "
        "a server of your own, 20 of a hosted provider.",
        rich_help_panel=PANEL,
    ),
]
AtOnce = Annotated[int, typer.Option(min=1, help="Most calls at once.", rich_help_panel=PANEL)]
Retries = Annotated[
    int,
    typer.Option(min=0, help="Times to retry a failed call.", rich_help_panel=PANEL),
]


Timeout = Annotated[
    int,
    typer.Option(
        min=1, help="Most seconds that one attempt of a call may take.", rich_help_panel=PANEL
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        min=0, help="End the run once so many US dollars are spent on it.", rich_help_panel=PANEL
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="End the run once it has used so many tokens, of prompts and replies.",
        rich_help_panel=PANEL,
    ),
]
MaxTime = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="End this command after a time, such as 90s, 45m or 2h.",
        rich_help_panel=PANEL,
    ),
]
RetryFailed = Annotated[
    bool,
    typer.Option("--retry-failed", help="Try again what failed before; everything else is kept."),
]
MemoryModel = Annotated[
    str | None, _model(help="Model that memories call; by default, the same model.")
]
Memory = Annotated[str, _memory(help="Memory of the model; `worldquiz t2q memories` lists them.")]
GranularityOption = Annotated[
    Granularity, _memory("--granularity", help="How much is added to memory at a time.")
]
K = Annotated[int, _memory("--k", min=1, help="Largest number of pieces that memory recalls.")]
QueryOption = Annotated[
    Query,
    _memory(
        "--query",
        help="Query to memory: the observation or question alone, or with objective, inventory and "
        "choices.",
    ),
]
Recent = Annotated[
    int,
    _memory(
        min=0,
        help="Number of last turns of the task that the prompt shows beside what memory recalls.",
    ),
]
EmbedderOption = Annotated[
    str,
    _memory(
        "--embedder",
        help="Embedder of the memory: minilm, a sentence-transformers name or path, or "
        "openai:MODEL@BASE_URL.",
    ),
]
Constrained = Annotated[
    bool,
    typer.Option(
        "--constrained",
        help="Have the server hold replies to a JSON Schema of the form that the prompt asks for.",
        rich_help_panel=PROMPTS_PANEL,
    ),
]


def check_model(ctx: typer.Context) -> None:
    """Raise `KnobError` for an option of models where no model is named."""
    if ctx.params["model"] is None:
        panels = (PANEL, MEMORY_PANEL, PROMPTS_PANEL)
        names = [each.name for each in ctx.command.params if _panel(each) in panels]
        check_needs(ctx, names, "--model")


def check_needs(ctx: typer.Context, names: Collection[str | None], needed: str) -> None:
    """Raise `KnobError` where an option of these names is given: it needs what is not there."""
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name in names and source is not None and source.name == "COMMANDLINE":
            raise KnobError(f"{ctx.command_path}: {param.opts[0]} needs {needed}")


def _panel(param: object) -> str | None:
    panel: str | None = getattr(param, "rich_help_panel", None)
    return panel


def settings(pairs: list[str] | None) -> dict[str, Any]:
    """Read ``name=value`` pairs; values are JSON where they can be, else text."""
    found: dict[str, Any] = {}
    for text in pairs or []:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise KnobError(f"--generate {text!r}: give it as NAME=VALUE, e.g. temperature=0")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found
