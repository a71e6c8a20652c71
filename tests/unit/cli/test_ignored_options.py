"""An option that a command would ignore is an error that says what the option needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Cli

T2Q = ("t2q", "run", "suite", "--out", "run")
SCRIPTED = (*T2Q, "--agent", "idle", "--answerer", "constant")
MANGO = ("mango", "run", "mazes", "--out", "run", "--answerer", "mapper")
MINIGAMES = ("mango", "minigames", "mazes", "--out", "run", "--answerer", "m:x")
TEA = ("tea", "run", "tasks", "--out", "run", "--answerer", "random")
RECALL = ("tea", "recall", "tasks", "--out", "run", "--answerer", "blind")
OF_MODELS = [
    ("--base-url", "http://localhost:1/v1"), ("--generate", "temperature=0"),
    ("--connections", "3"), ("--retries", "1"),
]  # fmt: skip
LIMITS = [("--timeout", "9"), ("--max-tokens", "9"), ("--max-cost", "1")]
OF_T2Q = [
    ("--memory", "in-context"), ("--memory-model", "m"), ("--price", "1,1,1"), ("--k", "3"),
    ("--granularity", "task"), ("--query", "full"), ("--recent", "2"), ("--embedder", "minilm"),
    ("--explore",), ("--bonus",), ("--laws",), ("--batch", "2"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "option"),
    [(SCRIPTED, option) for option in (*OF_MODELS, *OF_T2Q, *LIMITS)]
    + [(MANGO, option) for option in LIMITS]
    + [(command, option) for command in (TEA, RECALL) for option in LIMITS[:-1]]
    + [
        (command, option)
        for command in (MANGO, MINIGAMES, ("mango", "map", *MINIGAMES[2:]))
        for option in (*OF_MODELS, ("--price", "1,1,1"))
    ]
    + [
        (command, option)
        for command in (TEA, RECALL, ("tea", "write", "tasks", "--out", "w", "--templates"))
        for option in OF_MODELS
    ],
)
def test_a_models_option_needs_a_model(
    cli: Cli, command: tuple[str, ...], option: tuple[str, ...], tmp_path: Path
) -> None:
    said = cli(*command, *option)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"worldquiz {' '.join(command[:2])}: {option[0]} needs --model\n"


@pytest.mark.parametrize(
    ("command", "option", "needed"),
    [
        (MANGO, ("--reserve", "9"), "--window"),
        (MANGO, ("--tokenizer", "chars/4"), "--tokens or --window"),
        (MINIGAMES, ("--tokenizer", "chars/4"), "--tokens"),
    ],
)  # fmt: skip
def test_options_that_go_together(
    cli: Cli, command: tuple[str, ...], option: tuple[str, ...], needed: str
) -> None:
    said = cli(*command, *option)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"worldquiz {' '.join(command[:2])}: {option[0]} needs {needed}\n"


def test_options_that_do_something_are_taken(cli: Cli) -> None:
    for command in (SCRIPTED, (*MANGO, "--tokens", 9, "--tokenizer", "chars/4"), TEA, RECALL):
        assert "needs" not in cli(*command).err
