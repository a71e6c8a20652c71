"""What a terminal shows of runs in which an agent explored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from worldquiz.cli.tables import titled
from worldquiz.mango.cli.score_tables import means_table, number
from worldquiz.mango.exploring.quiz import score_explored
from worldquiz.mango.exploring.records import called, read_explored_manifest
from worldquiz.mango.exploring.scores import PARTS
from worldquiz.runs.folder import told_apart

_CAPTION = (
    "Shown: of the game's map. Of trajectory: the knowledge score of the questions asked. "
    "Knowledge: that, times the share of the routes shown; ceiling: what a perfect keeper of the "
    "trajectories' maps earns. 0: guessing, or no answer."
)


def explored_tables(runs: Sequence[Path]) -> Iterator[Table]:
    """Yield the scores of some finished runs as tables, under their names."""
    manifests = {run: read_explored_manifest(run) for run in runs}
    names = {run: called(manifest) for run, manifest in manifests.items()}
    for run, name in told_apart(names).items():
        found = score_explored(run)
        yield explored_table(found, name)
        if found["quiz"] is not None:
            yield means_table(found["quiz"], f"{name}, on its trajectories", "of trajectory")


def explored_table(found: Mapping[str, Any], name: str) -> Table:
    """Return coverage, knowledge and score of each game, and their means."""
    table = titled(name)
    table.padding = (0, 1, 0, 0)
    columns = ("commands", *PARTS, "asked", "of trajectory", "knowledge", "ceiling", "game's score")
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for game, row in found["games"].items():
        table.add_row(game, *_row(row))
    table.add_section()
    mapped = found["mapped"]
    table.add_row(
        f"mean of {mapped}" if mapped else "no map is known", "",
        *(number(found["coverage"][part]["mean"]) for part in PARTS), "",
        number(found["of_trajectory"]["knowledge"]), number(found["knowledge"]),
        number(found["knowledge_ceiling"]), "",
    )  # fmt: skip
    blind = found["of_trajectory"]["baselines"].items()
    told = ", ".join(f"{who} {number(value)}" for who, value in blind)
    table.caption = f"{_CAPTION} Without a map, of trajectory: {told}." if told else _CAPTION
    if wasted := found.get("commands", {}).get("wasted"):
        table.caption += f" {wasted:,} replies held no command that could be read."
    if lost := found.get("failed_games"):
        table.caption += (
            f" Failed, and in no mean: {', '.join(lost['games'])}; counted as 0, knowledge is "
            f"{number(lost['knowledge_with'])}."
        )
    return table


def _row(row: Mapping[str, Any]) -> Iterator[str]:
    yield f"{row['commands']:,}{' (over)' if row['over'] else ''}"
    for part in PARTS:
        shown = row["coverage"] and row["coverage"][part]
        yield f"{shown['shown']}/{shown['of']}" if shown else "-"
    yield f"{row['asked']:,}"
    for name in ("of_trajectory", "knowledge", "ceiling"):
        yield number(row[name])
    yield "-" if row["score"] is None else f"{row['score']['points']}/{row['score']['most']}"
