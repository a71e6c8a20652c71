"""The report: one self-contained HTML page, made from runs alone: the same runs, the same bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.facts.question import Type
from worldquiz.llm.records import Purpose, Status
from worldquiz.records import whole_file
from worldquiz.report import asked, people
from worldquiz.report.asked import AskedWorld
from worldquiz.report.html import embed, many, markup, parts, safe
from worldquiz.runs.executor import in_order
from worldquiz.stats.intervals import EXACT_WORLDS, RESAMPLES
from worldquiz.t2q.floors import floor_sittings, scored
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.report import commands, plots
from worldquiz.t2q.report.entries import PAIR_KEYS, Entry, SeenWorld, entries, pairs
from worldquiz.t2q.report.first import first, success_against_eus
from worldquiz.t2q.report.payload import Shown, world_block
from worldquiz.t2q.report.tables import (
    DOING,
    FLOOR_KEYS,
    HEADINGS,
    REASONS,
    bases,
    blocks,
    cell,
    percents,
    podium,
    span,
)
from worldquiz.t2q.scoring import COUNTED, KEYS
from worldquiz.t2q.store import Played, RunRecord
from worldquiz.t2q.trace import Cause

ABBREVIATIONS = {
    Type.LOCATION: "Loc.",
    Type.CONNECTIVITY: "Conn.",
    Type.DIRECTION: "Dir.",
    Type.MATCH: "Match",
    Type.PROPERTY: "Prop.",
}
"""What the paper's Table 2 calls the types."""
BESIDE = ("knowledge", "known", "coverage", "overclaim")
"""Our shares beside Table 2's."""
TYPE_KEYS = (
    "knowledge", "knowledge_ceiling", "eus", "known", "coverage", "accuracy_answerable",
    "overclaim",
)  # fmt: skip
LEVEL_KEYS = (*TYPE_KEYS[:2], "tsr", *TYPE_KEYS[2:])
CONTENTS = (
    ("commands", "Commands"), ("scores", "Scores"), ("reading", "How to read them"),
    ("floors", "Lower bounds"), ("types", "Types"), ("levels", "Levels"),
    ("sources", "Sources of correctness"), ("paper", "As the paper shows it"),
    ("causes", "Causes"), ("calls", "Calls and replies"), ("confidence", "Confidence"),
    ("plots", "Plots"), ("questions", "Questions"), ("worlds", "Worlds, maps and transcripts"),
)  # fmt: skip
"""The sections of the page, by their names there."""
_OF_MODELS = {"paper": "paper", "causes": "reasons", "calls": "calls", "confidence": "sure"}
"""Those that only runs with language models have, and what `sections` calls them."""
LARGE = 300
"""Worlds of all runs together from which processes share a page: fewer are read before these are
ready."""
SIGHTS = {
    "rooms": "rooms entered",
    "exits": "exits noticed",
    "passages": "passages walked",
    "things": "things seen where they were",
    "locks": "doors and containers known to have been locked or not",
    "matches": "keys turned",
}


@dataclass(slots=True)
class World:
    """One world on the page, and where each run's part of it is: it is read when it is drawn."""

    key: str  # its id, with a number behind it where two suites use the same
    level: str
    rooms: int
    tasks: int
    types: tuple[str, ...]  # one a question
    shown: list[tuple[int, int]] = field(default_factory=list)  # a run's place, the world's in it


class Worlds:
    """The worlds of runs: equal bundles are one world, whatever suite they came from."""

    def __init__(self) -> None:
        self.found: dict[str, World] = {}
        self._taken: Counter[str] = Counter()

    def add(self, run: int, number: int, seen: SeenWorld) -> None:
        """Take note of a world of a run."""
        if seen.digest not in self.found:
            self.found[seen.digest] = self._new(seen)
        self.found[seen.digest].shown.append((run, number))

    def _new(self, seen: SeenWorld) -> World:
        self._taken[seen.id] += 1
        taken = self._taken[seen.id]
        key = seen.id if taken == 1 else f"{seen.id} ({taken})"
        return World(key, seen.level, seen.rooms, seen.tasks, seen.types)


def build(runs: Sequence[RunRecord], out: Path, *, jobs: int = 1) -> Path:
    """Write the report of some runs to `out` and return it; `jobs` processes share a large one.

    Raises `ValueError` without runs, `MissingExtra` without jinja2, matplotlib or numpy, and
    `RecordError` where the file cannot be written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    pieces = _pieces(runs, jobs)
    with whole_file(out) as stream:
        for piece in pieces:
            stream.write(piece.encode())
    return out


def render(runs: Sequence[RunRecord]) -> str:
    """Return the report of some runs as HTML."""
    return "".join(_pieces(runs))


def _pieces(runs: Sequence[RunRecord], jobs: int = 1) -> Iterator[str]:
    """Return the page piece by piece. Worlds are read again when their piece is asked for."""
    shared = jobs if sum(len(run.worlds) for run in runs) >= LARGE else 1
    made = partial(in_order, jobs=shared)
    gathered, shown = Worlds(), entries(runs, jobs=shared)
    for entry in shown:
        for number, seen in enumerate(entry.worlds):
            gathered.add(entry.place, number, seen)
    worlds = list(gathered.found.values())
    first = [_played(runs, world.shown[0]) for world in worlds]
    drawn = [[(place[0], _played(runs, place)) for place in world.shown] for world in worlds]
    models = sections(shown)
    values = {
        **_heading(shown, worlds),
        **_tables(shown),
        "floors": scored(list(made(floor_sittings, first))),
        "floor_keys": FLOOR_KEYS,
        **_plots(shown),
        "commands": _drawn(commands.section(shown)),
        **{name: _drawn(part) for name, part in models.items()},
        "contents": [each for each in CONTENTS if models.get(_OF_MODELS.get(each[0], ""), True)],
        "worlds": [_overview(world, shown) for world in worlds],
        "index": safe(_index(shown, worlds)),
        "world_blocks": map(markup, made(_block, drawn)),
    }
    return parts(
        "page.html.j2",
        values,
        package=__package__,
        scripts=("shared.js", "questions.js", "page.js"),
        styles=("page.css", "questions.css"),
    )


def _played(runs: Sequence[RunRecord], place: tuple[int, int]) -> Sequence[Played]:
    """Return one world of a run, which is read when it is taken."""
    run, number = place
    return runs[run].worlds[number : number + 1]


def _block(parts: Sequence[tuple[int, Sequence[Played]]]) -> str:
    """Return all that the page shows of a world, from each run's part of it."""
    shown = [Shown(run, played, results(played)) for run, (played,) in parts]
    return embed(world_block(shown[0].played.bundle, shown))


def _heading(entries: Sequence[Entry], worlds: Sequence[World]) -> dict[str, Any]:
    labels = list(dict.fromkeys(label for entry in entries for label in entry.settings))
    alike = [label for label in labels if len({e.settings.get(label) for e in entries}) == 1]
    levels = list(dict.fromkeys(world.level for world in worlds))
    questions = sum(len(world.types) for world in worlds)
    tasks = sum(world.tasks for world in worlds)
    return {
        "title": _title(entries),
        "lead": f"{many(len(worlds), 'world')} ({', '.join(levels)}), {many(tasks, 'task')} and "
        f"{many(questions, 'question')}. What {'the' if len(entries) == 1 else 'each'} run can do "
        "in its worlds, and what it knows about them.",
        "common": [(label, entries[0].settings[label]) for label in alike],
        "differing": [label for label in labels if label not in alike] if len(entries) > 1 else [],
        "notes": _notes(entries),
        "runs": entries,
        "entries": entries,
        "brand": "Task2Quiz report",
        "boxed": True,
        "firsts": [first(entries)],
    }


def _title(entries: Sequence[Entry]) -> str:
    if len(entries) == 1:
        return f"What {entries[0].name} does and knows"
    return f"Doing and knowing: {len(entries)} runs side by side"


def _notes(entries: Sequence[Entry]) -> list[str]:
    """Return warnings that a reader must not miss."""
    notes = []
    if any(entry.worlds != entries[0].worlds for entry in entries):
        notes.append(
            "These runs are not all on the same worlds: where they differ, so do their scores, and "
            "there are no paired differences."
        )
    few = min(len(entry.worlds) for entry in entries)
    if few < 2:
        notes.append("A run on a single world has no intervals: one world tells no spread.")
    elif few < 10:
        notes.append(
            f"With {few} worlds, intervals are rough: read them as a warning, not as a test."
        )
    return notes + people.notes(_of_people(entries))


def _of_people(entries: Sequence[Entry]) -> dict[str, dict[tuple[str, ...], float]]:
    """Return people's points by letter; an item names the agent whose episodes it is about."""
    return {
        entry.tag: {(entry.row.agent, *key): value for key, value in entry.earned.items()}
        for entry in entries
        if entry.earned is not None
    }


def _tables(entries: Sequence[Entry]) -> dict[str, Any]:
    rows = [entry.row for entry in entries]
    marks = {key: podium(rows, key) for key in KEYS}
    return {
        "any_marks": any(marks.values()),
        "cell": cell,
        "headings": HEADINGS,
        "keys": KEYS,
        "level_keys": LEVEL_KEYS,
        "level_names": blocks(rows, "by_level"),
        "marks": marks,
        "pair_keys": PAIR_KEYS,
        "pairs": pairs(entries),
        "type_keys": TYPE_KEYS,
        "type_names": [str(type) for type in Type],
        "exact_worlds": EXACT_WORLDS,
        "resamples": RESAMPLES,
        "unread": _counted(entries, "unread"),
        "unscored": _counted(entries, "unscored"),
    }


def _counted(entries: Sequence[Entry], name: str) -> str:
    """Return how many questions of each run have a count, runs without any left out."""
    counts = [(entry.tag, entry.row.scores["counts"][name]) for entry in entries]
    return ", ".join(f"{many(count, 'question')} of {tag}" for tag, count in counts if count)


def _plots(entries: Sequence[Entry]) -> dict[str, Any]:
    return {
        "scatter": markup(success_against_eus(entries)),
        "type_plot": markup(plots.types(entries)),
        "level_plot": markup(plots.levels(entries)),
    }


def _overview(world: World, entries: Sequence[Entry]) -> dict[str, Any]:
    return {
        "key": world.key,
        "rooms": world.rooms,
        "tasks": world.tasks,
        "questions": len(world.types),
        "cells": {run: _cells(entries[run], number) for run, number in world.shown},
    }


def _cells(entry: Entry, number: int) -> list[float]:
    """Return tasks won, right answers, and those to answerable questions, in a world of a run."""
    return [entry.shares[key].above[number] for key in ("tsr", "eus", "known")]


def _index(entries: Sequence[Entry], worlds: Sequence[World]) -> dict[str, Any]:
    """Return what the page's script knows before it reads any world."""
    listed = [
        AskedWorld(
            world.key, world.level, types=list(world.types),
            signs={run: entries[run].signs[number] for run, number in world.shown},
        )
        for world in worlds
    ]  # fmt: skip
    runs = [{"tag": e.tag, "name": e.name, "colour": e.colour} for e in entries]
    return {**asked.index(listed, runs), "sights": list(SIGHTS.items())}


def _drawn(part: Mapping[str, Any]) -> dict[str, Any]:
    """Mark the drawings of a section as HTML."""
    return {
        name: markup(value) if isinstance(value, str) else value for name, value in part.items()
    }


def sections(entries: Sequence[Entry]) -> dict[str, dict[str, Any]]:
    """Return what only runs with language models have, by section; one without runs is empty.

    Raises `MissingExtra` without matplotlib.
    """
    found = {"paper": _paper([entry for entry in entries if entry.row.models], entries)}
    for name, part, make in (
        ("reasons", "attribution", _reasons),
        ("calls", "usage", _calls),
        ("sure", "calibration", _sure),
    ):
        runs = [entry for entry in entries if part in entry.row.scores]
        found[name] = {"runs": runs, **make(runs)} if runs else {}
    return found


def _paper(models: Sequence[Entry], entries: Sequence[Entry]) -> dict[str, Any]:
    """Return Table 2, the models' runs first, and the paper's figures."""
    if not models:
        return {}
    others = [entry for entry in entries if not entry.row.models]
    columns = [("", "tsr"), *((str(type), "eus") for type in Type), ("", "eus")]
    columns += [("", key) for key in BESIDE]
    rows = [entry.row for entry in entries]
    marks = {
        (name, key): podium(rows, key, "by_type" if name else None, name) for name, key in columns
    }
    return {
        "groups": [group for group in (models, others) if group],
        "abbreviations": list(ABBREVIATIONS.values()),
        "columns": columns,
        "counted": COUNTED,
        "marks": marks,
        "figure4": plots.figure_4(models),
        "figure5": plots.figure_5([*models, *others]),
        "figure6": plots.figure_6(models),
        "figure8": plots.figure_8(models),
    }


def _reasons(runs: Sequence[Entry]) -> dict[str, Any]:
    return {
        "reasons": [(cause, *REASONS[cause]) for cause in Cause],
        "bases": bases,
        "span": span,
        "percents": percents,
        "undecided": any(run.row.scores["attribution"]["undecided"] for run in runs),
        "plot": plots.causes(runs),
    }


def _calls(runs: Sequence[Entry]) -> dict[str, Any]:
    return {"busy": _busy, "statuses": list(Status)}


def _busy(run: Entry) -> list[tuple[Purpose, str]]:
    """Return what a run called a model for, and its name."""
    used = run.row.scores["usage"]["by_purpose"]
    return [(purpose, name) for purpose, name in DOING.items() if used[purpose]["calls"]]


def _sure(runs: Sequence[Entry]) -> dict[str, Any]:
    return {"plot": plots.confidence(runs)}
