"""Terminal tables of Task2Quiz: every share, the paper's Tables 1 and 2, and its Figures 4 and 8.

A share never stands without its count: ``0.83 (5 of 6)``. Of models also calls, tokens and cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.markup import escape
from rich.table import Table

from worldquiz.page.labels import decimal, told_apart
from worldquiz.page.terminal import titled
from worldquiz.runs.executor import Done, silent
from worldquiz.t2q.agents.catalog import ROLES
from worldquiz.t2q.question import MIX
from worldquiz.t2q.run_folder import manifest_of, names_of
from worldquiz.t2q.scores import COUNTED, Scores, of_run
from worldquiz.t2q.suites import Bundle, Suite

HEADINGS: Mapping[str, str] = {key: key.replace("_", " ") for key in COUNTED} | {
    "ceiling": "at most, as shown",
    "accuracy_answerable": "accuracy on answerable",
    "tsr": "TSR",
    "eus": "EUS",
}
"""Names of the shares in tables."""


def bounds() -> dict[str, str]:
    """Return the baselines among agents and answerers, each with its role."""
    return dict(ROLES)


def tables(runs: Iterable[Path]) -> Iterator[Table]:
    """Yield runs beside each other: all shares, by type and level, and what models used."""
    manifests = {run: manifest_of(run) for run in runs}
    who = {run: " + ".join(names_of(manifest)) for run, manifest in manifests.items()}
    names = told_apart(manifests, who)
    scored = [(names[run], of_run(run)) for run in manifests]
    shares = _table(None, (HEADINGS[key] for key in COUNTED))
    for name, found in scored:
        shares.add_row(escape(name), *(_share(found, key) for key in COUNTED))
    shares.caption = (
        "Knowledge is corrected for guessing: who only guesses has 0. Behind it stand its 95 % "
        "interval and how many questions count; behind the shares, what they are shares of."
    )
    yield shares
    yield _by("Knowledge by type of question", scored, "by_type", "knowledge")
    title = "Table 2: TSR, and EUS by type of question"
    yield _by(title, scored, "by_type", "eus", "tsr", "eus", marked=True)
    yield _by("Knowledge by level", scored, "by_level", "knowledge")
    yield _by("Figure 4: TSR by level", scored, "by_level", "tsr")
    yield _by("Figure 4: EUS by level", scored, "by_level", "eus")
    columns = ("for", "calls", "prompt tokens", "reply tokens", "dollars")
    calls = _table("Calls of models", columns)
    for name, found in scored:
        whole = found.get("usage", {"calls": 0, "by_purpose": {}})
        for purpose, part in {"all": whole, **whole["by_purpose"]}.items():
            if part["calls"] or (purpose == "all" and "usage" in found):
                cost = "?" if part["cost"] is None else f"{part['cost']:,.2f}"
                numbers = (f"{part[key]:,}" for key in ("calls", "input", "output"))
                calls.add_row(escape(name), purpose, *numbers, cost)
    if calls.row_count:
        yield calls


def _share(block: Mapping[str, Any], key: str) -> str:
    """Return one share of the whole, a type or a level, with its count; knowledge as a mean."""
    if key == "knowledge":
        interval = r" \[{:.2f}, {:.2f}]".format(*block["ci"][key]) if block["ci"][key] else ""
        return f"{decimal(block[key])}{interval} ({block['counts']['counted']:,})"
    above, below = (block["counts"][name] for name in COUNTED[key])
    return f"{decimal(block[key])} ({round(above, 1):.10g} of {below:.10g})"


def _by(
    title: str,
    scored: Sequence[tuple[str, Scores]],
    group: str,
    key: str,
    *whole: str,
    marked: bool = False,
) -> Table:
    """Return a share by type or level, then shares of the whole, a row a run.

    Marked, the best of a column is bold and the second-best underlined, as in the paper's Table 2,
    among runs without a baseline.
    """
    names = list(dict.fromkeys(name for _, found in scored for name in found[group]))
    table = _table(title, [*names, *(HEADINGS[each] for each in whole)])
    parts = [run.partition(" (")[0].split(" + ") for run, _ in scored]
    compete = [marked and ROLES.keys().isdisjoint(each) for each in parts]
    columns = [_column([found[group].get(name) for _, found in scored], key, compete)
               for name in names]  # fmt: skip
    columns += [_column([found for _, found in scored], each, compete) for each in whole]
    for (run, _), *cells in zip(scored, *columns, strict=True):
        table.add_row(escape(run), *cells)
    return table


def _column(
    blocks: Sequence[Mapping[str, Any] | None], key: str, compete: Sequence[bool]
) -> Iterator[str]:
    shares = [
        block[key] if block and competes else None
        for block, competes in zip(blocks, compete, strict=True)
    ]
    best = sorted({each for each in shares if each is not None}, reverse=True)[:2]
    styles = dict(zip(best, ("bold", "underline"), strict=True)) if len(best) > 1 else {}
    for block, value in zip(blocks, shares, strict=True):
        text = _share(block, key) if block else ""
        style = styles.get(value)
        yield f"[{style}]{text}[/{style}]" if style else text


def _table(title: str | None, columns: Iterable[str]) -> Table:
    table = titled(title)
    table.add_column("agent + answerer")
    for name in columns:
        table.add_column(name, justify="right")
    return table


_COLUMNS = {
    "coverage": "answerable",
    "accuracy_answerable": "right of these",
    "accuracy_non_answerable": "right of the others",
    "from_answerable": "share of right answers that were answered",
}


def figure_8(document: dict[str, Any]) -> Iterator[Table]:
    """Return by type how much was answerable, and where right answers come from."""
    title = f"{document['run']}: questions answerable by the paper's rule, and its Figure 8"
    table = titled(title)
    for column in ("", "questions", *_COLUMNS.values()):
        table.add_column(column, justify="right" if column else "left")
    for type, split in document["split"].items():
        block = document if type == "all" else document["by_type"][type]
        cells = (decimal({**block, **split}[key]) for key in _COLUMNS)
        table.add_row(type, f"{block['counts']['questions']:,}", *cells)
    yield table


TABLE_1: dict[str, dict[str, Any]] = {
    level: {
        "worlds": 10,
        "rooms": rooms,
        "objects": objects,
        "tasks": tasks,
        "walkthrough_length": length,
        "questions": questions,
    }
    for level, rooms, objects, tasks, length, questions in (
        ("easy", (3, 5), (6, 10), 2.4, 4.17, 34.6),
        ("medium", (6, 10), (14, 18), 5.7, 5.25, 65.6),
        ("hard", (16, 20), (28, 32), 12.3, 5.78, 94.7),
    )
}
"""Table 1 of arXiv 2601.09503: ranges, then means over 10 worlds a level."""


def stats(suite: Suite) -> dict[str, Any]:
    """Return means per level as the JSON contract states them; shares of types are 0..1."""
    by_level: dict[str, list[Bundle]] = {}
    for bundle in map(suite.bundle, suite.worlds):
        by_level.setdefault(bundle.spec.level, []).append(bundle)
    return {"levels": {level: _level(bundles) for level, bundles in by_level.items()}}


def _level(bundles: Sequence[Bundle]) -> dict[str, Any]:
    plans = [task.walkthrough.commands for bundle in bundles for task in bundle.tasks]
    types = Counter(question.type for bundle in bundles for question in bundle.questions)
    return {
        "worlds": len(bundles),
        "rooms": fmean(len(bundle.spec.rooms) for bundle in bundles),
        "objects": fmean(bundle.spec.objects for bundle in bundles),
        "tasks": fmean(len(bundle.tasks) for bundle in bundles),
        "walkthrough_length": fmean(map(len, plans)) if plans else None,
        "questions": fmean(len(bundle.questions) for bundle in bundles),
        "types": {
            type: types[type] / max(types.total(), 1) for type in dict.fromkeys((*MIX, *types))
        },
    }


def table_1(levels: Mapping[str, Mapping[str, Any]]) -> Iterator[Table]:
    """Yield Table 1 of arXiv 2601.09503 and the shares of types, ours beside the paper's."""
    sizes = titled("Means per world, beside Table 1 of the paper")
    sizes.add_column("")
    for level in levels:
        sizes.add_column(level, justify="right")
        if level in TABLE_1:
            sizes.add_column("paper", justify="right", style="dim")
    for row in ("worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions"):
        cells = []
        for level, found in levels.items():
            for value in (found[row], *([TABLE_1[level][row]] if level in TABLE_1 else [])):
                if isinstance(value, tuple):
                    cells.append("{}-{}".format(*value))
                else:
                    cells.append("" if value is None else f"{value:.2f}".rstrip("0").rstrip("."))
        sizes.add_row(row.replace("_", " "), *cells)
    yield sizes
    mix = titled("Question types, share of all questions")
    for name in ("", *levels, "all", "paper"):
        mix.add_column(name, justify="right" if name else "left")
    asked = {level: found["worlds"] * found["questions"] for level, found in levels.items()}
    for type, count in MIX.items():
        shares = {level: found["types"][type] for level, found in levels.items()}
        whole = sum(shares[level] * asked[level] for level in levels) / (sum(asked.values()) or 1)
        every = (*shares.values(), whole, count / sum(MIX.values()))
        mix.add_row(type, *(f"{share:.1%}" for share in every))
    yield mix


def covers(suite: Suite, done: Done = silent) -> dict[str, dict[str, Any]]:
    """Return each world's number of tasks beside the fewest that would do, None if not proven.

    Raises `MissingExtra` without OR-Tools.
    """
    from worldquiz.t2q.tasks.targets import cover_sizes

    found = {}
    for world in suite.worlds:
        found[world] = cover_sizes(suite.bundle(world).spec)
        done(world)
    return found


def cover_gap(covers: Mapping[str, Mapping[str, Any]]) -> str:
    """Say how far Algorithm 1 is from the fewest tasks that would do."""
    proven = [cover for cover in covers.values() if cover["exact"] is not None]
    greedy, exact = (sum(cover[which] for cover in proven) for which in ("greedy", "exact"))
    gap = f" ({greedy / exact - 1:+.1%})" if proven else ""
    return (
        f"Greedy cover (Algorithm 1): {greedy} tasks; exact cover: {exact}{gap}; proven for "
        f"{len(proven)} of {len(covers)} worlds."
    )
