"""The report: one self-contained HTML page, made from runs alone.

It asks for no network (its content security policy forbids it), runs no script but its own (allowed
by hash, so that no name or reply can smuggle one in), and holds no date: the same runs give the
same bytes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any

import worldquiz
from worldquiz.agents.catalog import Role
from worldquiz.errors import MissingExtra
from worldquiz.metrics import (
    KEYS,
    Difference,
    Sitting,
    differences,
    scores,
    sitting,
)
from worldquiz.metrics.stats import RESAMPLES
from worldquiz.model.io import write_text
from worldquiz.model.quiz import Result, Type
from worldquiz.model.store import Bundle, Run
from worldquiz.quiz.exam import results
from worldquiz.report import plots
from worldquiz.report.payload import Shown, embed, world_block
from worldquiz.report.tables import HEADINGS, Row, blocks, cell, podium, role

PAIR_KEYS = ("tsr", "eus", "known", "accuracy_answerable")
TYPE_KEYS = ("eus", "known", "coverage", "accuracy_answerable", "overclaim")
LEVEL_KEYS = ("tsr", "eus", "known", "coverage", "accuracy_answerable", "overclaim")
SIGHTS = {
    "rooms": "rooms entered",
    "exits": "exits noticed",
    "passages": "passages walked",
    "things": "things seen where they were",
    "locks": "doors and containers known to have been locked or not",
    "matches": "keys turned",
}
_MAX_PAIRS = 45


@dataclass(frozen=True, slots=True)
class Entry:
    """One run on the page."""

    place: int
    tag: str  # its letter
    row: Row
    settings: Mapping[str, str]
    bundles: tuple[Bundle, ...]  # its worlds
    sittings: tuple[Sitting, ...]

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return plots.colour(self.place)

    @property
    def player_role(self) -> Role:
        """What its player stands for."""
        return role(self.row.player)

    @property
    def taker_role(self) -> Role:
        """What its quiz taker stands for."""
        return role(self.row.taker)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on the same worlds and how they differ."""

    left: Entry
    right: Entry
    found: Mapping[str, Difference | None]


@dataclass(slots=True)
class World:
    """One world on the page, with each run's part of it."""

    key: str  # its id, with a number behind it where two suites use the same
    bundle: Bundle
    shown: list[Shown] = field(default_factory=list)


def build(runs: Sequence[Run], out: Path) -> Path:
    """Write the report of some runs to `out` and return it.

    Raises `ValueError` without runs, `MissingExtra` without jinja2, matplotlib or numpy, and
    `RecordError` where the file cannot be written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    write_text(out, render(runs))
    return out


def render(runs: Sequence[Run]) -> str:
    """Return the report of some runs as HTML."""
    graded = [[results(played) for played in run.worlds] for run in runs]
    entries = _entries(runs, graded)
    worlds = _worlds(runs, graded)
    script = _source("page.js")
    html: str = _template().render(
        **_heading(runs, entries, worlds),
        **_tables(entries),
        **_plots(entries),
        worlds=[_overview(world, entries) for world in worlds],
        index=_safe(_index(entries, worlds)),
        world_blocks=[_safe(world_block(world.bundle, world.shown)) for world in worlds],
        script=_markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=_markup(_source("page.css")),
    )
    return html


def _entries(runs: Sequence[Run], graded: Sequence[Sequence[tuple[Result, ...]]]) -> list[Entry]:
    entries = []
    for place, (run, sheets) in enumerate(zip(runs, graded, strict=True)):
        sittings = tuple(sitting(*pair) for pair in zip(run.worlds, sheets, strict=True))
        row = Row(str(run.manifest["agent"]), str(run.manifest["quiz"]), scores(sittings))
        bundles = tuple(played.bundle for played in run.worlds)
        entries.append(Entry(place, _tag(place), row, _settings(run), bundles, sittings))
    return entries


def _tag(place: int) -> str:
    """Return A, B, ... Z, AA, AB, ..."""
    letters = ""
    while place >= 0:
        letters = chr(ord("A") + place % 26) + letters
        place = place // 26 - 1
    return letters


def _settings(run: Run) -> dict[str, str]:
    """Return what a manifest says of how a run was made."""
    told = {
        key.replace("_", " "): _word(value)
        for key, value in sorted(run.manifest.items())
        if key not in ("agent", "kind", "quiz", "worlds")
    }
    return {key: value for key, value in told.items() if value}


def _word(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_word(value[key])}" for key in sorted(value))
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _worlds(runs: Sequence[Run], graded: Sequence[Sequence[tuple[Result, ...]]]) -> list[World]:
    """Gather the runs' worlds: equal bundles are one world, whatever suite they came from."""
    found: dict[Bundle, World] = {}
    taken: dict[str, int] = {}
    for place, (run, sheets) in enumerate(zip(runs, graded, strict=True)):
        for played, sheet in zip(run.worlds, sheets, strict=True):
            world = found.get(played.bundle)
            if world is None:
                id = played.bundle.spec.id
                taken[id] = taken.get(id, 0) + 1
                key = id if taken[id] == 1 else f"{id} ({taken[id]})"
                world = found[played.bundle] = World(key, played.bundle)
            world.shown.append(Shown(place, played, sheet))
    return list(found.values())


def _heading(
    runs: Sequence[Run], entries: Sequence[Entry], worlds: Sequence[World]
) -> dict[str, Any]:
    labels = list(dict.fromkeys(label for entry in entries for label in entry.settings))
    alike = [label for label in labels if len({e.settings.get(label) for e in entries}) == 1]
    levels = list(dict.fromkeys(world.bundle.spec.level for world in worlds))
    questions = sum(len(world.bundle.questions) for world in worlds)
    tasks = sum(len(world.bundle.tasks) for world in worlds)
    return {
        "title": _title(entries),
        "lead": f"{_many(len(worlds), 'world')} ({', '.join(levels)}), {_many(tasks, 'task')} and "
        f"{_many(questions, 'question')}. What each run can do in its worlds, and what it knows "
        "about them.",
        "common": [(label, entries[0].settings[label]) for label in alike],
        "differing": [label for label in labels if label not in alike] if len(runs) > 1 else [],
        "notes": _notes(entries),
        "runs": entries,
        "version": worldquiz.__version__,
    }


def _title(entries: Sequence[Entry]) -> str:
    if len(entries) == 1:
        return f"What {entries[0].row.name} does and knows"
    return f"Doing and knowing: {len(entries)} runs side by side"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _notes(entries: Sequence[Entry]) -> list[str]:
    """Return warnings that a reader must not miss."""
    notes = []
    if any(entry.bundles != entries[0].bundles for entry in entries):
        notes.append(
            "These runs are not all on the same worlds: where they differ, so do their scores, and "
            "there are no paired differences."
        )
    few = min(len(entry.bundles) for entry in entries)
    if few < 2:
        notes.append("A run on a single world has no intervals: one world tells no spread.")
    elif few < 10:
        notes.append(
            f"With {few} worlds, intervals are rough: read them as a warning, not as a test."
        )
    return notes


def _tables(entries: Sequence[Entry]) -> dict[str, Any]:
    rows = [entry.row for entry in entries]
    marks = {key: podium(rows, key) for key in KEYS}
    missing = [(entry, entry.row.scores["counts"]["unscored"]) for entry in entries]
    return {
        "any_marks": any(marks.values()),
        "cell": cell,
        "headings": HEADINGS,
        "keys": KEYS,
        "level_keys": LEVEL_KEYS,
        "level_names": blocks(rows, "by_level"),
        "marks": marks,
        "pair_keys": PAIR_KEYS,
        "pairs": _pairs(entries),
        "type_keys": TYPE_KEYS,
        "type_names": [str(type) for type in Type],
        "resamples": RESAMPLES,
        "unscored": ", ".join(f"{n} questions of {e.tag}" for e, n in missing if n),
    }


def _pairs(entries: Sequence[Entry]) -> list[Pair]:
    """Return every pair of runs on the same worlds; none where they would fill pages."""
    pairs = list(combinations(entries, 2))
    if len(pairs) > _MAX_PAIRS:
        pairs = [(entries[0], other) for other in entries[1:]]
    return [
        Pair(left, right, differences(left.sittings, right.sittings))
        for left, right in pairs
        if left.bundles == right.bundles
    ]


def _plots(entries: Sequence[Entry]) -> dict[str, Any]:
    rows, tags = [entry.row for entry in entries], [entry.tag for entry in entries]
    return {
        "scatter": _markup(plots.success_against_knowledge(rows, tags)),
        "type_plot": _markup(plots.types(rows, tags)),
        "level_plot": _markup(plots.levels(rows, tags)),
    }


def _overview(world: World, entries: Sequence[Entry]) -> dict[str, Any]:
    bundle = world.bundle
    return {
        "key": world.key,
        "rooms": len(bundle.spec.rooms),
        "tasks": len(bundle.tasks),
        "questions": len(bundle.questions),
        "cells": {
            shown.run: scores([sitting(shown.played, shown.results)], resamples=0)["counts"]
            for shown in world.shown
        },
    }


def _index(entries: Sequence[Entry], worlds: Sequence[World]) -> dict[str, Any]:
    return {
        "runs": [{"tag": e.tag, "name": e.row.name, "colour": e.colour} for e in entries],
        "sights": list(SIGHTS.items()),
        "worlds": [{"key": world.key, "level": world.bundle.spec.level} for world in worlds],
    }


def _source(name: str) -> str:
    folder = resources.files("worldquiz.report") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def _template() -> Any:
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtra("jinja2", "report") from error
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals.update(percent=_percent, plain=_plain, signed=_signed, two=_two)
    return environment.from_string(_source("page.html.j2"))


def _safe(value: object) -> Any:
    return _markup(embed(value))


def _markup(text: str) -> Any:
    """Mark text as HTML: our own templates and drawings, and JSON that `embed` made safe."""
    from markupsafe import Markup

    return Markup(text)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _plain(value: float) -> str:
    return f"{value:.10g}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
