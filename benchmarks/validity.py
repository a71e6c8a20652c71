"""Is the quiz valid? Fresh worlds, four agents, ceiling, floors, and every constant answer.

    uv run python benchmarks/validity.py [--worlds 30] [--seed 4242] [--jobs 2] [--json]

On `--worlds` worlds a level, for the walkthrough, random, explorer and idle agents:

* every walkthrough wins in the real game, and the tasks cover every room and entity;
* the `worldgraph` answerer, which reads text alone, is right on every answerable question and
  abstains on every other: what was not shown is not settled by the text either;
* the floors: abstainer and prior, and the best constant answer of each type and format.

The exit status is 1 if the first two do not hold, or a constant answer is right on more than 60 %
of the answerable questions of a type and format.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from worldquiz.facts.question import Graded, Which, gold
from worldquiz.t2q.builder import build
from worldquiz.t2q.pipeline import scores
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.run import Trial, run
from worldquiz.t2q.store import Played, RunRecord
from worldquiz.t2q.suites import Plan, Suite
from worldquiz.t2q.verify import record, verify

PLAYERS = ("walkthrough", "random", "explorer", "idle")
CONSTANT_LIMIT = 0.6
FLOOR_KEYS = ("knowledge", "tsr", "eus", "known", "accuracy_answerable")
LEAST = 50  # answerable questions of a type and format below which a share says little


@dataclass
class Report:
    """What was measured."""

    sound: dict[str, object]
    ceiling: dict[str, dict[str, int]] = field(default_factory=dict)  # by agent
    floors: dict[str, dict[str, object]] = field(default_factory=dict)
    constants: dict[str, dict[str, object]] = field(default_factory=dict)  # by type and format

    @property
    def valid(self) -> bool:
        """Whether everything holds that must."""
        agreed = all(
            not counts["wrong"] + counts["overclaimed"] for counts in self.ceiling.values()
        )
        fair = all(float(str(c["share"])) <= CONSTANT_LIMIT for c in self.constants.values())
        return bool(self.sound["sound"]) and agreed and fair


def agreement(whole: RunRecord) -> dict[str, int]:
    """Count where the text-only answerer and the exam agree."""
    counts = Counter({"answerable": 0, "non_answerable": 0, "wrong": 0, "overclaimed": 0})
    for result in (r for played in whole.worlds for r in results(played)):
        right = isinstance(result.score, Graded) and result.score.value == 1
        if result.answerable is None:
            counts["non_answerable"] += 1
            counts["overclaimed"] += not right
        else:
            counts["answerable"] += 1
            counts["wrong"] += not right
    return dict(counts)


def constants(worlds: Iterable[Played]) -> dict[str, dict[str, object]]:
    """Return the best constant answer of each type and format, a choice's place for `which`."""
    answers: dict[str, Counter[str]] = defaultdict(Counter)
    for played in worlds:
        questions = {question.id: question for question in played.bundle.questions}
        for result in results(played):
            if result.answerable is not None:
                question = questions[result.question]
                name = gold(question)
                if isinstance(question, Which):
                    name = f"choice {question.choices.index(question.answer) + 1}"
                answers[f"{result.type}/{result.format}"][name] += 1
    best = {}
    for kind, counter in sorted(answers.items()):
        (answer, count), total = counter.most_common(1)[0], counter.total()
        if total >= LEAST:
            best[kind] = {"answer": answer, "share": round(count / total, 3), "asked": total}
    return best


def measure(suite: Suite, folder: Path, jobs: int, seed: int) -> Report:
    """Play everything and count."""
    report = Report(sound=record(verify(suite, jobs=jobs)))
    played: list[Played] = []
    for agent in PLAYERS:
        whole = run(suite, Trial(agent, "worldgraph", seed), folder / agent, jobs=jobs)
        report.ceiling[agent] = agreement(whole)
        played += whole.worlds
    for agent, answerer in (("walkthrough", "constant"), ("walkthrough", "abstainer"),
                          ("idle", "constant"), ("idle", "abstainer")):  # fmt: skip
        whole = run(suite, Trial(agent, answerer, seed), folder / f"{agent}-{answerer}", jobs=jobs)
        found = dict(scores(whole))
        report.floors[f"{agent} + {answerer}"] = {key: found[key] for key in FLOOR_KEYS}
    report.constants = constants(played)
    return report


def show(report: Report, console: Console) -> None:
    """Print the tables."""
    console.print("Walkthroughs and covers:", report.sound)
    table = Table("agent", "answerable", "wrong", "non-answerable", "not abstained",
                  title="worldgraph, text alone")  # fmt: skip
    for agent, counts in report.ceiling.items():
        keys = ("answerable", "wrong", "non_answerable", "overclaimed")
        table.add_row(agent, *(str(counts[key]) for key in keys))
    console.print(table)
    table = Table("floor", "knowledge", "TSR", "EUS", "known", "accuracy on answerable")
    for name, values in report.floors.items():
        table.add_row(name, *(f"{v:.3f}" if isinstance(v, float) else "-" for v in values.values()))
    console.print(table)
    table = Table("type / format", "best constant", "share of answerable", "of")
    for kind, best in report.constants.items():
        table.add_row(kind, *(str(best[key]) for key in ("answer", "share", "asked")))
    console.print(table)
    console.print("valid" if report.valid else "NOT VALID")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=30, help="worlds a level")
    parser.add_argument("--seed", type=int, default=4242)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="worldquiz-validity-") as scratch:
        folder = Path(scratch)
        plan = Plan(preset="paper", seed=options.seed, worlds=options.worlds)
        suite = build(plan, folder / "suite", jobs=options.jobs)
        report = measure(suite, folder, options.jobs, options.seed)
    if options.json:
        print(json.dumps({**asdict(report), "valid": report.valid}, indent=2, sort_keys=True))
    else:
        show(report, Console())
    return 0 if report.valid else 1


if __name__ == "__main__":
    sys.exit(main())
