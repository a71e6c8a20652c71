"""Terminal tables of TEA's tasks, and of the scores of runs on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.page.html import many
from worldquiz.page.terminal import QUICK, means, plain

RECALLED = {
    "knowledge": "knowledge", "ceiling": "at most, as shown", "false_answers": "false answers",
    "coverage": "coverage", "accuracy_answerable": "accuracy on answerable", "eus": "EUS",
}  # fmt: skip
"""Shares that a terminal shows of the recall quiz, and their names."""


def task_tables(folder: Path) -> Iterator[Any]:
    """Yield how many tasks a folder holds by type and by scene, as tables and a line."""
    from worldquiz.tea.generate import summary

    return summary_tables(summary(folder))


def summary_tables(found: Mapping[str, Any]) -> Iterator[Any]:
    """Yield counts of tasks by type and by scene, as tables and a line."""
    total = found["tasks"]
    rows = [(name, f"{n:,}", f"{n / total:.1%}") for name, n in found["by_type"].items()]
    yield plain(rows, "type", "tasks", "share")
    yield plain([(name, f"{n:,}") for name, n in found["by_scene"].items()], "scene", "tasks")
    yield (
        f"{many(total, 'task')} of {many(found['views'], 'view')} in "
        f"{many(found['scenes'], 'scene')}"
    )


def exam_tables(runs: Sequence[Path]) -> Iterator[Any]:
    """Yield the scores of runs as tables and lines for a terminal, beside Tables 3 and 4."""
    from worldquiz.runs.run import Run, called
    from worldquiz.stats.row_scores import scores

    opened = [*map(Run, runs)]
    names = called(opened)
    for run in opened:
        yield names[run.path]
        found = scores(run.rows, resamples=QUICK)
        bounds = {name: cell["ci"]["grade"] for name, cell in found["by_type"].items()}
        yield from _exam_tables(run.scores, bounds)
    yield means({names[run.path]: run.each_row() for run in opened})


def _exam_tables(found: dict[str, Any], bounds: Mapping[str, Any]) -> Iterator[Any]:
    from worldquiz.tea.scoring.tables import PUBLISHED, TABLE_4

    rows = []
    for name, cell in found["types"].items():
        ci, told, chance = bounds.get(name), PUBLISHED.get(name), found["chance"][name]
        one, words = _mean(chance["one_answer"]), _mean(chance["words_only"])
        rows.append(
            (
                name,
                _mean(cell["mean"]) + (r" \[{:.2f}, {:.2f}]".format(*ci) if ci else ""),
                str(cell["asked"]),
                str(cell["ill_formed"]),
                one if words in ("-", one) else f"{one}, by words {words}",
                f"{told[0]:.2f} to {told[1]:.2f}" if told else "",
                f"{told[2]:.2f}" if told else "",
            )
        )
    every = found["all"]
    counts = (str(every["asked"]), str(every["ill_formed"]))
    rows.append(("all", _mean(every["mean"]), *counts, "", "", ""))
    yield plain(
        rows, "type", "mean", "asked", "ill-formed", "chance", "paper: models", "paper: people"
    )
    walked = found["navigation"]
    if walked["trips"]:
        measures = [
            ("gain", _mean(walked["gain"])),
            ("success", _rate(walked["success"])),
            ("steps", _mean(walked["steps"])),
            ("target neglect", _rate(walked["neglect"])),
            ("lack of 3D awareness", _rate(walked["lack_of_3d_awareness"])),
        ]
        paper = [[f"{row[n]:.2f}" for row in TABLE_4.values()] for n in range(len(measures))]
        both = [(*ours, *theirs) for ours, theirs in zip(measures, paper, strict=True)]
        heads = [f"paper: {name}" for name in TABLE_4]
        yield plain(both, "navigation", many(walked["trips"], "walk"), *heads)


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _rate(told: dict[str, Any]) -> str:
    return f"{_mean(told['rate'])} ({told['count']} of {told['of']})"


def recall_tables(runs: Sequence[Path]) -> Iterator[Any]:
    """Yield what runs of the quiz know, and what they claim to have seen: a row a run."""
    from worldquiz.facts.knowledge import FRACTIONS
    from worldquiz.runs.run import Run, called

    rows, opened = [], [*map(Run, runs)]
    names = called(opened)
    for run in opened:
        found = run.scores
        shares = []
        for name in RECALLED:
            above, below = (found["counts"][each] for each in FRACTIONS[name])
            shares.append(f"{found[name]:.2f} ({above:.4g} of {below:.4g})" if below else "-")
        rows.append((names[run.path], *shares, str(found["counts"]["unclear"])))
    yield plain(rows, "run", *RECALLED.values(), "unclear, not asked")
    yield means({names[run.path]: run.each_row() for run in opened})


def rating_tables(folders: Sequence[Path]) -> Iterator[Any]:
    """Yield the shares of yes of some people, the paper's, and how often two people differ."""
    from worldquiz.runs.run import Run
    from worldquiz.stats.row_scores import agreement
    from worldquiz.tea.human import PAPER

    people = {path.name: Run(path).rows for path in folders}
    yield means(people)
    yield f"In the paper: {', '.join(f'{name} {share:.2f}' for name, share in PAPER.items())}."
    found = {
        name: agreement([
            {(row.world, row.item): row.grade for row in rows
             if row.type == name and row.grade is not None}
            for rows in people.values()
        ])[1]
        for name in PAPER
    }  # fmt: skip
    differ = [f"{name} {error:.0%}" for name, error in found.items() if error is not None]
    if differ:
        told = ", ".join(differ).replace("%", " %")
        yield f"People differ on: {told} of what both judged."


def table(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Return rows as a table, with the columns of the first."""
    cells = [tuple(map(_cell, row.values())) for row in rows]
    return plain(cells, *(map(str, rows[0]) if rows else ()))


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case tuple() | list():
            return ", ".join(map(_cell, value))
    return str(value)
