"""Questions of a page: an index of all of them, and the words of each, read when it is shown.

A page of a thousand worlds has tens of thousands of questions. So that filters answer at once, the
page's index holds a type for each question and one letter for each answer (`sign`). The words stand
in a block for each world, which is plain JSON in a script element that is never run; the browser
reads it when a question of that world is shown or searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_letters, digits
from typing import Any

from worldquiz.facts.row import AnswerStatus, Row

SIGNS = digits + ascii_letters
"""The letters of `sign`; a blank stands where a run was not asked."""
STATUSES = list(AnswerStatus)
Runs = Mapping[str, Sequence[Row]]
_GRADES = 4  # none, wrong, partly right, right


@dataclass(slots=True)
class AskedWorld:
    """The questions of one world, and each run's answers by the run's place."""

    key: str  # by which links name it
    name: str = ""  # as rows have it
    level: str = ""
    benchmark: str = ""  # empty where the page has one
    types: list[str] = field(default_factory=list)  # one a question
    signs: dict[int, str] = field(default_factory=dict)  # as long as `types`


def sign(score: float | None, status: AnswerStatus, *, answerable: bool) -> str:
    """Return one letter for an answer: its grade, whether it could be known, what became of it."""
    grade = 0 if score is None else 3 if score == 1 else 2 if score > 0 else 1
    return SIGNS[grade + _GRADES * (int(answerable) + 2 * STATUSES.index(status))]


def index(worlds: Sequence[AskedWorld], runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the page's script knows of runs and questions before it reads any.

    A run has ``tag``, ``name`` and ``colour``.
    """
    types = sorted({name for world in worlds for name in world.types})
    levels = list(dict.fromkeys(world.level for world in worlds if world.level))
    benchmarks = list(dict.fromkeys(world.benchmark for world in worlds if world.benchmark))
    number = {name: place for place, name in enumerate(types)}
    signs = {char for world in worlds for each in world.signs.values() for char in each} - {" "}
    used = sorted({SIGNS.index(char) // (2 * _GRADES) for char in signs})
    return {
        "benchmarks": benchmarks,
        "levels": levels,
        "runs": list(runs),
        "signs": SIGNS,
        "statuses": [str(status) for status in STATUSES],
        "types": types,
        "used": [str(STATUSES[place]) for place in used],
        "worlds": [
            {
                "key": world.key, "level": world.level, "benchmark": world.benchmark,
                "types": [number[name] for name in world.types],
                "signs": {str(run): signs for run, signs in world.signs.items()},
            }
            for world in worlds
        ],
    }  # fmt: skip


def of_rows(runs: Runs) -> tuple[list[AskedWorld], list[list[dict[str, Any]]]]:
    """Return the worlds of some runs' rows, and each one's block: questions with all answers."""
    found: dict[tuple[str, str], dict[tuple[str, ...], dict[str, Any]]] = {}
    levels: dict[tuple[str, str], set[str]] = {}
    for place, rows in enumerate(runs.values()):
        for row in rows:
            world = (row.benchmark, row.world)
            levels.setdefault(world, set()).add(row.level or "")
            asked = found.setdefault(world, {})
            shown = asked.setdefault((row.type, row.item), _shown(row))
            if shown["text"] != row.prompt and shown["gold"] != row.gold:  # of another world
                shown = asked.setdefault((row.type, row.item, row.prompt), _shown(row))
            shown["answers"].append(
                {"run": place, "reply": row.reply, "score": row.score,
                 "why": row.cause or row.unscored, "episode": row.episode or 0, "step": row.step,
                 "sign": sign(row.score, row.status, answerable=row.shown)}
            )  # fmt: skip
    several = len({benchmark for benchmark, _ in found}) > 1
    blocks = [list(asked.values()) for asked in found.values()]
    worlds = [
        AskedWorld(
            key=f"{benchmark}/{name}" if several else name,
            name=name,
            level=levels[benchmark, name].pop() if len(levels[benchmark, name]) == 1 else "",
            benchmark=benchmark if several else "",
            types=[each["type"] for each in block],
            signs=_signs(block, len(runs)),
        )
        for (benchmark, name), block in zip(found, blocks, strict=True)
    ]
    return worlds, blocks


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": row.item, "type": row.type, "text": row.prompt, "choices": list(row.choices),
        "gold": row.gold, "answers": [],
    }  # fmt: skip


def _signs(block: Iterable[Mapping[str, Any]], runs: int) -> dict[int, str]:
    """Take each run's letters out of a block, of runs that were asked anything."""
    told = [{each["run"]: each.pop("sign") for each in question["answers"]} for question in block]
    every = {run: "".join(each.get(run, " ") for each in told) for run in range(runs)}
    return {run: letters for run, letters in every.items() if letters.strip()}
