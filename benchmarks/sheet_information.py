"""What do place, wording and kind of a question tell about the truth? Mutual information.

    uv run python benchmarks/sheet_information.py [--worlds 300] [--seed 90210] [--json]

On `--worlds` uncompiled worlds a level. Of each type of question, in bits:

    yes_no   between truth (is what the question is about so?) and: the place on the sheet (in
             tenths), the polarity (affirmed or denied) and the kinds of what it is about; and
             between the answer (yes or no) and the polarity
    which    between being right and: the place among the choices and the kind of the choice

Beside each stands its permutation null: the 95th percentile of the same number with truths shuffled
`--draws` times, answers and choices each among their own. A share of such numbers of about 5 % is
above its null where nothing is told.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import log2

from rich.console import Console
from rich.table import Table

from worldquiz.facts.question import Question, Which, YesNo
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.world.spec import WorldSpec

Sample = tuple[str, bool]
"""What is seen of a question or choice, and whether it is true or right."""
TENTHS = 10
DENIED = (
    "anywhere but", "no passage", "without", "other than", "wrong", "fail to", "unlocked",
    "not locked", "closed", "shut",
)  # fmt: skip


@dataclass(frozen=True)
class Told:
    """How much one thing that is seen tells about the truth."""

    level: str
    type: str
    format: str
    seen: str
    n: int
    bits: float
    null: float  # 95th percentile of the same with truths shuffled

    @property
    def above(self) -> bool:
        """Whether more is told than by chance, at the 5 % level."""
        return self.bits > self.null


def samples(spec: WorldSpec) -> Iterator[tuple[tuple[str, str, str], Sample]]:
    """Yield of each question of a world, by type, format and what is seen, a sample."""
    questions = bundle(spec).questions
    for place, question in enumerate(questions):
        tenth = str(TENTHS * place // len(questions))
        for seen, value, truth in (*_yes_no(spec, question, tenth), *_which(spec, question)):
            yield (question.type, question.kind, seen), (value, truth)


def _yes_no(spec: WorldSpec, question: Question, tenth: str) -> Iterator[tuple[str, str, bool]]:
    if isinstance(question, YesNo):
        denied = _denied(question)
        truth = question.answer is not denied
        yield "place on the sheet", tenth, truth
        yield "polarity", str(denied), truth
        yield "polarity, of the answer", str(denied), question.answer
        yield "kinds", " ".join(spec.kinds[name] for name in question.about), truth


def _which(spec: WorldSpec, question: Question) -> Iterator[tuple[str, str, bool]]:
    if isinstance(question, Which):
        for place, choice in enumerate(question.choices):
            right = choice == question.answer
            kinds = [
                spec.kinds[n] for n in spec.kinds if choice == n or choice.endswith(f"the {n}")
            ]
            yield "place among the choices", str(place), right
            yield "kind of the choice", kinds[0] if kinds else choice, right


def _denied(question: YesNo) -> bool:
    words = question.text.lower()
    for name in question.about:
        words = words.replace(name, "")  # a shutter is not shut
    return any(word in words for word in DENIED)


def information(pairs: Sequence[Sample]) -> float:
    """Return the mutual information of samples in bits."""
    n = len(pairs)
    both, seen, true = Counter(pairs), Counter(v for v, _ in pairs), Counter(t for _, t in pairs)
    return sum(
        count / n * log2(count * n / (seen[value] * true[truth]))
        for (value, truth), count in both.items()
    )


def told(
    key: tuple[str, str, str], level: str, pairs: Sequence[Sample], draws: int, draw: random.Random
) -> Told:
    """Return what is told by one thing, beside its permutation null."""
    values, truths = [value for value, _ in pairs], [truth for _, truth in pairs]

    def shuffled() -> float:
        return information(list(zip(values, draw.sample(truths, len(truths)), strict=True)))

    null = sorted(shuffled() for _ in range(draws))[int(0.95 * draws)]
    type, form, seen = key
    return Told(level, type, form, seen, len(pairs), information(pairs), null)


def measure(plan: Plan, draws: int, done: Callable[[str], None] = lambda world: None) -> list[Told]:
    """Return what is told at each level of a plan."""
    found: dict[tuple[str, tuple[str, str, str]], list[Sample]] = defaultdict(list)
    for name, spec in worlds(plan).items():
        for key, sample in samples(spec):
            found[spec.level, key].append(sample)
        done(name)
    draw = random.Random(0)
    return [told(key, level, found[level, key], draws, draw) for level, key in sorted(found)]


def show(found: Sequence[Told], console: Console) -> None:
    """Print the table."""
    table = Table("level", "type", "format", "seen", "n", "bits", "null, 95 %", "above")
    for each in found:
        row = (each.level, each.type, each.format, each.seen, f"{each.n:,}")
        table.add_row(*row, f"{each.bits:.5f}", f"{each.null:.5f}", "*" if each.above else "")
    console.print(table)
    above = sum(each.above for each in found)
    console.print(f"{above} of {len(found)} above their nulls; 5 % are by chance")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=300, help="worlds a level")
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    plan = Plan(options.preset, options.seed, options.worlds)
    found = measure(plan, options.draws)
    if options.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
    else:
        show(found, Console(width=120))
    return 0


if __name__ == "__main__":
    sys.exit(main())
