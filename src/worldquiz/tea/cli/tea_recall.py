"""``worldquiz tea recall`` and ``tea explored``: what is known of flats after walks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, emit, out, progress, resumable, waiting
from worldquiz.cli.tables import plain
from worldquiz.llm.client import AT_ONCE
from worldquiz.tea.cli import takers
from worldquiz.tea.recall import explore, marks, run
from worldquiz.tea.recall.quiz.exam import EACH
from worldquiz.tea.recall.takers import ERROR, NAMES
from worldquiz.tea.recall.walked import SHEET, VIEWS, Asked, Recall

Data = Annotated[
    Path, typer.Argument(metavar="DIR", help="A folder of generated tasks, with pictures.")
]
Each = Annotated[int, typer.Option(min=1, help="Questions of each kind about a flat, at most.")]
Seed = Annotated[int, typer.Option(help="Equal seeds draw equal questions.")]
_COLUMNS = ("known", "coverage", "accuracy_answerable", "overclaim", "eus")
_COUNTED = {
    "known": ("correct_answerable", "questions"),
    "coverage": ("answerable", "questions"),
    "accuracy_answerable": ("correct_answerable", "answerable"),
    "overclaim": ("overclaimed", "non_answerable"),
    "eus": ("correct", "questions"),
}


def recall(
    data: Data,
    out_folder: Annotated[Path, typer.Option("--out", help="Where the run goes.")],
    views: Annotated[
        int, typer.Option(min=1, help="Pictures of the walk that are shown, from its start.")
    ] = VIEWS,
    loop: Annotated[
        int | None,
        typer.Option(min=1, help="Show views of this loop only: 1 walked at random."),
    ] = None,
    taker: Annotated[
        str | None, typer.Option(help=f"A taker that is no model: {', '.join(NAMES)}.")
    ] = None,
    error: takers.Error = ERROR,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    batch: Annotated[
        int,
        typer.Option(
            min=1, help="Questions of one call, at most.", rich_help_panel=model_options.PANEL
        ),
    ] = SHEET,
    each: Each = EACH,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Ask about flats after the pictures of a walk. Stopped runs go on where they were."""
    who = takers.who(NAMES, taker, error, model, base_url, generate, connections, retries)
    quiz = Recall(data, Asked(views, loop, each, batch, seed))
    with waiting("looking at what was shown"):
        total = len(quiz.sheets)
    with (
        resumable("what was replied is kept: give the same command again to go on"),
        progress(model or taker or "", total) as done,
    ):
        found = run.run(quiz, who, out_folder, done)
    if json:
        emit(found)
    else:
        _print(found)


def explored(
    data: Data,
    views: Annotated[
        list[int] | None, typer.Option(min=1, help="Lengths of walks; give it several times.")
    ] = None,
    marks_file: Annotated[
        Path | None,
        typer.Option(
            "--marks",
            help="Write here, for each navigation and in-view task, whether the agent's camera "
            "had shown its object before (JSONL).",
        ),
    ] = None,
    each: Each = EACH,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Compare what the walks of each loop make knowable, on the same questions."""
    with waiting("looking at what was shown"):
        lengths = sorted(set(views or explore.VIEWS))
        found = explore.explored(data, Asked(each=each, seed=seed), lengths)
        if marks_file is not None:
            found["marks"] = marks.write(data, marks_file)
    if json:
        emit(found)
        return
    rows = [
        (count, *(_part(row[count]) for row in found["loops"].values()),
         *(_gap(row[count]) for row in found["against_loop_1"].values()))
        for count in map(str, found["views"])
    ]  # fmt: skip
    loops = [f"coverage, loop {loop}" for loop in found["loops"]]
    gaps = [f"loop {loop} less loop 1" for loop in found["against_loop_1"]]
    console = out()
    console.print(plain(rows, "views", *loops, *gaps))
    if marks_file is not None:
        told = [(name, *map(str, row.values())) for name, row in found["marks"].items()]
        console.print(plain(told, "tasks whose object was before", *marks.WORDS))


def _print(found: dict[str, Any]) -> None:
    console, counts, whole = out(), found["counts"], found["of_quiz"]
    rows = [(name, *_cells(row)) for name, row in found["by_kind"].items()]
    rows.append(("all", *_cells(found)))
    console.print(
        plain(rows, "kind", "known", "coverage", "accuracy on answerable", "over-claim", "EUS")
    )
    console.print(
        f"{counts['questions']} questions on {counts['flats']} flats after {counts['views']} "
        f"pictures; {counts['unclear']} more have a hint of an answer and no more, and were not "
        f"asked; {counts['ill_formed']} answers could not be read. Of all {whole['questions']}: "
        f"known {whole['known']:.2f}, coverage {whole['coverage']:.2f}."
    )


def _cells(row: dict[str, Any]) -> list[str]:
    return [_share(row, name) for name in _COLUMNS]


def _share(row: dict[str, Any], name: str) -> str:
    above, below = (row["counts"][each] for each in _COUNTED[name])
    return "-" if row[name] is None else f"{row[name]:.2f} ({above} of {below})"


def _part(row: dict[str, Any]) -> str:
    return f"{row['coverage']:.2f} ({row['answerable']} of {row['questions']})"


def _gap(gap: dict[str, Any] | None) -> str:
    if gap is None:
        return "-"
    return f"{gap['value']:+.2f} [{gap['low']:+.2f}, {gap['high']:+.2f}], p = {gap['p']:.3f}"
