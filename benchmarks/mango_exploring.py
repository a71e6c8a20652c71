"""What do scripted explorers come to see of games, and what can be known of it?

    uv run python benchmarks/mango_exploring.py [GAMES ...] [--steps 100] [--worlds 2]
        [--per-maze 50] [--json]

Each explorer plays each game, and the questions about its trajectory are answered by the perfect
keeper of its map, by the map builder, which reads the text, by the best of those who have no map,
and by an attacker that reads the whole sheet and no walkthrough (`mango_sheet`); "sheet x" is what
it knows of the whole map. GAMES are folders of mazes, suites or story files; without any, four
mazes of two sizes are generated, and worlds of two levels of Task2Quiz built and compiled.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Collection
from pathlib import Path
from statistics import fmean
from typing import Any

from mango_sheet import attacked
from rich.console import Console
from rich.table import Table

import worldquiz as wq
from worldquiz.mango.asking.ask import PER_MAZE
from worldquiz.mango.exploring.grounds import grounds
from worldquiz.mango.running.run import plan_of

EXPLORERS = ("idle", "random", "frontier", "walkthrough")


def made(folder: Path, worlds: int) -> list[Path]:
    """Make the games that are explored by default, and return their folders."""
    for name, size in (("mazes20", 20), ("mazes50", 50)):
        wq.mango.build(mazes=2, seed=7, size=size, out=folder / name)
    for level in ("medium", "explore"):
        wq.t2q.build(level, worlds=worlds, seed=7, games=True, out=folder / level)
    return [folder / name for name in ("mazes20", "mazes50", "medium", "explore")]


def explored(source: Path, game: str, agent: str, steps: int, per_maze: int) -> dict[str, Any]:
    """Return what came of a game."""
    with tempfile.TemporaryDirectory() as folder:
        run = wq.mango.explore(
            source, agent=agent, answerer="keeper", steps=steps, games=[game],
            per_maze=per_maze,
            out=Path(folder) / "run",
        )  # fmt: skip
        row: dict[str, Any] = run.scores["games"][game]
        blind = run.scores["of_trajectory"]["baselines"]
        row |= {"mapper": None, "blind": max((v for v in blind.values() if v is not None),
                                             default=None), "sheet": None}  # fmt: skip
        if row["asked"]:
            row["sheet"] = attacked(plan_of(run.path / "quiz"))
            mazes = wq.mango.open(run.path / "quiz" / "mazes")
            row["mapper"] = mazes.run(
                "mapper", steps=steps, per_maze=per_maze, out=Path(folder) / "m"
            ).scores["knowledge"]
    return row


def measured(
    sources: list[Path], steps: int, per_maze: int
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return what came of each game, by explorer."""
    games = [(source, game) for source in sources for game in grounds(source)]
    return {
        agent: {f"{source.name}/{game}": explored(source, game, agent, steps, per_maze)
                for source, game in games}
        for agent in EXPLORERS
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", type=Path)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=2)
    parser.add_argument("--per-maze", type=int, default=PER_MAZE)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sources = asked.games or made(Path(folder), asked.worlds)
        found = measured(sources, asked.steps, asked.per_maze)
    if asked.json:
        print(json.dumps(found))
        return
    columns = (
        "places", "moves", "routes", "asked", "keeper", "mapper", "blind", "sheet", "sheet x",
        "knowledge", "score",
    )  # fmt: skip
    for agent, games in found.items():
        _choose(games.values())
        table = Table("game", *columns, title=f"{agent}, at most {asked.steps} commands")
        for game, row in games.items():
            table.add_row(game, *_cells(row))
        table.add_row("mean", *_means([*games.values()]), end_section=True)
        Console(width=120).print(table)


def _choose(rows: Collection[dict[str, Any]]) -> None:
    """Keep the attacker's best setting over some games, by what it then knows of the maps."""
    told = [row for row in rows if row["sheet"] is not None]

    def worth(setting: int) -> float:
        known = [(row["coverage"]["routes"]["share"], row["sheet"][setting]) for row in told]
        return float(sum(share * (value or 0.0) for share, value in known))

    best = max(range(len(told[0]["sheet"])), key=worth) if told else 0
    for row in rows:
        row["sheet"] = None if row["sheet"] is None else row["sheet"][best]
        shown = row["coverage"]["routes"]["share"]
        row["sheet x"] = None if row["sheet"] is None else shown * row["sheet"]


def _means(rows: list[dict[str, Any]]) -> list[str]:
    """Return the means of the columns, over the games that have a value there."""
    columns = list(zip(*map(_cells, rows), strict=True))
    numbers = [[float(cell) for cell in column if cell != "-"] for column in columns[:-1]]
    return [*(f"{fmean(each):.2f}" if each else "-" for each in numbers), ""]


def _cells(row: dict[str, Any]) -> list[str]:
    shown = row["coverage"]
    parts = [f"{shown[part]['share']:.2f}" if shown else "-" for part in ("places", "moves",
                                                                           "routes")]  # fmt: skip
    named = ("of_trajectory", "mapper", "blind", "sheet", "sheet x", "knowledge")
    values = [row[name] for name in named]
    points = row["score"] and f"{row['score']['points']}/{row['score']['most']}"
    return [*parts, str(row["asked"]), *("-" if v is None else f"{v:.2f}" for v in values),
            points or "-"]  # fmt: skip


if __name__ == "__main__":
    main()
