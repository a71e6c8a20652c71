"""Difficulty of mazes: success rates over predictors of difficulty (arXiv 2403.19913, sec. 3.3).

For each model, task and level the paper's Table 10 fits a line through one point a maze: its
success rate over one predictor, here of the maze as far as that contestant read it. The paper does
not define its betas, but its own numbers do. A line's p-value and its number of points give its
correlation r, and beta / r is the same for all predictors of a column, whatever their units. So the
predictors were standardised and the rates were not: *beta is the change of the success rate for one
standard deviation of the predictor*, beside which stands the slope for one unit.

The paper has eight predictors. Its *confusable locations* adds up, over all places, the word-level
edit distance to the most *different* other name (divided by the longer one's words): little more
than the number of places. A ninth, *alike locations*, is ours: it adds up how like each name is to
its nearest one. Each line stands alone; as many are drawn, p-values adjusted for their number
(Holm) stand beside the plain ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError
from worldquiz.mango.asking.ask import Text
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.path_tree import Net, count
from worldquiz.mango.paths.walk import simplified
from worldquiz.mango.scoring.contest import Contest, Contestant, of, record
from worldquiz.mango.scoring.grade import Level, Task
from worldquiz.plugins import later
from worldquiz.runs.executor import Done, silent
from worldquiz.stats.intervals import LEVEL, holm

if TYPE_CHECKING:
    from rapidfuzz.distance import Levenshtein
    from scipy import stats
else:
    Levenshtein = later("rapidfuzz.distance.Levenshtein", extra="mango")
    stats = later("scipy.stats", extra="mango")

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
