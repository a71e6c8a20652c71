"""A page about some runs: finding, plot, table, questions, and worlds as drawn.

It is made of rows. Runs of one kind about the same data stand in one table; others are kept apart,
and never compared. The first score of a table is knowledge (`facts.knowledge`); where no guess is
known, the mean grade. Beside it stand false answers and the paper's own scores, which the caller
gives.

A page of a thousand worlds has tens of thousands of questions. So that filters answer at once, the
page's index holds a type for each question and one letter for each answer (`sign`). The words stand
in a block for each world, which is plain JSON in a script element that is never run; the browser
reads it when a question of that world is shown or searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

from worldquiz.facts.knowledge import lost_points
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.page.findings import TERMS, PageRun, findings, plot
from worldquiz.page.html import Drawing, DrawnPicture, Texts, parts, safe
from worldquiz.page.terminal import LOST, LOST_EXPLAINED, OTHER_DATA, comparable, lost_cells
from worldquiz.records import whole_file
from worldquiz.stats.row_scores import scores, shares_data

MOST_LETTERS = 60_000_000
"""Of the drawings on a page; worlds beyond have none."""
_FULL = "the page is full: write one about fewer worlds"
EXPLAINED = {
    "knowledge": "Knowledge: points of what could be had, corrected for guessing. Who only guesses "
    "has 0, all shown and all right is 1.",
    "grade": "Mean grade: the mean over graded questions, 0 to 1.",
}
SIGNS = digits + ascii_letters
"""The letters of `sign`; a blank stands where a run was not asked."""
STATUSES = list(AnswerStatus)
_GRADES = 4  # none, wrong, partly right, right


def build(runs: Sequence[PageRun], out: Path, *, losses: Iterable[str] = ()) -> Path:
    """Write the page about some runs and return its path; worlds are drawn as they are written.

    `losses` are sentences about questions that failed or are unfinished. Raises `ValueError`
    without runs, `MissingExtra` without jinja2 or numpy, `RecordError` where the file cannot be
    written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    scored = [replace(run, place=n, scores=scores(run.rows)) for n, run in enumerate(runs)]
    tables = comparable(scored, lambda run: (run.kind, run.data))
    groups = [_group(some, [x for x in scored if x.kind == some[0].kind]) for some in tables]
    entries = sorted((each for some in groups for each in some["entries"]), key=lambda x: x.place)
    worlds, blocks = asked_of([run.rows for run in runs])
    names = [run.name for run in runs]
    few = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    shown = [{"tag": each.tag, "name": each.name, "colour": each.colour} for each in entries]
    values = {
        "title": ", ".join(few),
        "groups": groups,
        "entries": entries,
        "losses": tuple(losses),
        "lost_headings": ("knowledge", *LOST.values()),
        "lost_explained": LOST_EXPLAINED,
        "drawn": any(run.drawing for run in runs),
        "index": safe(index(worlds, shown)),
        "blocks": _blocks(worlds, blocks, runs),
    }
    with whole_file(out) as stream:
        for piece in parts("page.html.j2", values, scripts=("page.js",)):
            stream.write(piece.encode())
    return out


def _group(mine: Sequence[PageRun], every: Sequence[PageRun]) -> dict[str, Any]:
    """Return the runs of one table, of `every` run of their kind, and what comes out of them."""
    kind, beside = (
        mine[0].kind,
        [run.name for run in every if not shares_data(run.data, mine[0].data)],
    )
    hidden = any(run.scores["false_answers"] is not None for run in mine)
    key = "knowledge" if any(run.scores["knowledge"] is not None for run in mine) else "grade"
    entries = sorted((replace(run, key=key) for run in mine), key=lambda run: -run.value)
    measured = [run for run in entries if not run.bound] or entries
    types = sorted({name for each in entries for name in each.scores["by_type"]})
    paper = list(dict.fromkeys(name for each in entries for name in each.paper))
    return {
        "kind": f"{kind} on the data of {mine[0].name}" if beside else kind,
        "apart": OTHER_DATA.format(", ".join(beside), mine[0].world) if beside else "",
        "term": TERMS[key],
        "explained": EXPLAINED[key],
        "entries": entries,
        "measured": measured,
        "bounds": [each for each in entries if each not in measured],
        "findings": findings(entries),
        "types": types,
        "plot": plot(
            measured, ("all", *types) if len(types) > 1 else ("all",)
        ),
        "lost": [(e, told) for e in entries if (told := lost_cells(lost_points(e.rows)))],
        "paper": paper,
        "hidden": hidden,
        "uncounted": max(each.uncounted for each in entries) if key == "knowledge" else 0,
        "columns": ["run", TERMS[key], *["false answers"] * hidden, *paper, "questions"],
    }  # fmt: skip


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


def asked_of(
    runs: Sequence[Sequence[Row]],
) -> tuple[list[AskedWorld], list[list[dict[str, Any]]]]:
    """Return the worlds of some runs' rows, and each one's block: questions with all answers."""
    found: dict[tuple[str, str], dict[tuple[str, ...], dict[str, Any]]] = {}
    levels: dict[tuple[str, str], set[str]] = {}
    for place, rows in enumerate(runs):
        for row in rows:
            world = (row.benchmark, row.world)
            levels.setdefault(world, set()).add(row.level or "")
            asked = found.setdefault(world, {})
            shown = asked.setdefault((row.type, row.item), _shown(row))
            if shown["text"] != row.prompt and shown["gold"] != row.gold:  # of another world
                shown = asked.setdefault((row.type, row.item, row.prompt), _shown(row))
            shown["answers"].append(
                {"run": place, "reply": row.reply, "score": row.grade,
                 "why": row.cause or row.unscored, "episode": row.episode or 0, "step": row.step,
                 "sign": sign(row.grade, row.status, answerable=row.shown)}
            )  # fmt: skip
    several = len({benchmark for benchmark, _ in found}) > 1
    blocks = [list(asked.values()) for asked in found.values()]
    worlds = []
    for (benchmark, name), block in zip(found, blocks, strict=True):
        told = [{each["run"]: each.pop("sign") for each in one["answers"]} for one in block]
        signs = {run: "".join(each.get(run, " ") for each in told) for run in range(len(runs))}
        worlds.append(
            AskedWorld(
                key=f"{benchmark}/{name}" if several else name,
                name=name,
                level=levels[benchmark, name].pop() if len(levels[benchmark, name]) == 1 else "",
                benchmark=benchmark if several else "",
                types=[each["type"] for each in block],
                signs={run: letters for run, letters in signs.items() if letters.strip()},
            )
        )
    return worlds, blocks


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": row.item, "type": row.type, "text": row.prompt, "choices": list(row.choices),
        "gold": row.gold, "answers": [],
    }  # fmt: skip


def _blocks(
    worlds: Sequence[AskedWorld],
    blocks: Sequence[Sequence[Mapping[str, Any]]],
    runs: Sequence[PageRun],
) -> Iterator[Any]:
    """Yield all that the page shows of each world: its questions, and how each run knew it."""
    left = MOST_LETTERS
    for world, questions in zip(worlds, blocks, strict=True):
        texts, drawn = Texts(), {}
        for place in world.signs if left > 0 else ():
            draw = runs[place].drawing
            if draw and (found := draw(world.name)):
                drawn[str(place)] = _drawn(found, texts)
        why = "its data were not found: give their folder with --data" if left > 0 else _FULL
        left -= sum(map(len, texts.table))
        yield safe({"questions": questions, "drawn": drawn, "texts": texts.table, "why": why})


def _drawn(found: Drawing, texts: Texts) -> dict[str, Any]:
    def picture(each: DrawnPicture | None) -> list[Any] | None:
        return [texts(each.uri), each.width, each.height, each.lines] if each else None

    return {
        "svg": texts(found.svg),
        "steps": [
            [each.episode, each.step, texts(each.text), each.shows, each.at, picture(each.picture)]
            for each in found.steps
        ],
        "about": found.about,
        "pictures": {id: list(map(picture, some)) for id, some in found.pictures.items()},
        "legend": found.legend,
    }
