"""Settings of a Task2Quiz run: what an agent may do, its memory, its prompts."""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz.runs.settings import MEMORY, PROMPTS, RunSettings, setting


@dataclass(frozen=True, kw_only=True)
class T2QSettings(RunSettings):
    """Settings of `T2QSuite.run` and ``worldquiz t2q run``."""

    max_steps: int | None = setting(
        None, "Most commands in each task; 50 for suites of preset paper.", least=0
    )
    budget: float | None = setting(
        None,
        "Most commands, as a multiple of the walkthroughs'; unused ones go to the next task. "
        "By default the preset's: 1.5, or 3 for explore, infer and change.",
    )
    own_play: int | None = setting(
        None,
        "Most extra questions in each world about the agent's own play, made in twos and fours; a "
        "short play gives none.",
        least=2,
    )
    horizon: int | None = setting(
        None, "Number of first commands in each world that these questions cover.", least=1,
        needs="own_play",
    )  # fmt: skip
    wording: int = setting(
        0, "Alternative wording; 4 and 5 are for testing, not for tuning.", least=0, most=5
    )
    distractors: int = setting(
        0, "Number of sentences in each room's text that say nothing about it.", least=0, most=14
    )
    memory: object = setting(
        "in-context", "Memory of the model; `worldquiz t2q memories` lists them.", panel=MEMORY
    )
    memory_model: str | None = setting(
        None, "Model that memories call; by default, the same model.", panel=MEMORY
    )
    granularity: str = setting(
        "step", "Unit that is added to memory at a time.", panel=MEMORY, choices=("step", "task")
    )
    k: int = setting(10, "Largest number of pieces that memory recalls.", panel=MEMORY, least=1)
    recent: int = setting(
        4,
        "Number of last turns of the task that the prompt shows beside what memory recalls.",
        panel=MEMORY, least=0,
    )  # fmt: skip
    embedder: str = setting(
        "minilm",
        "Embedder of the memory: minilm, a sentence-transformers name or path, or "
        "openai:MODEL@BASE_URL.",
        panel=MEMORY,
    )
    explore: bool = setting(False, "Ask the model to explore.", panel=PROMPTS)
    bonus: bool = setting(False, "Promise a bonus for discoveries.", panel=PROMPTS)
    laws: bool = setting(False, "State the laws of every world.", panel=PROMPTS)
    reason_first: bool = setting(
        False, "Ask for the reason of an answer before the answer.", panel=PROMPTS
    )
