"""The report of TEA-Test: one self-contained HTML page, the same runs giving the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.records import write_text
from worldquiz.report import asked, people
from worldquiz.report.html import many, markup, page, safe
from worldquiz.report.labels import compared
from worldquiz.tea.exam.sample import families, scarce, short
from worldquiz.tea.rating import QUESTIONS
from worldquiz.tea.report import examples, plan, plots, situated, tables
from worldquiz.tea.report.first import first
from worldquiz.tea.report.tables import TakerEntry
from worldquiz.tea.scoring.confidence import SCENES
from worldquiz.tea.scoring.contest import Contest, Role
from worldquiz.tea.scoring.navigation import success
from worldquiz.tea.taskgraph import Goal, Instance

MOST_WALKS = 9
"""Walks that are drawn."""
ROLES = {
    Role.FLOOR: "lower-bound baselines",
    Role.CONTESTANT: "measured",
    Role.CEILING: "upper-bound baseline",
}
MEASURES = {
    "gain": "gain", "success": "success", "steps": "steps", "neglect": "target neglect",
    "lack_of_3d_awareness": "lack of 3D awareness",
}  # fmt: skip
_RANGES = {"gain": "−1 to 1", "steps": "0 to 10"}


def build(contest: Contest, out: Path) -> Path:
    """Write the report of a contest to `out` and return it.

    Raises `ValueError` without contestants, `MissingExtra` without jinja2, matplotlib or numpy, and
    `RecordError` where the file cannot be written.
    """
    if not contest.contestants:
        raise ValueError("a report needs at least one answerer")
    write_text(out, render(contest))
    return out


def render(contest: Contest) -> str:
    """Return the report of a contest as HTML."""
    shown = tables.entries(contest)
    types = sorted({name for entry in shown for name in entry.types})
    values = {
        **_heading(contest, shown),
        **_scores(contest, shown, types),
        **_figures(contest, shown, types),
        **_walks(contest, shown),
        **_examples(contest, shown),
        **_asked(contest, shown),
        "ratings": contest.ratings,
        "questions": QUESTIONS,
    }
    values["contents"] = _contents(values)
    return page(
        "tea.html.j2",
        values,
        package=__package__,
        scripts=("shared.js", "questions.js", "tea.js"),
        styles=("page.css", "questions.css", "tea.css"),
    )


def _heading(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, Any]:
    every = (*contest.tasks.values(), *contest.walks.values())
    scenes = len({task.scene for task in every})
    title = (
        f"What {shown[0].name} perceives"
        if len(shown) == 1
        else f"Perceiving a scene: {len(shown)} answerers side by side"
    )
    return {
        "title": title,
        "lead": f"{many(len(contest.tasks), 'task')} and {many(len(contest.walks), 'walk')} in "
        f"{many(scenes, 'scene')}, generated for these scenes alone (TEA, arXiv 2602.05249).",
        **compared([entry.settings for entry in shown]),
        "notes": _notes(contest, shown, scenes),
        "entries": shown,
        "brand": "TEA-Test report",
        "boxed": True,
        "firsts": [first(contest, shown)],
        "groups": [
            (ROLES[role], some)
            for role in tables.ORDER
            if (some := [entry for entry in shown if entry.role is role])
        ],
    }


def _asked(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, Any]:
    """Return the data of the list of all tasks and walks."""
    rows = examples.rows(contest, shown)
    worlds, blocks = asked.of_rows(rows)
    runs = [{"tag": entry.tag, "name": entry.name, "colour": entry.colour} for entry in shown]
    return {
        "index": safe(asked.index(worlds, runs)),
        "blocks": [safe(block) for block in blocks],
        "scene_blocks": [safe(block) for block in situated.blocks(contest, shown, rows)],
    }


def _contents(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the sections that the page has, by their names there."""
    walks = any(entry.walks for entry in values["entries"])
    every = (
        ("scores", "Table 3", values["types"]), ("walks", "Table 4 and walks", walks),
        ("reading", "How to read them", True),
        ("ratings", "What people say of the tasks", values["ratings"]),
        ("pairs", "Pairs", values["pairs"]), ("figures", "Figures", values["type_plot"]),
        ("tasks", "Tasks in pictures", values["examples"]), ("questions", "Questions", True),
        ("one", "One task", True),
    )  # fmt: skip
    return [(name, words) for name, words, there in every if there]


def _notes(contest: Contest, shown: Sequence[TakerEntry], scenes: int) -> list[str]:
    """Return warnings that a reader must not miss."""
    notes = []
    if contest.look is None:
        notes.append(
            "The folder of tasks was not found, so there are no pictures and no plans here: give "
            "it with --data DIR."
        )
    if scenes < SCENES:
        notes.append(
            f"With {many(scenes, 'scene')}, intervals are over tasks as if these were independent: "
            "they tell nothing of other scenes."
        )
    out = [name for name, told in contest.there.items() if not told["matched"]]
    if out:
        notes.append(
            f"Not asked: {', '.join(out)}. Their words leave one answer only, so reading would be "
            "enough."
        )
    counts = {name: len(some) for name, some in families(contest.tasks.values()).items()}
    matched = {name: told["matched"] for name, told in contest.there.items()}
    if few := short(counts, matched):
        notes.append(scarce(few))
    ids = [set(entry.taker.answers) | set(entry.taker.trips) for entry in shown]
    if any(each != ids[0] for each in ids):
        notes.append(
            "These answerers were not all asked the same tasks: compare them two by two, not by "
            "their means."
        )
    wrong = [
        f"{entry.tag} {entry.name}"
        for entry in shown
        if entry.role is Role.CEILING and entry.every and entry.every.mean < 1
    ]
    if wrong:
        notes.append(f"{', '.join(wrong)} is not right everywhere: the scores cannot be trusted.")
    return notes + people.notes(_of_people(shown))


def _of_people(shown: Sequence[TakerEntry]) -> dict[str, dict[str, float]]:
    """Return people's scores, and whether they arrived, by letter and task."""
    found = {}
    for entry in shown:
        taker = entry.taker
        if taker.settings.get("answerer") == "human":
            earned = {id: each.grade.score for id, each in taker.answers.items()}
            arrived = {id: float(success(trip)) for id, trip in taker.trips.items()}
            found[entry.tag] = earned | arrived
    return found


def _scores(contest: Contest, shown: Sequence[TakerEntry], types: Sequence[str]) -> dict[str, Any]:
    forms = sorted({name for entry in shown for name in entry.forms})
    return {
        "types": types,
        "forms": forms if len(forms) > len(types) else [],
        "chance": contest.chance,
        "there": contest.there,
        "spread": {name: tables.spread(shown, name) for name in types},
        "published": tables,
        "usage": [entry for entry in shown if entry.taker.usage],
        "measures": MEASURES,
        "ranges": _RANGES,
        "pairs": tables.pairs(shown),
        "unit": "scene" if len({t.scene for t in contest.tasks.values()}) >= SCENES else "task",
        "Role": Role,
    }


def _figures(contest: Contest, shown: Sequence[TakerEntry], types: Sequence[str]) -> dict[str, Any]:
    depths = plots.depths(shown, contest)
    return {
        "type_plot": markup(plots.by_type(shown, types, contest.chance)) if types else None,
        "depth_plot": markup(depths) if depths else None,
        "confusions": plots.confusions(shown, contest),
        "by_place": {entry.place: entry for entry in shown},
    }


def _walks(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, Any]:
    """Return the plans of walks, and each scene's own drawing that they use."""
    trips = {
        id: [entry.taker.trips[id] for entry in shown if id in entry.taker.trips]
        for id, task in contest.walks.items()
        if task.scene in contest.scenes
    }
    known = {id: contest.walks[id].scene for id, some in trips.items()
             if any(trip.stands[0].at is not None for trip in some)}  # fmt: skip
    ids = plan.picked(known, trips, MOST_WALKS)
    names = {scene: f"flat-{n}" for n, scene in enumerate(sorted({known[id] for id in ids}))}
    symbols = [plan.symbol(contest.scenes[scene], name) for scene, name in names.items()]
    return {
        "plans": [_plan(contest, contest.walks[id], shown, names) for id in ids],
        "symbols": markup("".join(symbols)),
    }


def _plan(
    contest: Contest, task: Instance, shown: Sequence[TakerEntry], names: Mapping[str, str]
) -> dict[str, Any]:
    assert isinstance(task.truth, Goal)
    scene, goal = contest.scenes[task.scene], task.truth.thing
    label = scene.thing[goal].label if goal in scene.thing else goal
    went = [(entry, entry.taker.trips[task.id]) for entry in shown if task.id in entry.taker.trips]
    drawn = plan.drawing(
        scene, names[task.scene], goal, [(e.tag, e.colour, trip) for e, trip in went],
        f"Walks to the {label} in {task.scene}",
    )  # fmt: skip
    return {
        "words": task.command,
        "goal": label,
        "scene": task.scene,
        "drawn": markup(drawn),
        "went": [(entry, plan.ending(trip)) for entry, trip in went],
    }


def _examples(contest: Contest, shown: Sequence[TakerEntry]) -> dict[str, Any]:
    found = examples.examples(contest, shown)
    told, pictured = examples.count(found)
    return {
        "examples": [
            (name, [(each, markup(each.lines)) for each in some]) for name, some in found.items()
        ],
        "told": told,
        "pictured": pictured,
        "asked_of": {name: len(some) for name, some in families(contest.tasks.values()).items()},
    }
