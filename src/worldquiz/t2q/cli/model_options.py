"""The options of Task2Quiz's commands that run a language model, and what they add up to."""

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
from worldquiz.t2q.llm.trial import DEFAULT_EMBEDDER, Subject
from worldquiz.t2q.memory.base import Granularity, Query, Wiring
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.store import MODEL

MEMORY, PROMPTS = "Memory", "Prompts (departures from the paper's)"

MemoryModel = Annotated[
    str | None,
    typer.Option(help="By which memories call; the same model if absent.", rich_help_panel=PANEL),
]
Memory = Annotated[
    str,
    typer.Option(help="What it remembers by; see `worldquiz memories`.", rich_help_panel=MEMORY),
]
GranularityOption = Annotated[
    Granularity,
    typer.Option("--granularity", help="What memory is given at a time.", rich_help_panel=MEMORY),
]
K = Annotated[
    int, typer.Option("--k", min=1, help="Pieces recalled at most.", rich_help_panel=MEMORY)
]
QueryOption = Annotated[
    Query,
    typer.Option(
        "--query",
        help="What memory is asked with: the observation or question alone, or with objective, "
        "inventory and choices.",
        rich_help_panel=MEMORY,
    ),
]
Recent = Annotated[
    int,
    typer.Option(
        min=0,
        help="Last turns of the task shown as they are, beside what memory recalls.",
        rich_help_panel=MEMORY,
    ),
]
EmbedderOption = Annotated[
    str,
    typer.Option(
        "--embedder",
        help="minilm, a sentence-transformers name or path, or openai:MODEL@BASE_URL.",
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
    int, typer.Option(min=1, help="Questions asked at a time.", rich_help_panel=PROMPTS)
]


def subject(
    *,
    memory: str = "in-context",
    granularity: Granularity = Granularity.STEP,
    k: int = 10,
    query: Query = Query.SHORT,
    recent: int = 4,
    embedder: str = DEFAULT_EMBEDDER,
    explore: bool = False,
    bonus: bool = False,
    laws: bool = False,
    confidence: bool = False,
    batch: int = 1,
    agent: str | None = None,
    quiz: str | None = None,
    seed: int = 0,
    max_steps: int,
) -> Subject:
    """Return what the options say is measured; who is not named is the model."""
    return Subject(
        memory,
        Wiring(granularity, k, query, recent),
        Options(explore, bonus, laws, confidence, batch),
        embedder,
        agent or MODEL,
        quiz or MODEL,
        seed,
        max_steps,
    )
