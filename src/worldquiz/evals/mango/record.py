"""Recording mazes from a folder of games, and comparing them with MANGO's published maps.

Recorded and published maps call places differently, so names are aligned first: each recorded place
is the published one that the walkthrough's steps most often say it is. Two recorded places that the
published map calls by one name count as that one; a move between such two is in no map of it and is
counted apart. Precision says how much of what was recorded is published, recall the reverse.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError
from worldquiz.evals._jobs import Done, each, silent
from worldquiz.model.io import write_json
from worldquiz.model.maze import Edge, Maze
from worldquiz.worlds.maze.mango import Home, Layout, games, read
from worldquiz.worlds.maze.recorder.record import Recording, record, replayed
from worldquiz.worlds.maze.recorder.trace import PATIENCE
from worldquiz.worlds.maze.write import write_recording

_STORY = re.compile(r"\.z[1-8]$", re.IGNORECASE)
_ACT = re.compile(r"^\s*\d+:\s?(.*)$")
_MOVE = re.compile(r"^(.+?) --> (.+?) --> (.+), step (\d+), answerable \d+$")

Key = tuple[str, str, str]
"""An edge: source, action, target."""


@dataclass(frozen=True, slots=True)
class Share:
    """How much of what was recorded is right, and how much of what is published was found."""

    right: int = 0
    recorded: int = 0
    found: int = 0
    published: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(
            self.right + other.right,
            self.recorded + other.recorded,
            self.found + other.found,
            self.published + other.published,
        )

    @property
    def precision(self) -> float | None:
        """Right of recorded; None where nothing was recorded."""
        return self.right / self.recorded if self.recorded else None

    @property
    def recall(self) -> float | None:
        """Found of published; None where nothing is published."""
        return self.found / self.published if self.published else None

    def record(self) -> dict[str, Any]:
        """Return the two figures with their counts."""
        return {
            "precision": self.precision, "recall": self.recall, "right": self.right,
            "recorded": self.recorded, "found": self.found, "published": self.published,
        }  # fmt: skip


KINDS = ("nodes", "forward", "imputed", "edges")


@dataclass(frozen=True, slots=True)
class Missing:
    """A move that the game makes and the published map lacks."""

    edge: Edge
    replayed: bool  # it led there once more, in a run of its own


@dataclass(frozen=True, slots=True)
class Comparison:
    """A recorded maze beside a published one."""

    shares: Mapping[str, Share]  # by `KINDS`
    names: Mapping[str, str]  # published name of each recorded place that has one
    missing: tuple[Missing, ...]  # moves that the published map lacks
    lost: tuple[Key, ...]  # published edges that were not recorded
    merged: int  # recorded moves between places that the published map holds for one

    @property
    def confirmed(self) -> Share:
        """All edges, where a move that the published map lacks counts as right if replayed."""
        share = self.shares["edges"]
        extra = sum(missing.replayed for missing in self.missing)
        return Share(share.right + extra, share.recorded, share.found, share.published)


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one game."""

    game: str
    recording: Recording | None
    comparison: Comparison | None
    fault: str | None  # why it could not be recorded


@dataclass(frozen=True, slots=True)
class Job:
    """One game to record."""

    story: Path
    commands: tuple[str, ...] | None  # None: Jericho's own walkthrough
    published: Home | None
    patience: float


def stories(folder: Path) -> list[Path]:
    """Return the story files of a folder, or the one that is given, by name."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder of games")
    found = sorted(path for path in folder.iterdir() if _STORY.search(path.name))
    if not found:
        raise RecordError(f"{folder}: no story file here (GAME.z3, GAME.z5, GAME.z8 …)")
    doubled = [name for name, count in Counter(path.stem for path in found).items() if count > 1]
    if doubled:
        raise RecordError(f"{folder}: two games are called {doubled[0]!r}; rename one")
    return found


def commands_for(story: Path, folder: Path | None) -> tuple[str, ...] | None:
    """Return the commands to play a game by, from ``GAME.walkthrough_acts``; None if it has none.

    They lie in `folder`, or else beside the game: one a line, with or without ``NUMBER:``.
    """
    path = (folder or story.parent) / f"{story.stem}.walkthrough_acts"
    if not path.is_file():
        return None
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error
    numbered = [_ACT.match(line) for line in lines if line.strip()]
    if all(numbered):
        return tuple(match[1] for match in numbered if match)
    return tuple(line.strip() for line in lines if line.strip())


def record_all(
    stories: Sequence[Path],
    out: Path,
    *,
    commands: Path | None = None,
    compare: Path | None = None,
    jobs: int = 1,
    patience: float = PATIENCE,
    done: Done = silent,
) -> list[Made]:
    """Record games into a folder, in MANGO's formats; return what became of each, by name.

    A game that cannot be recorded is told of and keeps no other from being recorded.
    """
    published = {} if compare is None else _published(compare)
    todo = [
        Job(path, commands_for(path, commands), published.get(path.stem), patience)
        for path in stories
    ]
    made = []
    for job, result in each(partial(_made, out), todo, jobs=jobs):
        made.append(result)
        done(job.story.stem)
    return sorted(made, key=lambda result: result.game)


def _published(folder: Path) -> dict[str, Home]:
    """Return the published maps of a folder: full ones where there are, else the 70-step ones."""
    homes = {home.game: home for home in games(folder, Layout.STEPS70)}
    for home in games(folder, Layout.FULL):
        if (home.folder / f"{home.game}.nodes.json").is_file():
            homes[home.game] = home
    return homes


def _made(out: Path, job: Job) -> Made:
    name = job.story.stem
    try:
        recording = record(job.story, job.commands, patience=job.patience)
    except WorldError as error:
        return Made(name, None, None, str(error))
    write_recording(recording, out)
    comparison = None
    if job.published is not None:
        again = partial(replayed, recording, patience=job.patience)
        comparison = compared(recording, read(job.published), walk(job.published), again)
    result = Made(name, recording, comparison, None)
    write_json(out / name / "recording.json", _document(result))
    return result


def walk(home: Home) -> list[tuple[int, Key]] | None:
    """Return every move of a published walkthrough with its step, where its map tells them all."""
    path = home.folder / f"{home.game}.map.human"
    if not path.is_file():
        return None
    found = []
    for line, text in enumerate(path.read_text("utf-8").splitlines(), start=1):
        match = _MOVE.match(text)
        if match is None:
            raise RecordError(f"{path}:{line}: {text!r}, wanted 'A --> north --> B, step 1, …'")
        found.append((int(match[4]), (match[1].lower(), match[2].lower(), match[3].lower())))
    return found


def compared(
    recording: Recording,
    published: Maze,
    moves: Iterable[tuple[int, Key]] | None,
    again: Callable[[Edge], bool],
) -> Comparison:
    """Compare a recording with a published maze; `again` replays a move.

    Without `moves`, each edge's first step stands for all its steps.
    """
    steps = _first_moves(published) if moves is None else moves
    names = aligned(recording.where, steps)
    kept = _until(recording.maze, published.steps)
    merged = [edge for edge in kept if _merged(edge, names)]
    recorded = {edge: _key(edge, names) for edge in kept if edge not in merged}
    theirs = {(edge.source, edge.action, edge.target): edge for edge in published.edges}
    ours = set(recorded.values())
    shares = {
        "nodes": _nodes(kept, published, names),
        "forward": _share(recorded, theirs, lambda edge: not edge.imputed),
        "imputed": _share(recorded, theirs, lambda edge: edge.imputed),
        "edges": _share(recorded, theirs, lambda edge: True),
    }
    missing = tuple(
        Missing(edge, again(edge)) for edge, key in recorded.items() if key not in theirs
    )
    lost = tuple(key for key in theirs if key not in ours)
    return Comparison(shares, names, missing, lost, len(merged))


def aligned(where: Sequence[str | None], moves: Iterable[tuple[int, Key]]) -> dict[str, str]:
    """Return the published name of each recorded place: the majority of the steps, ties by name."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for step, (source, _, target) in moves:
        for at, name in ((step - 1, source), (step, target)):
            place = where[at] if at < len(where) else None
            if place is not None:
                votes[place][name] += 1
    return {
        place: min(count, key=lambda name: (-count[name], name)) for place, count in votes.items()
    }


def _first_moves(maze: Maze) -> Iterator[tuple[int, Key]]:
    for edge in maze.edges:
        if edge.seen.forward is not None:
            yield edge.seen.forward, (edge.source, edge.action, edge.target)


def _until(maze: Maze, steps: int) -> list[Edge]:
    """Return the edges as the first steps show them, whether or not the text names their ends."""
    cut = [replace(edge, seen=edge.seen.until(steps)) for edge in maze.edges]
    return [edge for edge in cut if edge.seen.first is not None]


def _merged(edge: Edge, names: Mapping[str, str]) -> bool:
    ends = names.get(edge.source), names.get(edge.target)
    return edge.source != edge.target and ends[0] is not None and ends[0] == ends[1]


def _key(edge: Edge, names: Mapping[str, str]) -> Key:
    """Return an edge in published names; a place without one keeps its own, marked as such."""
    source, target = (
        names.get(place, f"{place} (recorded only)") for place in (edge.source, edge.target)
    )
    return source, edge.action, target


def _nodes(edges: Sequence[Edge], published: Maze, names: Mapping[str, str]) -> Share:
    recorded = {place for edge in edges for place in (edge.source, edge.target)}
    known = set(published.places)
    right = {place for place in recorded if names.get(place) in known}
    found = {names[place] for place in right}
    return Share(len(right), len(recorded), len(found), len(known))


def _share(
    recorded: Mapping[Edge, Key], theirs: Mapping[Key, Edge], wanted: Callable[[Edge], bool]
) -> Share:
    """Compare one sort of edges: of ours against all of theirs, and of theirs against all ours."""
    mine = {key for edge, key in recorded.items() if wanted(edge)}
    wants = {key for key, edge in theirs.items() if wanted(edge)}
    return Share(
        len(mine & theirs.keys()), len(mine), len(wants & set(recorded.values())), len(wants)
    )


def report(made: Sequence[Made]) -> dict[str, Any]:
    """Return what became of all games: each one's figures, and the micro averages of them all."""
    compared_ = [result.comparison for result in made if result.comparison is not None]
    document: dict[str, Any] = {
        "games": {result.game: _document(result) for result in made if result.recording},
        "failed": {result.game: result.fault for result in made if result.fault is not None},
    }
    if compared_:
        sums = {kind: sum((c.shares[kind] for c in compared_), Share()) for kind in KINDS}
        confirmed = sum((c.confirmed for c in compared_), Share())
        document["micro"] = {kind: share.record() for kind, share in sums.items()}
        document["micro"]["edges_confirmed"] = confirmed.record()
        document["compared"] = len(compared_)
        document["missed_by_published"] = [
            {"game": result.game, **_missing(missing, result.comparison)}
            for result in made
            if result.comparison is not None
            for missing in result.comparison.missing
        ]
    return document


def size(maze: Maze) -> dict[str, int]:
    """Return how large a maze is."""
    return {
        "places": len(maze.places),
        "edges": len(maze.edges),
        "imputed": sum(edge.imputed for edge in maze.edges),
        "steps": maze.steps,
    }


def _document(result: Made) -> dict[str, Any]:
    recording, comparison = result.recording, result.comparison
    assert recording is not None
    document: dict[str, Any] = {
        "size": size(recording.maze),
        "unsure": [
            {"kind": doubt.kind, "about": doubt.about, "why": doubt.why}
            for doubt in recording.doubts
        ],
    }
    if comparison is not None:
        document |= {kind: comparison.shares[kind].record() for kind in KINDS}
        document["edges_confirmed"] = comparison.confirmed.record()
        document["merged_moves"] = comparison.merged
        document["names"] = dict(comparison.names)
        document["missed_by_published"] = [_missing(m, comparison) for m in comparison.missing]
        document["missed_by_recorder"] = [list(key) for key in comparison.lost]
    return document


def _missing(missing: Missing, comparison: Comparison) -> dict[str, Any]:
    edge = missing.edge
    source, action, target = _key(edge, comparison.names)
    return {
        "source": source, "action": action, "target": target, "step": edge.seen.first,
        "imputed": edge.imputed, "replayed": missing.replayed,
    }  # fmt: skip
