"""A benchmark of a stranger, as small as can be: sums to be answered, by a file each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from scored import keep
from worldquiz import AnswerStatus, Benchmark, DataKind, Row, Run, RunKind


@click.group()
def app() -> None:
    """Sums."""


@app.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where the run goes.")
@click.option("--answerer", default="all", help="Who answers: all or none.")
@click.option("--model", help="A model, who answers all.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run(folder: Path, out: Path, answerer: str, model: str | None, as_json: bool) -> None:
    """Answer sums."""
    write(out, "toy-run", answerer=answerer, sums=read(folder)["sums"])
    click.echo(json.dumps({"answered": answerer}) if as_json else "done")


@app.command()
@click.argument("folder", type=click.Path(path_type=Path))
def show(folder: Path) -> None:
    """Print the sums."""
    click.echo(", ".join(read(folder)["sums"]))


def write(folder: Path, kind: str, **told: Any) -> Path:
    """Write a folder of ours."""
    manifest = {"kind": kind, **told}
    if kind == "toy-run":
        return keep(folder, manifest, rows(folder.name, **told))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def read(folder: Path) -> dict[str, Any]:
    """Return what `write` was told."""
    return dict(json.loads((folder / "manifest.json").read_text()))


def rows(run: str, *, answerer: str, sums: Sequence[str], **more: Any) -> Iterable[Row]:
    """Return a row for each sum; even ones are one type, odd ones another."""
    for place, text in enumerate(sums):
        right = answerer == "all"
        yield Row(
            run=run, benchmark="toy", answerer=answerer, world=f"w{place % 3}",
            item=str(place), type=("even", "odd")[place % 2], format="number", prompt=text,
            gold="2", reply="2" if right else "", shown=True, correct=float(right),
            status=AnswerStatus.ANSWERED if right else AnswerStatus.ABSTAINED,
        )  # fmt: skip


def demo(folder: Path, jobs: int) -> Iterable[tuple[str, list[Run]]]:
    """Make a run."""
    yield (
        "1 and 1 is 2.",
        [Run(write(folder / "all", "toy-run", answerer="all", sums=["1+1"]), BENCHMARK)],
    )


BENCHMARK = Benchmark(
    name="toy",
    title="Toy",
    summary="Sums to be answered.",
    data=(DataKind(kind="toy", noun="list of sums", open=read),),
    runs=(RunKind(kind="toy-run", noun="toy run"),),
    commands=lambda: app,
    demo=demo,
)
