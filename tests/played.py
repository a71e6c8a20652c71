"""Runs of Task2Quiz as tests look at them: worlds with their episodes, answers and rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import command
from worldquiz.facts.row import Row
from worldquiz.records import write_json
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import MANIFEST, note
from worldquiz.runs.run import Run
from worldquiz.t2q.builder import suite
from worldquiz.t2q.rollout import Played, rows_of
from worldquiz.t2q.run_folder import PlayedWorlds, names_of
from worldquiz.t2q.scores import Scores, scores

GAME = "worldquiz.t2q.world.game:Game"


@dataclass(frozen=True)
class RunRecord:
    """A run on some worlds, in memory until it is written."""

    manifest: dict[str, Any]
    worlds: tuple[Played, ...]

    @property
    def rows(self) -> list[Row]:
        names = names_of(self.manifest)
        return [row for played in self.worlds for row in rows_of(played, *names)]

    @property
    def scores(self) -> Scores:
        return scores(self.rows)

    def written(self, folder: Path) -> Path:
        """Write and score the run, with its suite beside it; return its folder."""
        home = folder.parent / f"{folder.name}-suite"
        opened = suite([each.bundle for each in self.worlds], out=home, opened_by=GAME)
        write_json(folder / MANIFEST, {**self.manifest, "suite": opened.digest})
        note(home, folder)
        kept = PlayedWorlds(folder, silent, opened.bundle)
        for played in self.worlds:
            kept.keep_played(played)
        kept.settle([played.bundle.spec.id for played in self.worlds])
        Run(folder).score()
        return folder


def episodes(run: Path) -> dict[str, list[Any]]:
    """Return what was done and shown in each task, by the worlds of a run."""
    found: dict[str, list[Any]] = {}
    for line in map(json.loads, (run / "episodes.jsonl").read_text().splitlines()):
        found.setdefault(line["world"], []).append(line)
    return found


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files of a run by name, but for where its suite is, seen from there."""
    found = command.tree(folder)
    lines = found.get("manifest.json", b"").splitlines()
    found["manifest.json"] = b"\n".join(line for line in lines if b'"folder"' not in line)
    return found
