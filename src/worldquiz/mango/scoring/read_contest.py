"""Finished runs set side by side: their answers graded, with the mazes that they were about.

A run holds its mazes, so nothing but its folder is needed. Runs may have read different steps and
been asked different questions; a maze that two runs share must be the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.records import used
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.folder import answerer_of, read_mazes, read_run_manifest
from worldquiz.mango.running.replies import key
from worldquiz.mango.running.run import marked_answers
from worldquiz.mango.scoring.contest import Contest, Contestant
from worldquiz.runs.folder import told_apart
from worldquiz.runs.journal import finished


def read_contest(runs: Sequence[Path]) -> Contest:
    """Return finished runs as a contest, in order.

    Raises `RecordError` for a folder that is no finished run, and where two runs have different
    mazes of one name.
    """
    manifests = {run: read_run_manifest(run) for run in runs}
    called = names(manifests)
    return Contest(
        _mazes(manifests),
        tuple(_contestant(run, called[run], manifest) for run, manifest in manifests.items()),
    )


def _mazes(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[str, Maze]:
    found: dict[str, Maze] = {}
    first: dict[str, Path] = {}
    for run, manifest in manifests.items():
        for name, maze in read_mazes(run).items():
            home = first.setdefault(name, run)
            if manifests[home]["mazes"][name] != manifest["mazes"][name]:
                raise RecordError(f"maze {name!r} of {run} is not that of {home}: compare others")
            found.setdefault(name, maze)
    return dict(sorted(found.items()))


def _contestant(run: Path, name: str, manifest: Mapping[str, Any]) -> Contestant:
    marked, _ = marked_answers(run, manifest)
    return Contestant(name, manifest, marked, used(finished(run, key).values()))


def names(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[Path, str]:
    """Call each run by who answered, and by its folder as well where several have the same one."""
    return told_apart({run: answerer_of(manifest) for run, manifest in manifests.items()})
