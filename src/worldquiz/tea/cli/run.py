"""``worldquiz tea run``, ``recall`` and ``explored``: who answers what, and how well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from worldquiz.cli import model_options
from worldquiz.cli.shell import Json, ShardOption, tell, tell_shard, waiting, working
from worldquiz.cli.tables import plain
from worldquiz.llm.client import AT_ONCE, TIMEOUT
from worldquiz.llm.limits import Limits, seconds
from worldquiz.report.html import many
from worldquiz.runs.losses import lines
from worldquiz.tea import api
from worldquiz.tea.answering import ERROR, NOISY, chosen
from worldquiz.tea.cli.options import Each, Error, Pictured, QuestionSeed, Run, Seed, Tasks
from worldquiz.tea.exam.baselines import NAMES
from worldquiz.tea.exam.sample import TASKS, TRIPS, scarce
from worldquiz.tea.recall import run as recalling
from worldquiz.tea.recall.baselines import NAMES as RECALLERS
from worldquiz.tea.recall.quiz.exam import EACH
from worldquiz.tea.recall.walked import SHEET, VIEWS, Recall, RecallSettings

_COUNTED = {
    "known": ("correct_answerable", "questions"),
    "coverage": ("answerable", "questions"),
    "accuracy_answerable": ("correct_answerable", "answerable"),
    "overclaim": ("overclaimed", "non_answerable"),
    "eus": ("correct", "questions"),
}
"""What each share is of: the counts above and below the line."""


def run(
    ctx: typer.Context,
    data: Pictured,
    out_folder: Run,
    answerer: Annotated[
        str | None,
        typer.Option(
            help=f"Who answers, if no model does: a baseline ({', '.join(NAMES)}), an "
            "answerer of an installed package, or module:Class."
        ),
    ] = None,
    error: Error = ERROR,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    timeout: model_options.Timeout = TIMEOUT,
    max_tokens: model_options.MaxTokens = None,
    max_time: model_options.MaxTime = None,
    retry_failed: model_options.RetryFailed = False,
    tasks: Tasks = TASKS,
    walks: Annotated[
        int, typer.Option(min=0, help="Number of walks, of ten moves at most.")
    ] = TRIPS,
    seed: Seed = 0,
    shard: ShardOption = None,
    json: Json = False,
) -> None:
    """Have a balanced sample of the tasks answered; a stopped run can be resumed."""
    _check(ctx)
    opened = api.TaskFolder(data)
    with working(model or answerer or "", tasks + walks, "what was replied is kept") as done:
        finished = opened.run(
            answerer, error=error, model=model, base_url=base_url,
            generate=model_options.settings(generate), connections=connections, retries=retries,
            tasks=tasks, walks=walks, seed=seed, shard=shard, out=out_folder,
            limits=Limits(None, max_tokens, seconds(max_time)), timeout=timeout,
            retry_failed=retry_failed, progress=done,
        )  # fmt: skip
    if shard is not None:
        tell_shard(out_folder, json=json)
        return
    found = finished.scores
    tell(found, [*exam_tables(found), *lines(found)], json=json)


def _check(ctx: typer.Context) -> None:
    """Raise `KnobError` for options that the answerer would ignore."""
    model_options.check_model(ctx)
    if ctx.params["answerer"] != NOISY:
        model_options.check_needs(ctx, ["error"], f"--answerer {NOISY}")


def exam_tables(found: dict[str, Any]) -> Iterator[Any]:
    """Yield the scores of a run as tables and lines for a terminal."""
    rows = [
        (name, _mean(cell["mean"]), str(cell["asked"]), str(cell["ill_formed"]),
         _chance(found["chance"][name]))
        for name, cell in found["types"].items()
    ]  # fmt: skip
    every = found["all"]
    rows.append(("all", _mean(every["mean"]), str(every["asked"]), str(every["ill_formed"]), ""))
    yield plain(rows, "type", "score", "asked", "ill-formed", "chance")
    left_out = [name for name, told in found["there"].items() if not told["matched"]]
    if left_out:
        yield f"not asked, because the question alone gives the answer: {', '.join(left_out)}"
    if found["short"]:
        yield scarce(found["short"])
    walked = found["navigation"]
    if walked["trips"]:
        measures = [
            ("gain", _mean(walked["gain"])),
            ("success", _rate(walked["success"])),
            ("steps", _mean(walked["steps"])),
            ("target neglect", _rate(walked["neglect"])),
            ("lack of 3D awareness", _rate(walked["lack_of_3d_awareness"])),
        ]
        yield plain(measures, "navigation", many(walked["trips"], "walk"))


def _chance(told: dict[str, float | None]) -> str:
    """Return the score of the best single reply, and the limit by words if that is higher."""
    one, words = _mean(told["one_answer"]), _mean(told["words_only"])
    return one if words in ("-", one) else f"{one}, by words {words}"


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _rate(told: dict[str, Any]) -> str:
    return f"{_mean(told['rate'])} ({told['count']} of {told['of']})"


def recall(
    ctx: typer.Context,
    data: Pictured,
    out_folder: Run,
    views: Annotated[
        int,
        typer.Option(min=1, help="Number of pictures to show, from the start of the walk."),
    ] = VIEWS,
    loop: Annotated[
        int | None,
        typer.Option(min=1, help="Show pictures of this loop only; loop 1 is a random walk."),
    ] = None,
    answerer: Annotated[
        str | None,
        typer.Option(
            help=f"Who answers, if no model does: a baseline ({', '.join(RECALLERS)}), an "
            "answerer of an installed package, or module:Class."
        ),
    ] = None,
    error: Error = ERROR,
    model: model_options.Model = None,
    base_url: model_options.BaseUrl = None,
    generate: model_options.Generate = None,
    connections: model_options.AtOnce = AT_ONCE,
    retries: model_options.Retries = 5,
    timeout: model_options.Timeout = TIMEOUT,
    max_tokens: model_options.MaxTokens = None,
    max_time: model_options.MaxTime = None,
    retry_failed: model_options.RetryFailed = False,
    batch: Annotated[
        int,
        typer.Option(min=1, help="Most questions in one prompt."),
    ] = SHEET,
    each: Each = EACH,
    seed: QuestionSeed = 0,
    json: Json = False,
) -> None:
    """Ask about apartments after the pictures of a walk; a stopped run can be resumed."""
    _check(ctx)
    who = chosen(
        RECALLERS, answerer, error=error, model=model, base_url=base_url,
        generate=model_options.settings(generate), connections=connections, retries=retries,
        limits=Limits(None, max_tokens, seconds(max_time)), timeout=timeout,
    )  # fmt: skip
    quiz = Recall(data, RecallSettings(views, loop, each, batch, seed))
    with waiting("looking at what was shown"):
        total = len(quiz.sheets)
    with working(model or answerer or "", total, "what was replied is kept") as done:
        found = recalling.run(quiz, who, out_folder, done, retry_failed=retry_failed)
    tell(found, [*recall_tables(found), *lines(found)], json=json)


def recall_tables(found: dict[str, Any]) -> Iterator[Any]:
    """Yield the scores of a run as tables and lines for a terminal."""
    counts, whole = found["counts"], found["of_quiz"]
    rows = [(name, *_cells(row)) for name, row in found["by_kind"].items()]
    rows.append(("all", *_cells(found)))
    yield plain(rows, "kind", "known", "coverage", "accuracy on answerable", "false answers", "EUS")
    unclear = counts["unclear"]
    yield (
        f"{many(counts['questions'], 'question')} on {many(counts['flats'], 'apartment')} after "
        f"{many(counts['views'], 'picture')}. {many(unclear, 'more question')} "
        f"{'was' if unclear == 1 else 'were'} not asked, because the pictures only hint at the "
        f"answer. {many(counts['ill_formed'], 'answer')} could not be read. "
        f"Of all {whole['questions']}: known {whole['known']:.2f}, coverage "
        f"{whole['coverage']:.2f}."
    )


def _cells(row: dict[str, Any]) -> list[str]:
    return [_share(row, name) for name in _COUNTED]


def _share(row: dict[str, Any], name: str) -> str:
    above, below = (row["counts"][each] for each in _COUNTED[name])
    return "-" if row[name] is None else f"{row[name]:.2f} ({above} of {below})"
