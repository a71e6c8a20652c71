"""The options of commands that run a language model, and what they add up to."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from worldquiz.errors import KnobError
from worldquiz.t2q.llm.trial import DEFAULT_EMBEDDER, Subject
from worldquiz.t2q.memory.base import Granularity, Query, Wiring
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.store import MODEL

PANEL, MEMORY, PROMPTS = "Model", "Memory", "Prompts (departures from the paper's)"

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="A language model, as inspect_ai names it: openai/gpt-5.1, or a server's own name "
        "with --base-url.",
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
MemoryModel = Annotated[
    str | None,
    typer.Option(help="By which memories call; the same model if absent.", rich_help_panel=PANEL),
]
Generate = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A setting of generation, as inspect_ai names it, e.g. temperature=0, max_tokens=500, "
        "cache=true.",
        rich_help_panel=PANEL,
    ),
]
Price = Annotated[
    str | None,
    typer.Option(
        metavar="INPUT,CACHED,OUTPUT",
        help="US dollars a million tokens; what inspect_ai knows of the model if absent.",
        rich_help_panel=PANEL,
    ),
]
Connections = Annotated[
    int | None,
    typer.Option(min=1, help="Calls at once, as many as worlds if absent.", rich_help_panel=PANEL),
]
AtOnce = Annotated[int, typer.Option(min=1, help="Calls at once.", rich_help_panel=PANEL)]
Retries = Annotated[
    int,
    typer.Option(min=0, help="Of a failed call, before giving up.", rich_help_panel=PANEL),
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
