"""``worldquiz tea write`` and ``tables``: tasks that a model writes, with and without the loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from worldquiz.cli.options import (
    JOBS,
    JSON,
    ON,
    argument,
    command,
    option,
    out,
    settings,
)
from worldquiz.cli.shell import tell, workers, working
from worldquiz.errors import KnobError
from worldquiz.tea.cli.run import MADE, SEED, THRESHOLD
from worldquiz.tea.settings import TeaWritingSettings


@command
@MADE
@out("The folder to write.")
@option("--templates", is_flag=True, help="Write rule-based commands instead of asking a model.")
@settings(TeaWritingSettings)
@JSON
def write(data: Path, out: Path, templates: bool, settings: TeaWritingSettings, json: bool) -> None:
    """Have a model write tasks in scenes, with TEA's loop and without; can be resumed."""
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.data import folders
    from worldquiz.tea.written.write import write as written

    if (settings.model is not None) == templates:
        raise KnobError("give one of --model and --templates: it writes the tasks")
    total = len(folders(data)) * settings.requests
    with working("writing", total, "what was written is kept") as done:
        found = written(data, settings, out, done=done)
    parts = [(scene, part, one) for scene, told in found["scenes"].items()
             for part, one in told["parts"].items()]  # fmt: skip
    dropped = sum((Counter(one["dropped"]) for _, _, one in parts), Counter[str]())
    counts = [
        {"scene": scene, "part": part,
         **{name: one[name] for name in ("tasks", "requests", "repeated")},
         "dropped": sum(one["dropped"].values())}
        for scene, part, one in parts
    ]  # fmt: skip
    reasons = [f"dropped, {reason}: {count}" for reason, count in sorted(dropped.items())]
    tell(found, [table(counts), *reasons, f"written by {found['writer']}, in {out}"], json=json)


@command
@argument(
    "written", "DIR", "Folders that `tea write` made, one for each writer.",
    nargs=-1, required=True,
)  # fmt: skip
@THRESHOLD
@SEED
@JOBS
@ON
@JSON
def tables(
    written: Sequence[Path],
    threshold: float,
    seed: int,
    jobs: int | None,
    on: str | None,
    json: bool,
) -> None:
    """Print Tables 1 and 2 of the paper for written tasks, the paper's numbers beside ours."""
    from worldquiz.tea.written import tables as measured

    scenes = sum(len(measured.written_in(out)["scenes"]) for out in written)
    with working("measuring", scenes, on=on) as done:
        found = measured.tables(
            written, threshold=threshold, seed=seed, jobs=workers(jobs), done=done
        )
    tell(found, _tables(found), json=json)


def _tables(found: dict[str, Any]) -> Iterator[Any]:
    from worldquiz.tea.cli.tables import table
    from worldquiz.tea.written.tables import PAPER, WHOLE, table_1

    at = found["threshold"]
    scenes = [row for row in found["mir"] if (row["compared_by"], row["threshold"]) == (WHOLE, at)]
    paper = [{"writer": PAPER["writer"], **one} for one in PAPER["table_2"]]
    for title, rows in {
        f"Table 1: MIR at a threshold of {at:g}": table_1(found),
        "Differences of sets, scene by scene": found["tests"],
        "MIR by what is compared, and by threshold": found["means"],
        "Scenes": scenes,
        "Table 2: where the tasks are (m, m3): the paper's": paper,
        "Table 2: ours": found["places"],
    }.items():
        yield title
        yield table(rows)
