"""A page about some runs: findings, plot, table, questions, and drawings of worlds.

Findings and tables (`page.tables`) cover all worlds. Questions and drawings cover at most
`MOST_WORLDS`, first the worlds in which a question failed or the runs disagree; if some are left
out, a Parquet file beside the page holds all questions. The drawings of a world are one block of
plain JSON in a script element that is never run; the browser reads it when the world is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any

from worldquiz.export.rows import write
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.page.findings import PageRun, minus
from worldquiz.page.html import Drawing, DrawnPicture, markup, parts, safe
from worldquiz.page.tables import LOST, LOST_EXPLAINED, tables_of
from worldquiz.records import whole_file

MOST_WORLDS = 200
"""Most worlds whose questions a page holds."""
MOST_LETTERS = 60_000_000
"""Most characters of drawings on a page; further worlds are not drawn."""
_FULL = "the page is full; write a report on fewer worlds"


def build(runs: Sequence[PageRun], out: Path, *, losses: Iterable[str] = ()) -> Path:
    """Write the page about some runs and return its path; worlds are drawn one after another.

    `losses` are sentences about failed or unfinished questions. Raises `ValueError` without runs,
    `MissingExtra` without jinja2 or numpy, `RecordError` if the file cannot be written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    groups = tables_of(runs)
    scored = [replace(run, place=place) for place, run in enumerate(runs)]
    told, names = list(losses), [run.name for run in runs]
    worlds, left = asked_of(scored)
    if left:
        rest = out.with_suffix(".parquet")
        write((row for run in runs for row in run.rows), rest)
        told.append(
            f"Scores cover all {runs[0].world}s; this page lists the questions of {len(worlds)}, "
            f"failures and disagreements first. {rest.name} beside it has those of {left:,} more."
        )
    few = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    values = {
        "title": ", ".join(few),
        "groups": groups,
        "plot": plot,
        "entries": scored,
        "losses": told,
        "lost_headings": ("knowledge", *LOST.values()),
        "lost_explained": LOST_EXPLAINED,
        "drawn": any(run.drawing for run in runs),
        "asked": safe(document(worlds, scored)),
        "blocks": _blocks(worlds, scored),
    }
    with whole_file(out) as stream:
        for piece in parts("page.html.j2", values, scripts=("page.js",)):
            stream.write(piece.encode())
    return out


@dataclass(frozen=True, slots=True)
class AskedWorld:
    """The questions of one world, with each run's answers."""

    benchmark: str
    name: str
    levels: set[str] = field(default_factory=set)
    questions: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)

    def add(self, place: int, row: Row) -> None:
        """Add an answer, given by the run at position `place`."""
        key: tuple[str, ...] = (row.type, row.item)
        shown = self.questions.setdefault(key, _shown(row))
        if shown["text"] != row.prompt and shown["gold"] != row.gold:  # same id, another world
            shown = self.questions.setdefault((*key, row.prompt), _shown(row))
        shown["answers"].append({
            "run": place, "reply": row.reply, "score": row.grade, "status": str(row.status),
            "shown": row.shown, "episode": row.episode or 0, "step": row.step,
            "why": LOST.get(row.cause, row.cause) if row.cause and row.shown else row.unscored,
        })  # fmt: skip
        self.levels.add(row.level or "")

    @property
    def level(self) -> str:
        """The level of the world's questions, if they all have the same."""
        return next(iter(self.levels)) if len(self.levels) == 1 else ""

    @property
    def runs(self) -> set[int]:
        """Positions of the runs that were asked."""
        return {each["run"] for some in self.questions.values() for each in some["answers"]}


def asked_of(runs: Sequence[PageRun]) -> tuple[list[AskedWorld], int]:
    """Return the worlds whose questions a page shows, and how many others there are."""
    troubles, known = Counter[tuple[str, str]](), dict[tuple[str, ...], float | None]()
    for row in (row for run in runs for row in run.rows):
        grade = known.setdefault((row.benchmark, row.world, row.type, row.item), row.grade)
        failed = row.status is AnswerStatus.FAILED
        troubles[row.benchmark, row.world] += failed or grade != row.grade
    chosen = {world for world, _ in troubles.most_common(MOST_WORLDS)}  # ties keep their order
    found = {world: AskedWorld(*world) for world in troubles if world in chosen}
    for place, run in enumerate(runs):
        for row in run.rows:
            if (world := (row.benchmark, row.world)) in found:
                found[world].add(place, row)
    return list(found.values()), len(troubles) - len(found)


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": row.item, "type": row.type, "text": row.prompt, "choices": list(row.choices),
        "gold": row.gold, "answers": [],
    }  # fmt: skip


def document(worlds: Sequence[AskedWorld], runs: Sequence[PageRun]) -> dict[str, Any]:
    """Return the runs and questions as data for the page's script."""
    questions = [each for world in worlds for each in world.questions.values()]
    used = {answer["status"] for each in questions for answer in each["answers"]}
    benchmarks = list(dict.fromkeys(world.benchmark for world in worlds))
    several = len(benchmarks) > 1
    return {
        "benchmarks": benchmarks if several else [],
        "levels": list(dict.fromkeys(world.level for world in worlds if world.level)),
        "runs": [{"tag": run.tag, "name": run.name, "colour": run.colour} for run in runs],
        "statuses": [status for status in map(str, AnswerStatus) if status in used],
        "types": sorted({each["type"] for each in questions}),
        "worlds": [
            {
                "key": f"{world.benchmark}/{world.name}" if several else world.name,
                "level": world.level, "benchmark": world.benchmark,
                "questions": list(world.questions.values()),
            }
            for world in worlds
        ],
    }  # fmt: skip


def _blocks(worlds: Iterable[AskedWorld], runs: Sequence[PageRun]) -> Iterator[Any]:
    """Yield the drawings of each world, one for each run that played it.

    A block contains each text once, and refers to it by number.
    """
    left = MOST_LETTERS
    for world in worlds:
        texts: dict[str, int] = {}
        drawn = {}
        for place in sorted(world.runs) if left > 0 else ():
            draw = runs[place].drawing
            if draw and (found := draw(world.name)):
                drawn[str(place)] = _drawn(found, texts)
        why = "the run's data were moved: pass their folder with --data" if left > 0 else _FULL
        left -= sum(map(len, texts))
        yield safe({"drawn": drawn, "texts": list(texts), "why": why})


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
"""Most runs in a plot: one for each colour."""
WIDTH = 420
"""Width of a plot in units of its SVG: narrow enough to be readable on a phone."""


def plot(runs: Sequence[PageRun], types: Sequence[str]) -> Any:
    """Draw the score and interval of each run for each type of question; return "" without scores.

    The axis goes down to -1 at most, where lower intervals are cut off.
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
    label = f"{term} by type of question with 95 % intervals; the numbers are below"
    return markup(
        f'<svg viewBox="0 0 {WIDTH} {bottom + 32}" role="img" aria-label="{label}" '
        f'fill="var(--ink)">{"".join(marks)}</svg>'
    )
