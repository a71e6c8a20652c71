"""Planner benchmark: worldquiz beside pyperplan, Fast Downward and BFS on TextWorld's own state.

    uv sync --group bench && uv run python benchmarks/planner.py [--sizes 40/64 ...] [--json]

All planners get the same targets of the same worlds in one run. Ours is charged for taking the
world apart, shared among these targets; the peers' reading of the problem is not counted. Each peer
solves each target in a process of its own, which is ended after `--cap` seconds. A peer that fails
twice at a size gets no more targets of it, nor any larger size; the table says so.

The exit status is 1 if a plan called shortest is not as long as an optimal peer's.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field

from peers import PEERS, Peer, watched
from rich.console import Console
from rich.progress import track
from rich.table import Table

from worldquiz import rng
from worldquiz.facts.fact import CARRIED, EATEN, IN, ON, OPEN, PLAYER_AT, Fact, State
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.world.config import Knobs
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import MOVABLE, WorldSpec
from worldquiz.t2q.world.task import Proof, Solution

SIZES = ("5/10", "10/18", "20/32", "40/64", "200/400", "1000/2000")
PATIENCE = 2  # failures after which a peer is given up
_HOUR = 3600  # seconds
_WIDTH = 120  # columns that the tables need
REPEATS = 3  # of our own run; the median counts


@dataclass(slots=True)
class Score:
    """How one planner did on the targets of one size."""

    seconds: dict[str, float] = field(default_factory=dict)  # by target
    lengths: dict[str, int] = field(default_factory=dict)
    unproven: list[str] = field(default_factory=list)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Whole:
    """Our planner on all targets of one world."""

    targets: int
    setup_s: float
    plan_s: float
    cpu_s: float  # of set-up and plans
    slowest_ms: float
    shortest: int  # plans proven shortest
    longest_plan: int  # commands
    memory_mib: float  # by which the planner and its plans enlarged the process
    process_mib: float  # peak of the whole process


@dataclass(frozen=True, slots=True)
class Row:
    """All planners on one size; ours is "worldquiz"."""

    size: str
    scores: dict[str, Score]
    whole: Whole

    def ratio(self, peer: str) -> float | None:
        """Return the peer's time by ours on the targets that the peer solved, None if none."""
        theirs, ours = self.scores[peer].seconds, self.scores["worldquiz"].seconds
        return sum(theirs.values()) / sum(ours[goal] for goal in theirs) if theirs else None

    def best(self) -> tuple[float, str] | None:
        """Return the ratio that flatters us least, and whose it is; None if no peer solved any."""
        ratios = [(ratio, p.name) for p in PEERS if (ratio := self.ratio(p.name)) is not None]
        return min(ratios, default=None)

    def mismatches(self) -> Iterator[str]:
        """Say which of our plans are not as long as an optimal peer's."""
        ours = self.scores["worldquiz"]
        for peer in PEERS:
            for goal, length in self.scores[peer.name].lengths.items():
                short = ours.lengths[goal]
                if short != length and (short < length or goal not in ours.unproven):
                    yield f"{self.size} {goal}: ours {short} commands, {peer.name} {length}"


def main() -> int:
    """Run the benchmark; return 1 if an optimal plan of ours is not."""
    options = _options()
    console = Console(stderr=options.json)
    given_up = {peer.name: "not installed" for peer in PEERS if not peer.load()}
    for name in given_up:
        console.print(f"{name} is not installed (uv sync --group bench): left out")
    rows = []
    for size in track(options.sizes, description="sizes", console=console):
        spec = world(size, options.seed)
        goals = sample(spec, options.targets, options.seed)
        scores = {"worldquiz": ours(spec, goals)}
        for peer in PEERS:
            scores[peer.name] = attempt(peer, spec, goals, options.cap, size, given_up)
        rows.append(Row(size, scores, run_whole(spec)))
    wrong = [text for row in rows for text in row.mismatches()]
    if options.json:
        print(json.dumps({"sizes": [as_json(row) for row in rows], "mismatches": wrong}, indent=2))
    else:
        show(Console(width=max(console.width, _WIDTH)), rows, options)
    for text in wrong:
        console.print(f"[red]{text}")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="ROOMS/OBJECTS")
    parser.add_argument("--targets", type=int, default=8, help="targets for all planners (8)")
    parser.add_argument("--cap", type=float, default=30, help="seconds for a peer's plan (30)")
    parser.add_argument("--seed", type=int, default=1, help="of worlds and targets (1)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    for size in options.sizes:
        rooms, _, objects = size.partition("/")
        if not (rooms.isdecimal() and objects.isdecimal()):
            parser.error(f"size {size!r} is not ROOMS/OBJECTS, such as 40/64")
    if options.targets < 1:
        parser.error(f"--targets {options.targets}: at least 1 is needed")
    return options


def world(size: str, seed: int) -> WorldSpec:
    """Return a world of ROOMS/OBJECTS."""
    rooms, objects = (int(part) for part in size.split("/"))
    return generate(Knobs(rooms=(rooms, rooms), objects=(objects, objects)), seed, id=size)


def targets(spec: WorldSpec, seed: int) -> list[Fact]:
    """Return a goal for every room and thing that is not true at the start."""
    draw = rng.child(seed, "benchmark", "targets")
    movables = spec.of_kind(*MOVABLE)
    goals = [_goal(name, kind, movables, draw) for name, kind in spec.kinds.items()]
    return [goal for goal in goals if goal not in spec.initial]


def _goal(name: str, kind: str, movables: Sequence[str], draw: random.Random) -> Fact:
    match kind:
        case "room":
            return PLAYER_AT(name)
        case "door":
            return OPEN(name)
        case "container":
            return draw.choice((OPEN(name), IN(draw.choice(movables), name)))
        case "supporter":
            return ON(draw.choice(movables), name)
        case "food":
            return EATEN(name)
    return CARRIED(name)


def sample(spec: WorldSpec, count: int, seed: int) -> list[Fact]:
    """Return some of the targets, drawn by seed."""
    goals = targets(spec, seed)
    return rng.child(seed, "benchmark", "sample").sample(goals, min(count, len(goals)))


def ours(spec: WorldSpec, goals: Sequence[Fact]) -> Score:
    """Plan the goals; each is charged its share of the set-up."""
    runs = [_timed(spec, goals) for _ in range(REPEATS)]
    score = Score()
    for number, goal in enumerate(goals):
        score.seconds[str(goal)] = statistics.median(times[number] for times, _ in runs)
        plan = runs[0][1][number]
        score.lengths[str(goal)] = len(plan.commands)
        if plan.proof is Proof.DEPENDENCY:
            score.unproven.append(str(goal))
    return score


def _timed(spec: WorldSpec, goals: Sequence[Fact]) -> tuple[list[float], list[Solution]]:
    state = spec.initial
    start = time.perf_counter()
    planner = Planner(state)
    share = (time.perf_counter() - start) / len(goals)
    times, plans = [], []
    for goal in goals:
        start = time.perf_counter()
        plans.append(planner.plan(goal))
        times.append(share + time.perf_counter() - start)
    return times, plans


def run_whole(spec: WorldSpec) -> Whole:
    """Plan all targets of a world in a process of its own."""
    state = spec.initial  # completed here, so that its facts do not count as the planner's memory
    goals = targets(spec, spec.seed)

    def work(tell: Callable[[object], None]) -> None:
        tell(None)
        tell(_whole(state, goals))

    whole = watched(work, "not started", f"not planned in {_HOUR} s", _HOUR)
    if not isinstance(whole, Whole):
        raise RuntimeError(f"planning all targets of {spec.id} failed: {whole}")
    return whole


def _whole(state: State, goals: Sequence[Fact]) -> Whole:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu, start = time.process_time(), time.perf_counter()
    planner = Planner(state)
    setup = time.perf_counter() - start
    plans, times = [], []
    for goal in goals:
        start = time.perf_counter()
        plans.append(planner.plan(goal))
        times.append(time.perf_counter() - start)
    cpu = time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Whole(
        targets=len(goals),
        setup_s=setup,
        plan_s=sum(times),
        cpu_s=cpu,
        slowest_ms=1e3 * max(times),
        shortest=sum(plan.proof is Proof.SHORTEST for plan in plans),
        longest_plan=max(len(plan.commands) for plan in plans),
        memory_mib=(peak - before) / 1024,
        process_mib=peak / 1024,
    )


def attempt(
    peer: Peer,
    spec: WorldSpec,
    goals: Sequence[Fact],
    cap: float,
    size: str,
    given_up: dict[str, str],
) -> Score:
    """Let a peer plan the goals, each in its own process, until it has failed too often."""
    score = Score(note=given_up.get(peer.name, ""))
    failures: list[str] = []
    for goal in goals if not score.note else ():
        result = peer.attempt(spec, goal, cap)
        if isinstance(result, str):
            failures.append(result)
        else:
            score.seconds[str(goal)], score.lengths[str(goal)] = result
        if len(failures) == PATIENCE:
            given_up[peer.name] = f"skipped: {failures[-1]} at {size}"
            break
    if failures:
        score.note = f"{failures[-1]} ({len(failures)} times)"
    return score


def as_json(row: Row) -> dict[str, object]:
    """Return a size's results with the ratios that follow from them."""
    scores = {name: asdict(score) for name, score in row.scores.items()}
    ratios = {peer.name: row.ratio(peer.name) for peer in PEERS}
    return {"size": row.size, "scores": scores, "ratios": ratios, "all": asdict(row.whole)}


def show(console: Console, rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Print the comparison, why peers are missing from it, and our run on all targets."""
    title = f"ms a target, mean of {options.targets} targets; peers have {options.cap:g} s for each"
    table = _table(
        title,
        "rooms/objects",
        "worldquiz",
        *(p.name for p in PEERS),
        "best peer / ours",
        "same length",
    )
    notes = []
    for row in rows:
        compared = sum(len(row.scores[p.name].lengths) for p in PEERS)
        table.add_row(
            row.size,
            *(_cell(score, options.targets) for score in row.scores.values()),
            _faster(row),
            f"{compared - len(list(row.mismatches()))} of {compared}",
        )
        notes += [f"{row.size} {name}: {s.note}" for name, s in row.scores.items() if s.note]
    console.print(table, *notes, sep="\n")
    columns = (
        "rooms/objects",
        "targets",
        "set-up ms",
        "all s",
        "CPU s",
        "ms a target",
        "slowest ms",
    )
    table = _table(
        "worldquiz on all targets", *columns, "shortest", "longest", "MiB", "process MiB"
    )
    for row in rows:
        table.add_row(row.size, *_figures(row.whole))
    console.print(table)
    console.print(
        "all s: all plans; CPU s: set-up too; shortest: so proven; longest: commands; "
        "MiB: by which planning grew the process"
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _figures(whole: Whole) -> tuple[str, ...]:
    return (
        str(whole.targets),
        f"{1e3 * whole.setup_s:.1f}",
        f"{whole.plan_s:.2f}",
        f"{whole.cpu_s:.2f}",
        f"{1e3 * whole.plan_s / whole.targets:.3f}",
        f"{whole.slowest_ms:.1f}",
        f"{whole.shortest / whole.targets:.1%}",
        str(whole.longest_plan),
        f"{whole.memory_mib:.1f}",
        f"{whole.process_mib:.0f}",
    )


def _cell(score: Score, wanted: int) -> str:
    """Return the mean of the solved targets, and how many these are unless all."""
    if not score.seconds:
        return "none"
    mean = f"{1e3 * statistics.mean(score.seconds.values()):,.2f}"
    return mean if len(score.seconds) == wanted else f"{mean} ({len(score.seconds)} of {wanted})"


def _faster(row: Row) -> str:
    best = row.best()
    return f"{best[0]:,.0f} ({best[1]})" if best else "none"


if __name__ == "__main__":
    raise SystemExit(main())
