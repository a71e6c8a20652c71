"""A world with its tasks and questions, as a suite holds it, and as it was played.

    SUITE/plan.json                 written first: preset, seed, parameters; a build resumes by it
    SUITE/worlds/easy-00/spec.jsonl tasks.jsonl quiz.jsonl
                         games/                    with --per-task-games, for TextWorld
    SUITE/manifest.json             written last: versions, the digest, and each world's hashes

A world's folder appears whole or not at all (`write_folder`). One process at a time writes into a
suite (`claimed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from worldquiz.errors import RecordError
from worldquiz.facts.episode import Episode
from worldquiz.llm.model import CommandReply, Usage
from worldquiz.records import read_records, write_records
from worldquiz.t2q.question import Answer, Question
from worldquiz.t2q.world.spec import Task, WorldSpec


@dataclass(frozen=True, slots=True)
class Bundle:
    """A world with its tasks and questions."""

    spec: WorldSpec
    tasks: tuple[Task, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A bundle, one agent's episodes in it (in task order), and its answers (in quiz order)."""

    bundle: Bundle
    episodes: tuple[Episode, ...]
    answers: tuple[Answer, ...]
    moves: tuple[CommandReply, ...] = ()  # of a model that played
    usage: tuple[Usage, ...] = ()  # of a model
    lost: str | None = None  # why the world failed: nothing was played, nothing was asked


def write_bundle(folder: Path, bundle: Bundle) -> None:
    """Write a world's spec, tasks and questions into its folder."""
    write_records(folder / "spec.jsonl", "world", WorldSpec, [bundle.spec])
    write_records(folder / "tasks.jsonl", "task", Task, bundle.tasks)
    write_records(folder / "quiz.jsonl", "question", Question, bundle.questions)


def read_bundle(folder: Path) -> Bundle:
    """Read what `write_bundle` wrote."""
    specs = read_records(folder / "spec.jsonl", "world", WorldSpec)
    if len(specs) != 1:
        raise RecordError(f"{folder / 'spec.jsonl'}: {len(specs)} worlds, wanted one")
    tasks = read_records(folder / "tasks.jsonl", "task", Task)
    questions = read_records(folder / "quiz.jsonl", "question", Question)
    return Bundle(specs[0], tuple(tasks), tuple(questions))
