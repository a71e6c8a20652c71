"""A page about some runs: finding, plot, table, questions, and worlds as drawn.

It is made of rows, by the tables of `page.tables`.

A page of a thousand worlds has tens of thousands of questions. So that filters answer at once, the
page's index holds a type for each question and one letter for each answer (`sign`). The words stand
in a block for each world, which is plain JSON in a script element that is never run; the browser
reads it when a question of that world is shown or searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.page.findings import PageRun, minus
from worldquiz.page.html import Drawing, DrawnPicture, markup, parts, safe
from worldquiz.page.tables import LOST, LOST_EXPLAINED, tables_of
from worldquiz.records import whole_file

MOST_LETTERS = 60_000_000
"""Of the drawings on a page; worlds beyond have none."""
_FULL = "the page is full: write one about fewer worlds"
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
    groups = tables_of(runs)
    scored = [replace(run, place=place) for place, run in enumerate(runs)]
    worlds = asked_of(scored)
    names = [run.name for run in runs]
    few = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    values = {
        "title": ", ".join(few),
        "groups": groups,
        "plot": plot,
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
             "why": LOST.get(row.cause, row.cause) if row.cause and row.shown else row.unscored,
             "episode": row.episode or 0, "step": row.step}
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


DRAWN = 8
"""Runs that a plot has: there are as many colours."""
WIDTH = 420
"""Of a plot, in units of its SVG: so narrow that its letters can be read on a phone."""


def plot(runs: Sequence[PageRun], types: Sequence[str]) -> Any:
    """Draw a dot with its interval for each run and type; "" without any.

    The axis ends at -1, however low an interval reaches.
    """
    drawn = [(run, run.by_type()) for run in runs[:DRAWN]]
    every = ("all", *types) if len(types) > 1 else ("all",)
    types = [name for name in every if any(name in found for _, found in drawn)]
    shares = [share for _, found in drawn for share in found.values()]
    if not shares:
        return ""
    ends = [end for each in shares for end in (each.value, *(each.interval or ()))]
    low: float = max(-1.0, min(0.0, *ends))
    high = 16 + 13 * len(drawn)
    left, bottom = 12 + 6 * max(map(len, types)), 6 + high * len(types)

    def at(value: float) -> float:
        return round(left + (WIDTH - left - 14) * (max(low, value) - low) / (1 - low), 1)

    def text(x: float, y: float, words: str, anchor: str = "middle", size: int = 11) -> str:
        return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}">'
                f"{escape(words)}</text>")  # fmt: skip

    term = runs[0].term
    marks = [text((left + WIDTH) / 2, bottom + 28, term)]
    for tick in (each / 4 for each in range(-4, 5) if each / 4 >= low):
        line = "--soft" if tick == 0 else "--line"
        marks.append(f'<path d="M{at(tick)} 0V{bottom}" stroke="var({line})"/>')
        marks.append(text(at(tick), bottom + 13, minus(tick)))
    for row, name in enumerate(types):
        marks.append(text(left - 8, 10 + high * (row + 0.5), name, "end"))
        for number, (run, found) in enumerate(drawn):
            if (share := found.get(name)) is None:
                continue
            x, y, ink = at(share.value), high * row + 21 + 13 * number, f"var({run.colour})"
            if share.interval:
                begin, end = map(at, share.interval)
                marks.append(f'<path d="M{begin} {y}H{end}" stroke="{ink}" stroke-width="1.5"/>')
            marks.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{ink}"/>')
            if len(drawn) > 1:
                marks.append(text(x, y - 4, run.tag, size=8))
    label = f"{term} by type of question with 95 % intervals; the numbers stand below"
    return markup(
        f'<svg viewBox="0 0 {WIDTH} {bottom + 32}" role="img" aria-label="{label}" '
        f'fill="var(--ink)">{"".join(marks)}</svg>'
    )
