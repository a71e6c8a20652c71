"""The paper's tables of any runs, as CSV and as the same rows in Markdown.

    table_1   success of each two contestants on what both were asked (Tables 1 and 11)
    table_9   their reasoning (Tables 9 and 12)
    table_2   what people earned
    table_4   answers that could not be read
    table_10  what makes mazes hard, one predictor at a time
    table_13  how far people agree
    means     of each contestant and baseline, with 95 % intervals (Figures 2, 5 and 6)
    games     of each contestant and maze (Figures 3 and 7)

A table of which runs have nothing is not written. Means are over mazes unless a column says
otherwise; each stands beside its counts.

*Table 10* (arXiv 2403.19913, section 3.3) fits a line for each model, task and level through one
point a maze: its success rate over one predictor, here of the maze as far as that contestant read
it. The paper does not define its betas, but its own numbers do. A line's p-value and its number of
points give its correlation r, and beta / r is the same for all predictors of a column, whatever
their units. So the predictors were standardised and the rates were not: *beta is the change of the
success rate for one standard deviation of the predictor*, beside which stands the slope for one
unit. The paper's *confusable locations* adds up, over all places, the word-level edit distance to
the most *different* other name (divided by the longer one's words): little more than the number of
places. A ninth predictor, *alike locations*, is ours: it adds up how like each name is to its
nearest one. As many lines are drawn, p-values adjusted for their number (Holm) stand beside the
plain ones.

*Table 13* (section 3.4 and appendix C.6; the paper's MSE) is `worldquiz.stats.agreement`, of each
task at each level: a person with two runs counts as two people.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError
from worldquiz.extras import later
from worldquiz.mango.answers import finished
from worldquiz.mango.grade import Level, Task
from worldquiz.mango.maze import Maze, simplified
from worldquiz.mango.paths import Net, count
from worldquiz.mango.questions import Text
from worldquiz.mango.run import read_contest
from worldquiz.mango.scores import (
    LEVELS,
    MEANS,
    Contest,
    Contestant,
    Key,
    Marked,
    counted,
    means,
    of,
    pair,
    record,
    table,
)
from worldquiz.records import write_text
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import HUMAN
from worldquiz.stats.agreement import agreement as agreed
from worldquiz.stats.intervals import LEVEL, holm

if TYPE_CHECKING:
    from rapidfuzz.distance import Levenshtein
    from scipy import stats
else:
    Levenshtein = later("rapidfuzz.distance.Levenshtein", extra="mango")
    stats = later("scipy.stats", extra="mango")


def agreement(people: Sequence[Iterable[Marked]]) -> dict[str, Any]:
    """Return ``{task: {level: {"questions", "success", "reasoning"}}}``; None for no question.

    A question counts at the level that it has for the first who was asked.
    """
    every = [counted(each) for each in people]
    level_of: dict[Key, str] = {}
    for marked in every:
        for each in marked:
            level_of.setdefault(each.key, str(each.level))

    def cell(task: Task, level: str) -> dict[str, Any]:
        mine = [[each for each in marked if each.question.task is task
                 and level in ("all", level_of[each.key])] for marked in every]  # fmt: skip
        found = {
            score: agreed([{each.key: getattr(each.grade, score) for each in one} for one in mine])
            for score in ("success", "reasoning")
        }
        errors = {score: each.error for score, each in found.items()}
        return {"questions": found["success"].questions, **errors}

    return {str(task): {str(level): cell(task, str(level)) for level in LEVELS} for task in Task}


def minutes(lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return ``{task: {"mean", "answers"}}`` over the answers that were timed."""
    timed = [line for line in lines if line.get("seconds") is not None]
    taken = {task: [each["seconds"] / 60 for each in timed if each["task"] == task]
             for task in Task}  # fmt: skip
    return {
        str(task): {"mean": fmean(some) if some else None, "answers": len(some)}
        for task, some in taken.items()
    }


SCORES = ("success", "reasoning")
FEWEST = 3
"""Mazes that a line needs."""
_NOTHING = 1e-12
"""Spreads this small are rounding."""
TITLES = {
    "locations": "# locations", "explicit_edges": "# exp edges", "imputed_edges": "# imp edges",
    "confusable_locations": "# conf locations", "avg_len_easy": "avg len easy",
    "avg_len_hard": "avg len hard", "avg_imputed_in_hard": "avg # imp in hard",
    "avg_len_scene": "avg len scene", "alike_locations": "# alike locations",
}  # fmt: skip
"""How the paper's tables call the predictors; the last is ours."""
_NOT = {
    Level.EASY: ("imputed_edges", "avg_len_hard", "avg_imputed_in_hard"),
    Level.HARD: ("avg_len_easy",),
    "all": ("avg_len_easy", "avg_len_hard", "avg_imputed_in_hard"),
}
"""Predictors that say nothing of questions at a level."""
PREDICTORS = {level: tuple(each for each in TITLES if each not in out)
              for level, out in _NOT.items()}  # fmt: skip
"""The rows of Table 10, in its order."""

Predictors = dict[str, float | None]
"""A maze's predictors by name; None for a mean over nothing."""


def predictors(maze: Maze, steps: int) -> Predictors:
    """Return the paper's predictors and ours of a maze, as far as so many steps show it."""
    steps = min(steps, maze.steps)
    shown = maze.prefix(steps)
    explicit = sum(edge.told.forward is not None for edge in shown.edges)
    routes = count(Net.of(shown), limit=steps)
    texts = [len(step.observation.split()) for step in shown.walkthrough]
    different = _differences(shown.places)
    return {
        "locations": len(shown.places),
        "explicit_edges": explicit,
        "imputed_edges": len(shown.edges) - explicit,
        "confusable_locations": sum(max(shares, default=0.0) for shares in different),
        "avg_len_easy": routes.mean_easy,
        "avg_len_hard": routes.mean_hard,
        "avg_imputed_in_hard": routes.mean_imputed,
        "avg_len_scene": fmean(texts) if texts else None,
        "alike_locations": sum(1 - min(shares, default=1.0) for shares in different),
    }


def _differences(places: Sequence[str]) -> list[list[float]]:
    """Return, for each name, the share of words by which it differs from each other one."""
    names = [place.casefold().split() for place in places]
    found: list[list[float]] = [[] for _ in names]
    for one, ours in enumerate(names):
        for other, theirs in enumerate(names[:one]):
            share = Levenshtein.distance(ours, theirs) / max(len(ours), len(theirs), 1)
            found[one].append(share)
            found[other].append(share)
    return found


def regress(contest: Contest, *, done: Done = silent) -> dict[str, Any]:
    """Return the regressions of all contestants as a JSON document.

    ``{"predictors": {contestant: {game: ...}}, "contestants": {contestant: {task: {level: {score:
    [line, ...]}}}}}``. Raises `KnobError` for a contestant who read a maze to several steps, or one
    with too many paths; `MissingExtra` without scipy.
    """

    @cache
    def known(game: str, steps: int, text: str) -> Predictors:
        maze = contest.mazes[game]
        return predictors(simplified(maze) if text == Text.SIMPLIFIED else maze, steps)

    found: dict[str, Any] = {"predictors": {}, "contestants": {}}
    for contestant in contest.contestants:
        text = str(contestant.settings.get("walkthrough", Text.FULL))
        read = _read(contestant)
        mazes = {game: known(game, steps, text) for game, steps in read.items()}
        found["predictors"][contestant.name] = {
            game: {"steps": min(read[game], contest.mazes[game].steps), **mazes[game]}
            for game in mazes
        }
        tasks = ((str(task), dict(_levels(contestant, task, mazes))) for task in Task)
        found["contestants"][contestant.name] = {task: some for task, some in tasks if some}
        done(contestant.name)
    return found


def _read(contestant: Contestant) -> dict[str, int]:
    """Return to which step each maze was read."""
    found: dict[str, int] = {}
    for each in contestant.marked:
        game = each.question.game
        if found.setdefault(game, each.steps) != each.steps:
            raise KnobError(
                f"{contestant.name}: maze {game!r} was read to step {found[game]} and to step "
                f"{each.steps}: its predictors depend on that; give each as a run of its own"
            )
    return dict(sorted(found.items()))


def _levels(
    contestant: Contestant, task: Task, mazes: Mapping[str, Predictors]
) -> Iterator[tuple[str, Any]]:
    for level, names in PREDICTORS.items():
        if games := of(contestant.marked, task, level):
            means = {game: record(grades) for game, grades in games.items()}
            yield str(level), {
                score: lines(
                    {game: float(each[score] or 0) for game, each in means.items()},
                    {name: {game: mazes[game][name] for game in means} for name in names},
                )
                for score in SCORES
            }  # fmt: skip


def lines(
    rates: Mapping[str, float], predictors: Mapping[str, Mapping[str, float | None]]
) -> list[dict[str, Any]]:
    """Fit the mazes' rates over each predictor by itself; `predictors` are by name, then by maze.

    A line is ``{"kind": "line", "predictor", "mazes", "beta", "low", "high", "p", "p_holm",
    "slope", "r2"}``, its interval of 95 %; or, where none can be fitted, ``{"kind": "refused",
    "what", "why"}``. Mazes for which a predictor is undefined (None) are left out of its line.
    """
    found = [_line(name, rates, values) for name, values in predictors.items()]
    fitted = [each for each in found if each["kind"] == "line"]
    for each, adjusted in zip(fitted, holm([each["p"] for each in fitted]), strict=True):
        each["p_holm"] = adjusted
    return found


def _line(
    name: str, rates: Mapping[str, float], values: Mapping[str, float | None]
) -> dict[str, Any]:
    points = [(at, rates[maze]) for maze in sorted(rates) if (at := values.get(maze)) is not None]
    if why := _refused(points):
        return {"kind": "refused", "what": name, "why": why}
    x, y = zip(*points, strict=True)
    spread = stdev(x)
    fit = stats.linregress([(value - fmean(x)) / spread for value in x], y)
    beta = float(fit.slope)
    reach = float(stats.t.isf((1 - LEVEL) / 2, len(x) - 2) * fit.stderr)
    return {
        "kind": "line", "predictor": name, "mazes": len(x), "beta": beta, "low": beta - reach,
        "high": beta + reach, "p": float(fit.pvalue), "p_holm": None, "slope": beta / spread,
        "r2": float(fit.rvalue) ** 2,
    }  # fmt: skip


def _refused(points: Sequence[tuple[float, float]]) -> str | None:
    """Return why no line can be fitted, None where one can."""
    if len(points) < FEWEST:
        return f"it has {len(points)} mazes, and a line needs {FEWEST}"
    x, y = zip(*points, strict=True)
    if stdev(x) < _NOTHING:
        return f"it is {x[0]:g} in all {len(points)} mazes"
    return f"the rate is {y[0]:.2f} in all {len(points)} mazes" if stdev(y) < _NOTHING else None


Row = dict[str, Any]


def write_tables(runs: Sequence[Path], out: Path, *, only: Sequence[str] = ()) -> list[Path]:
    """Write every table of some finished runs into a folder, and return the files.

    `only` names the games that they are about, all if empty. Raises as `read_contest` and
    `regress` do.
    """
    contest = read_contest(runs, only)
    written = []
    for name, rows in tables(runs, contest).items():
        for suffix, text in ((".csv", _csv(rows)), (".md", _markdown(name, rows))):
            write_text(out / f"{name}{suffix}", text)
            written.append(out / f"{name}{suffix}")
    return written


def tables(runs: Sequence[Path], contest: Contest) -> dict[str, list[Row]]:
    """Return the rows of every table that some finished runs can fill."""
    every = contest.contestants
    people = {run: each for run, each in zip(runs, every, strict=True)
              if each.settings.get("answerer") == HUMAN}  # fmt: skip
    cells = list(_cells((*every, *contest.baselines)))
    pairs = [(left.name, right.name, pair(left.scored, right.scored))
             for left, right in combinations(every, 2)]  # fmt: skip
    human = {each.name for each in people.values()}
    found = {
        "means": [row for cell in cells for row in _means(*cell)],
        "games": list(_games(every)),
        "table_4": list(_unread(every)),
        "table_1": [row for each in pairs for row in _paired(*each, "success")],
        "table_9": [row for each in pairs for row in _paired(*each, "reasoning")],
        "table_10": list(_predicted(regress(contest)["contestants"])),
        "table_2": [_person(*cell) for cell in cells if cell[0] in human],
        "table_13": list(_agreement(people)),
    }
    return {name: rows for name, rows in found.items() if rows}


def _cells(contestants: Sequence[Contestant]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    for each in contestants:
        for task, levels in table(each.scored).items():
            for level, cell in levels.items():
                yield each.name, task, level, cell


def _means(name: str, task: str, level: str, cell: Mapping[str, Any]) -> Iterator[Row]:
    for score in MEANS:
        low, high = cell[score]["interval"] or (None, None)
        yield {
            "contestant": name, "task": task, "level": level, "score": score,
            "asked": cell["asked"], "mazes": cell["mazes"], "mean": cell[score]["macro"],
            "low": low, "high": high, "mean_over_answers": cell[score]["micro"],
        }  # fmt: skip


def _person(name: str, task: str, level: str, cell: Mapping[str, Any]) -> Row:
    """Return a row of Table 2: means over answers, as in the paper."""
    return {
        "contestant": name, "task": task, "level": level, "asked": cell["asked"],
        "mazes": cell["mazes"], "success": cell["success"]["micro"],
        "reasoning": cell["reasoning"]["micro"],
    }  # fmt: skip


def _games(contestants: Sequence[Contestant]) -> Iterator[Row]:
    for each in contestants:
        for task in Task:
            for level in LEVELS:
                for game, grades in of(each.marked, task, level).items():
                    found = record(grades)
                    yield {
                        "contestant": each.name, "game": game, "task": str(task),
                        "level": str(level), **{name: found[name] for name in ("asked", *MEANS)},
                    }  # fmt: skip


def _unread(contestants: Sequence[Contestant]) -> Iterator[Row]:
    """Yield Table 4: answers a maze, and how many of them could not be read."""
    for each in contestants:
        for task in Task:
            if games := of(each.marked, task):
                found = means(games, resamples=0)
                mazes, asked, ill = (found[name] for name in ("mazes", "asked", "ill_formed"))
                yield {
                    "contestant": each.name, "task": str(task), "mazes": mazes, "asked": asked,
                    "ill_formed": ill, "asked_a_maze": asked / mazes,
                    "ill_formed_a_maze": ill / mazes,
                }  # fmt: skip


def _paired(left: str, right: str, found: Mapping[str, Any], score: str) -> Iterator[Row]:
    for task in Task:
        for level in LEVELS:
            cell = found[str(task)][str(level)]
            gap = cell[score]["difference"] or {}
            yield {
                "task": str(task), "level": str(level), "left": left, "right": right,
                "asked": cell["asked"], "mazes": cell["mazes"], "left_mean": cell[score]["left"],
                "right_mean": cell[score]["right"], "difference": gap.get("value"),
                **{name: gap.get(name) for name in ("low", "high", "p")},
            }  # fmt: skip


def _predicted(contestants: Mapping[str, Any]) -> Iterator[Row]:
    """Yield Table 10, with reasoning beside success."""
    numbers = ("mazes", "beta", "low", "high", "p", "p_holm", "slope", "r2")
    for name, tasks in contestants.items():
        for task, levels in tasks.items():
            for level, scores in levels.items():
                for score, lines in scores.items():
                    for each in lines:
                        yield {
                            "contestant": name, "task": task, "level": level, "score": score,
                            "predictor": each.get("predictor", each.get("what")),
                            **{number: each.get(number) for number in numbers},
                            "refused": each.get("why"),
                        }  # fmt: skip


def _agreement(people: Mapping[Path, Contestant]) -> Iterator[Row]:
    if not people:
        return
    taken = minutes(line for run in people for line in finished(run).values())
    for task, levels in agreement([each.marked for each in people.values()]).items():
        for level, cell in levels.items():
            timed = taken[task] if level == "all" else {}
            yield {
                "task": task, "level": level, **cell, "minutes": timed.get("mean"),
                "timed": timed.get("answers"),
            }  # fmt: skip


def _csv(rows: Sequence[Row]) -> str:
    stream = io.StringIO()
    lines = csv.DictWriter(stream, rows[0], lineterminator="\n")
    lines.writeheader()
    for row in rows:
        lines.writerow({name: "" if cell is None else _told(cell, ".6g")
                        for name, cell in row.items()})  # fmt: skip
    return stream.getvalue()


def _markdown(name: str, rows: Sequence[Row]) -> str:
    header = list(rows[0])
    body = [["–" if cell is None else _told(cell, ".2f") for cell in row.values()] for row in rows]
    lines = [header, ["---"] * len(header), *body]
    shown = (" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line)
             for line in lines)  # fmt: skip
    return "\n".join([f"### {name}", "", *(f"| {line} |" for line in shown), ""])


def _told(cell: str | float, spec: str) -> str:
    return format(cell, spec) if isinstance(cell, float) else str(cell)
