"""Regression of success rates on predictors, by contestant (arXiv 2403.19913, section 3.3).

For each model, task and level the paper's Table 10 fits a line through one point a maze: its
success rate over one predictor, here of the maze as far as that contestant read it. The paper does
not define its betas, but its own numbers do. A line's p-value and its number of points give its
correlation r, and beta / r is the same for all predictors of a column, whatever their units. So the
predictors were standardised and the rates were not: *beta is the change of the success rate for one
standard deviation of the predictor*. `regress` gives this beta, beside the slope for one unit.

Each line stands alone. Predictors that go together (larger mazes have longer routes) share one
another's effects, and no line says which is the cause. As many lines are drawn, p-values adjusted
for their number (Holm) stand beside the plain ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError
from worldquiz.extras import later
from worldquiz.mango.asking.ask import Text
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.paths.walk import simplified
from worldquiz.mango.scoring import predictors as names
from worldquiz.mango.scoring.contest import Contest, Contestant, Marked
from worldquiz.mango.scoring.grade import Level, Task
from worldquiz.mango.scoring.predictors import OURS, PREDICTORS, Predictors
from worldquiz.stats.intervals import LEVEL, holm

if TYPE_CHECKING:
    from scipy import stats
else:
    stats = later("scipy.stats", extra="mango")

SCORES = ("success", "reasoning")
FEWEST = 3
"""Mazes that a line needs."""
_NOTHING = 1e-12
"""Spreads this small are rounding."""
_ANY_LEVEL = (names.LOCATIONS, names.EXPLICIT, names.IMPUTED, names.CONFUSABLE, names.SCENE)
"""Predictors that are about easy and hard questions alike."""

Done = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RegressionLine:
    """Success rates of mazes over one predictor."""

    predictor: str
    mazes: int
    beta: float  # change of the rate for one standard deviation of the predictor
    low: float  # of beta's 95 % interval
    high: float
    p: float  # two-sided, of beta being 0
    p_holm: float  # adjusted for all lines of the same rates
    slope: float  # change of the rate for one unit of the predictor
    r2: float  # share of the variance that the line explains


@dataclass(frozen=True, slots=True)
class NotEstimated:
    """Quantity that the data do not determine, and why."""

    what: str
    why: str


def regress(contest: Contest, *, done: Done = lambda _: None) -> dict[str, Any]:
    """Return the regressions of all contestants as a JSON document.

    ``{"predictors": {contestant: {game: ...}}, "contestants": {contestant: {task: {level: {score:
    [line, ...]}}}}}``. Raises `KnobError` for a contestant who read a maze to several steps, or one
    with too many paths; `MissingExtra` without scipy.
    """
    found: dict[str, Any] = {"predictors": {}, "contestants": {}}
    known = cache(lambda game, steps, text: _known(contest.mazes[game], steps, text))
    for contestant in contest.contestants:
        text = str(contestant.settings.get("walkthrough", Text.FULL))
        read = _read(contestant)
        mazes = {game: known(game, steps, text) for game, steps in read.items()}
        found["predictors"][contestant.name] = {
            game: {"steps": min(read[game], contest.mazes[game].steps), **mazes[game]}
            for game in mazes
        }
        found["contestants"][contestant.name] = dict(_tasks(contestant, mazes))
        done(contestant.name)
    return found


def _known(maze: Maze, steps: int, text: str) -> Predictors:
    """Return the predictors of a maze as it was read."""
    return names.predictors(simplified(maze) if text == Text.SIMPLIFIED else maze, steps)


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


def _tasks(contestant: Contestant, mazes: Mapping[str, Predictors]) -> Iterator[tuple[str, Any]]:
    for task in Task:
        mine = [
            each
            for each in contestant.marked
            if each.question.task is task and each.level is not None
        ]
        if mine:
            yield str(task), dict(_levels(mine, mazes))


def _levels(marked: Sequence[Marked], mazes: Mapping[str, Predictors]) -> Iterator[tuple[str, Any]]:
    for level in (*Level, None):
        mine = [each for each in marked if level in (None, each.level)]
        rows = (*(PREDICTORS[level] if level else _ANY_LEVEL), *OURS)
        if mine:
            yield (
                str(level or "all"),
                {
                    score: [record(each) for each in _lines(mine, score, mazes, rows)]
                    for score in SCORES
                },
            )


def _lines(
    marked: Sequence[Marked], score: str, mazes: Mapping[str, Predictors], rows: Sequence[str]
) -> tuple[RegressionLine | NotEstimated, ...]:
    games: dict[str, list[float]] = {}
    for each in marked:
        games.setdefault(each.question.game, []).append(getattr(each.grade, score))
    rates = {game: sum(games[game]) / len(games[game]) for game in sorted(games)}
    return lines(rates, by_name({game: mazes[game] for game in rates}, rows))


def record(found: RegressionLine | NotEstimated) -> dict[str, Any]:
    """Return a result as JSON, by what it is."""
    return {"kind": "line" if isinstance(found, RegressionLine) else "refused", **asdict(found)}


def lines(
    rates: Mapping[str, float], predictors: Mapping[str, Mapping[str, float | None]]
) -> tuple[RegressionLine | NotEstimated, ...]:
    """Fit the mazes' rates over each predictor by itself; `predictors` are by name, then by maze.

    Mazes for which a predictor is undefined (None) are left out of its line. Raises `MissingExtra`
    without scipy.
    """
    found = [line(rates, values, name) for name, values in predictors.items()]
    fitted = [each for each in found if isinstance(each, RegressionLine)]
    adjusted = dict(
        zip((each.predictor for each in fitted), holm([each.p for each in fitted]), strict=True)
    )
    return tuple(
        replace(each, p_holm=adjusted[each.predictor] or 0.0)
        if isinstance(each, RegressionLine)
        else each
        for each in found
    )


def line(
    rates: Mapping[str, float], values: Mapping[str, float | None], predictor: str
) -> RegressionLine | NotEstimated:
    """Fit the mazes' rates over one predictor, or say why no line can be fitted."""
    points = [
        (value, rates[maze]) for maze in sorted(rates) if (value := values.get(maze)) is not None
    ]
    if len(points) < FEWEST:
        return NotEstimated(predictor, f"it has {len(points)} mazes, and a line needs {FEWEST}")
    x, y = ([point[side] for point in points] for side in (0, 1))
    spread = stdev(x)
    if spread < _NOTHING:
        return NotEstimated(predictor, f"it is {x[0]:g} in all {len(points)} mazes")
    if stdev(y) < _NOTHING:
        return NotEstimated(predictor, f"the rate is {y[0]:.2f} in all {len(points)} mazes")
    return _fitted(predictor, [(value - fmean(x)) / spread for value in x], y, spread)


def _fitted(
    predictor: str, x: Sequence[float], y: Sequence[float], spread: float
) -> RegressionLine:
    fit = stats.linregress(x, y)
    beta, p = float(fit.slope), float(fit.pvalue)
    reach = float(stats.t.isf((1 - LEVEL) / 2, len(x) - 2) * fit.stderr)
    return RegressionLine(
        predictor, len(x), beta, beta - reach, beta + reach, p, p, beta / spread,
        float(fit.rvalue) ** 2,
    )  # fmt: skip


def by_name(
    mazes: Mapping[str, Mapping[str, float | None]], names: Iterable[str]
) -> dict[str, dict[str, float | None]]:
    """Turn predictors by maze into predictors by name."""
    return {name: {maze: mazes[maze].get(name) for maze in sorted(mazes)} for name in names}
