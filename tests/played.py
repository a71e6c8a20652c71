"""Runs of Task2Quiz as tests look at them: worlds with their episodes, answers and rows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.facts.question import Answer
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.model import Context, Purpose, Reply, Status, Usage
from worldquiz.records import write_json
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import MANIFEST, note
from worldquiz.runs.rows import read_rows
from worldquiz.runs.run import Run
from worldquiz.t2q.builder import write_suite
from worldquiz.t2q.rows import played_by, rows_of
from worldquiz.t2q.run_folder import (
    CONTEXTS,
    PlayedWorlds,
    WorldLines,
    episodes_of,
    manifest_of,
    names_of,
    suite_of,
)
from worldquiz.t2q.scores import Scores, scores
from worldquiz.t2q.store import Played, Trace
from worldquiz.t2q.suites import open_suite

GAME = "worldquiz.t2q.world.game:Game"


@dataclass(frozen=True)
class RunRecord:
    """A run on some worlds, in memory until it is written."""

    path: Path
    manifest: dict[str, Any]
    worlds: tuple[Played, ...]

    @property
    def name(self) -> str:
        return " + ".join(names_of(self.manifest))

    @property
    def rows(self) -> list[Row]:
        names = names_of(self.manifest)
        return [row for played in self.worlds for row in rows_of(played, *names)]

    @property
    def scores(self) -> Scores:
        return scores(self.rows)

    def written(self, folder: Path) -> Path:
        """Write and score the run, with its suite beside it; return its folder."""
        suite = folder.parent / f"{folder.name}-suite"
        write_suite([each.bundle for each in self.worlds], suite, opened_by=GAME)
        digest = open_suite(suite).digest
        write_json(folder / MANIFEST, {**self.manifest, "suite": digest})
        note(suite, folder)
        kept = PlayedWorlds(folder, silent)
        for played in self.worlds:
            kept.keep_played(played)
        kept.settle([played.bundle.spec.id for played in self.worlds])
        Run(folder).score()
        return folder


def read_run(folder: Path) -> RunRecord:
    """Read a finished run whose suite is where its manifest says; failed worlds are left out."""
    suite, episodes, handed = suite_of(folder), episodes_of(folder), WorldLines(folder / CONTEXTS)
    rows: dict[str, list[Row]] = {}
    for row in read_rows(folder):
        rows.setdefault(row.world, []).append(row)
    worlds = []
    for world, some in rows.items():
        if all(row.status is AnswerStatus.FAILED for row in some):
            continue
        asked = [row for row in some if row.asked]
        answers = [
            Answer(row.item, (row.answer or "") if "read" in row.measures else row.reply)
            for row in asked
            if row.unscored is None
        ]
        contexts = []
        for line in handed.of(world):
            told = json.loads(line)
            contexts.append(Context(told["id"], told["text"], told["left_out"]))
        replies = [
            Reply(row.item, row.reply, Status(row.measures["read"]), row.measures["context"])
            for row in asked
            if "read" in row.measures
        ]
        used = [row.measures["usage"] for row in some if "usage" in row.measures]
        usage = [Usage(Purpose(name), **told) for each in used for name, told in each.items()]
        trace = Trace(played_by(some).moves, tuple(replies), tuple(contexts), tuple(usage))
        worlds.append(Played(suite.bundle(world), episodes(world), tuple(answers), trace))
    return RunRecord(folder, dict(manifest_of(folder)), tuple(worlds))


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files of a run by name, but for where its suite is, seen from there."""
    found = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    lines = found.get("manifest.json", b"").splitlines()
    found["manifest.json"] = b"\n".join(line for line in lines if b'"folder"' not in line)
    return found
