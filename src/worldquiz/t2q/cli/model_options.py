"""The options of Task2Quiz's commands that run a language model."""

from __future__ import annotations

from typing import Annotated

import typer

from worldquiz.cli.model_options import PANEL as PANEL
from worldquiz.cli.model_options import BaseUrl as BaseUrl
from worldquiz.cli.model_options import Connections as Connections
from worldquiz.cli.model_options import Generate as Generate
from worldquiz.cli.model_options import Model as Model
from worldquiz.cli.model_options import Price as Price
from worldquiz.cli.model_options import Retries as Retries
from worldquiz.cli.model_options import settings as settings
from worldquiz.t2q.memory.base import Granularity, Query

MEMORY, PROMPTS = "Memory", "Prompts (departures from the paper's)"

MemoryModel = Annotated[
    str | None,
    typer.Option(
        help="Model that memories call; by default, the same model.", rich_help_panel=PANEL
    ),
]
Memory = Annotated[
    str,
    typer.Option(
        help="Memory of the model; `worldquiz t2q memories` lists them.", rich_help_panel=MEMORY
    ),
]
GranularityOption = Annotated[
    Granularity,
    typer.Option(
        "--granularity", help="How much is added to memory at a time.", rich_help_panel=MEMORY
    ),
]
K = Annotated[
    int,
    typer.Option(
        "--k", min=1, help="Largest number of pieces that memory recalls.", rich_help_panel=MEMORY
    ),
]
QueryOption = Annotated[
    Query,
    typer.Option(
        "--query",
        help="Query to memory: the observation or question alone, or with objective, inventory and "
        "choices.",
        rich_help_panel=MEMORY,
    ),
]
Recent = Annotated[
    int,
    typer.Option(
        min=0,
        help="Number of last turns of the task that the prompt shows beside what memory recalls.",
        rich_help_panel=MEMORY,
    ),
]
EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder",
        help="Embedder of the memory: minilm, a sentence-transformers name or path, or "
        "openai:MODEL@BASE_URL.",
        rich_help_panel=MEMORY,
    ),
]
Explore = Annotated[
    bool, typer.Option("--explore", help="Ask for exploration.", rich_help_panel=PROMPTS)
]
Bonus = Annotated[
    bool,
    typer.Option("--bonus", help="Promise a bonus for discoveries.", rich_help_panel=PROMPTS),
]
Laws = Annotated[
    bool, typer.Option("--laws", help="State the laws of every world.", rich_help_panel=PROMPTS)
]
Confidence = Annotated[
    bool,
    typer.Option(
        "--confidence", help="Ask for the probability of being right.", rich_help_panel=PROMPTS
    ),
]
Batch = Annotated[
    int, typer.Option(min=1, help="Number of questions asked at a time.", rich_help_panel=PROMPTS)
]
