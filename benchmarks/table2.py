"""Table 2 as the paper prints it, and our lower and upper bounds on our own worlds.

    uv run python benchmarks/table2.py [--folder DIR] [--jobs 2] [--write PAGE]

Builds the preset `paper` with seed 7, runs the scripted agents and answerers, and prints both
tables as Markdown. With `--write`, they replace the text between that page's marks. With
`--folder`, suite and runs are kept there, and a second call does not play them again.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.t2q import build
from worldquiz.t2q.question import MIX

SEED = 7
TASKS = 224
"""Number of tasks in the paper's 30 worlds, as stated there."""


class Published(NamedTuple):
    """A row of Table 2 (arXiv 2601.09503), in percent."""

    model: str
    method: str
    tsr: float
    types: tuple[float, ...]  # EUS, in the order of `Type`
    eus: float

    @property
    def fits(self) -> bool:
        """True if all entries are shares of whole questions or tasks, and add up to the total."""
        right = [_whole(share, n) for share, n in zip(self.types, MIX.values(), strict=True)]
        known = [count for count in right if count is not None]
        total = 100 * sum(known) / sum(MIX.values())
        return (
            len(known) == len(right)
            and abs(total - self.eus) < 0.0051
            and _whole(self.tsr, TASKS) is not None
        )


PUBLISHED = (
    Published("GPT-5.1", "–", 68.75, (62.52, 51.66, 45.68, 43.53, 35.93), 50.23),
    Published("GLM-4.6", "In-context", 61.16, (62.85, 56.40, 53.33, 38.24, 35.65), 52.41),
    Published("GLM-4.6", "Mem0", 39.29, (55.32, 52.84, 50.37, 24.71, 28.41), 46.21),
    Published("GLM-4.6", "LangMem", 51.34, (60.23, 59.72, 57.04, 33.53, 30.08), 51.65),
    Published("GLM-4.6", "A-MEM", 42.86, (56.46, 58.53, 52.59, 27.65, 27.30), 48.30),
    Published("DeepSeek-V3.2", "In-context", 63.84, (68.41, 59.48, 53.09, 49.41, 27.58), 54.25),
    Published("DeepSeek-V3.2", "Mem0", 43.30, (61.87, 60.66, 53.58, 44.71, 28.97), 52.41),
    Published("DeepSeek-V3.2", "LangMem", 54.46, (66.94, 57.35, 50.37, 44.12, 27.86), 52.36),
    Published("DeepSeek-V3.2", "A-MEM", 45.54, (66.94, 59.00, 56.05, 46.47, 30.36), 54.55),
    Published("Qwen3-32B", "In-context", 34.38, (63.38, 69.87, 58.90, 44.30, 43.65), 58.55),
    Published("Qwen3-32B", "Mem0", 18.30, (56.63, 66.82, 58.52, 36.47, 42.90), 54.96),
    Published("Qwen3-32B", "LangMem", 27.68, (61.37, 67.77, 57.28, 37.06, 44.01), 56.63),
    Published("Qwen3-32B", "A-MEM", 18.30, (61.05, 71.33, 66.67, 44.12, 46.52), 60.29),
)
PAIRS = (
    ("idle", "abstainer"),
    ("walkthrough", "constant"),
    ("walkthrough", "sheet"),
    ("random", "worldgraph"),
    ("walkthrough", "worldgraph"),
    ("explorer", "worldgraph"),
)
"""Agents and answerers, lower bounds first."""
_COLUMNS = ("Task Score", *MIX, "EUS")
"""Task success, EUS by type, and EUS in all."""
_BESIDE = ("knowledge", "false answers")
_MARKS = re.compile(r"(<!-- FIGURES -->\n).*(<!-- /FIGURES -->)", re.DOTALL)


def published() -> Iterator[str]:
    """Yield the paper's rows as lines of a Markdown table."""
    yield from _head("Model", "Method", *_COLUMNS)
    for row in PUBLISHED:
        method = row.method if row.fits else f"{row.method} (*)"
        shares = (row.tsr, *row.types, row.eus)
        yield _line(row.model, method, *(f"{share:.2f}" for share in shares))


def ours(folder: Path, jobs: int) -> Iterator[str]:
    """Build and run, then yield our rows as lines of a Markdown table."""
    yield f"### Ours: preset `paper`, seed {SEED}"
    yield ""
    suite = build("paper", seed=SEED, out=folder / "suite", jobs=jobs)
    rows = []
    for agent, quiz in PAIRS:
        run = suite.run(agent=agent, answerer=quiz, out=folder / f"{agent}-{quiz}", jobs=jobs)
        rows.append((agent, quiz, run.scores))
    counts = rows[0][2]["counts"]
    yield (
        f"{counts['worlds']} worlds, {counts['tasks']} tasks, {counts['questions']:,} questions; "
        f"suite digest `{suite.digest[:16]}`."
    )
    yield ""
    yield from _head("Agent", "Answerer", *_COLUMNS, *_BESIDE)
    for agent, quiz, found in rows:
        yield _line(agent, quiz, *_shares(found))
    yield ""


def _shares(found: dict[str, Any]) -> Iterator[str]:
    types = (found["by_type"][name]["eus"] for name in MIX)
    rest = (found[key] for key in ("eus", "knowledge", "false_answers"))
    for share in (found["tsr"], *types, *rest):
        yield "–" if share is None else f"{100 * share:.2f}"


def _whole(share: float, of: int) -> int | None:
    """Return the count behind a percentage with two decimals, None if no count fits."""
    count = round(share * of / 100)
    return count if abs(100 * count / of - share) < 0.0051 else None


def _head(*names: str) -> Iterator[str]:
    yield _line(*names)
    yield _line(*("---" if number < 2 else "---:" for number in range(len(names))))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, then print the tables or write them into a page; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, help="folder that keeps suite and runs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="worldquiz-table2-") as scratch:
        kept = options.folder or Path(scratch)
        lines = [
            "### As published, on the authors' worlds",
            "",
            *published(),
            "",
            *ours(kept / "paper", options.jobs),
        ]
    told = "\n".join(lines)
    if options.write is None:
        print(told)
        return 0
    text = options.write.read_text(encoding="utf-8")
    if not _MARKS.search(text):
        print(f"{options.write}: has no <!-- FIGURES --> ... <!-- /FIGURES -->", file=sys.stderr)
        return 2
    page = _MARKS.sub(lambda marks: marks[1] + told + marks[2], text)
    options.write.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
