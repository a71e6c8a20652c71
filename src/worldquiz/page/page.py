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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

from worldquiz.facts.knowledge import lost_points
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.page.findings import TERMS, PageRun, findings, plot
from worldquiz.page.html import Drawing, DrawnPicture, parts, safe
from worldquiz.page.terminal import LOST, LOST_EXPLAINED, comparable, lost_cells, other_data
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
    worlds = asked_of(scored)
    names = [run.name for run in runs]
    few = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    values = {
        "title": ", ".join(few),
        "groups": groups,
        "entries": scored,
        "losses": tuple(losses),
        "lost_headings": ("knowledge", *LOST.values()),
        "lost_explained": LOST_EXPLAINED,
        "drawn": any(run.drawing for run in runs),
        "index": safe(index(worlds, scored)),
        "blocks": _blocks(worlds, scored),
    }
    with whole_file(out) as stream:
        for piece in parts("page.html.j2", values, scripts=("page.js",)):
            stream.write(piece.encode())
    return out


def _group(mine: Sequence[PageRun], every: Sequence[PageRun]) -> dict[str, Any]:
    """Return the runs of one table, of `every` run of their kind, and what comes out of them."""
    kind, data = mine[0].kind, mine[0].data
    beside = [run.name for run in every if not shares_data(run.data, data)]
    hidden = any(run.scores["false_answers"] is not None for run in mine)
    key = "knowledge" if any(run.scores["knowledge"] is not None for run in mine) else "grade"
    entries = sorted((replace(run, key=key) for run in mine), key=lambda run: -run.value)
    measured = [run for run in entries if not run.bound] or entries
    types = sorted({name for each in entries for name in each.scores["by_type"]})
    paper = list(dict.fromkeys(n for each in entries for n, at in each.paper.items() if at))
    return {
        "kind": f"{kind} on the data of {mine[0].name}" if beside else kind,
        "apart": other_data((run.name for run in mine), beside, mine[0].world) if beside else "",
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


@dataclass(frozen=True, slots=True)
class AskedWorld:
    """The questions of one world, with each run's answers by the run's place."""

    benchmark: str
    name: str
    levels: set[str] = field(default_factory=set)
    questions: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    signs: dict[int, dict[tuple[str, ...], str]] = field(default_factory=dict)

    def add(self, place: int, row: Row) -> None:
        """Take in the answer of the run at a place."""
        key: tuple[str, ...] = (row.type, row.item)
        shown = self.questions.setdefault(key, _shown(row))
        if shown["text"] != row.prompt and shown["gold"] != row.gold:  # of another world
            key = (*key, row.prompt)
            shown = self.questions.setdefault(key, _shown(row))
        shown["answers"].append(
            {"run": place, "reply": row.reply, "score": row.grade,
             "why": row.cause or row.unscored, "episode": row.episode or 0, "step": row.step}
        )  # fmt: skip
        self.levels.add(row.level or "")
        self.signs.setdefault(place, {})[key] = sign(row.grade, row.status, answerable=row.shown)

    @property
    def level(self) -> str:
        """The one level of its questions, if they have one."""
        return next(iter(self.levels)) if len(self.levels) == 1 else ""


def asked_of(runs: Iterable[PageRun]) -> list[AskedWorld]:
    """Return the worlds that some runs were asked about."""
    found: dict[tuple[str, str], AskedWorld] = {}
    for place, run in enumerate(runs):
        for row in run.rows:
            world = (row.benchmark, row.world)
            found.setdefault(world, AskedWorld(*world)).add(place, row)
    return list(found.values())


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": row.item, "type": row.type, "text": row.prompt, "choices": list(row.choices),
        "gold": row.gold, "answers": [],
    }  # fmt: skip


def sign(score: float | None, status: AnswerStatus, *, answerable: bool) -> str:
    """Return one letter for an answer: its grade, whether it could be known, what became of it."""
    grade = 0 if score is None else 3 if score == 1 else 2 if score > 0 else 1
    return SIGNS[grade + _GRADES * (int(answerable) + 2 * STATUSES.index(status))]


def index(worlds: Sequence[AskedWorld], runs: Sequence[PageRun]) -> dict[str, Any]:
    """Return what the page's script knows of runs and questions before it reads any."""
    types = sorted({key[0] for world in worlds for key in world.questions})
    benchmarks = list(dict.fromkeys(world.benchmark for world in worlds))
    several = len(benchmarks) > 1
    letters = {letter for world in worlds for each in world.signs.values()
               for letter in each.values()}  # fmt: skip
    used = sorted({SIGNS.index(letter) // (2 * _GRADES) for letter in letters})
    return {
        "benchmarks": benchmarks if several else [],
        "levels": list(dict.fromkeys(world.level for world in worlds if world.level)),
        "runs": [{"tag": run.tag, "name": run.name, "colour": run.colour} for run in runs],
        "signs": SIGNS,
        "statuses": [str(status) for status in STATUSES],
        "types": types,
        "used": [str(STATUSES[place]) for place in used],
        "worlds": [
            {
                "key": f"{world.benchmark}/{world.name}" if several else world.name,
                "level": world.level, "benchmark": world.benchmark if several else "",
                "types": [types.index(key[0]) for key in world.questions],
                "signs": {str(run): "".join(each.get(key, " ") for key in world.questions)
                          for run, each in world.signs.items()},
            }
            for world in worlds
        ],
    }  # fmt: skip


def _blocks(worlds: Iterable[AskedWorld], runs: Sequence[PageRun]) -> Iterator[Any]:
    """Yield all that the page shows of each world: its questions, and how each run knew it.

    Each text stands once in a block, and is called by its number.
    """
    left = MOST_LETTERS
    for world in worlds:
        texts: dict[str, int] = {}
        drawn = {}
        for place in world.signs if left > 0 else ():
            draw = runs[place].drawing
            if draw and (found := draw(world.name)):
                drawn[str(place)] = _drawn(found, texts)
        why = "its data were not found: give their folder with --data" if left > 0 else _FULL
        left -= sum(map(len, texts))
        questions = list(world.questions.values())
        yield safe({"questions": questions, "drawn": drawn, "texts": list(texts), "why": why})


def _drawn(found: Drawing, texts: dict[str, int]) -> dict[str, Any]:
    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    def picture(each: DrawnPicture | None) -> list[Any] | None:
        return [number(each.uri), each.width, each.height, each.lines] if each else None

    return {
        "svg": number(found.svg),
        "steps": [
            [each.episode, each.step, number(each.text), each.shows, each.at, picture(each.picture)]
            for each in found.steps
        ],
        "about": found.about,
        "pictures": {id: list(map(picture, some)) for id, some in found.pictures.items()},
        "legend": found.legend,
    }
