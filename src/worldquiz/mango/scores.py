"""Means of rows' scores, for each maze and over mazes; and the paper's tables of runs.

The paper averages over mazes (arXiv 2403.19913, Figure 2): every maze has the same weight, however
many questions it has (``macro``). In ``micro`` every question has the same weight. Every mean comes
with the numbers of questions and of mazes. *Knowledge* is different: it is pooled over all
questions (`facts.knowledge`). A 95 % interval resamples whole mazes (`worldquiz.stats.intervals`),
and so needs two mazes.

Questions that cannot be answered from the steps read are left out and counted (``unanswerable``).
Failed requests are left out. Every other failure is in the denominator, except in `by_paper`.

The tables, as CSV:

    table_1   success of every two contestants on the questions asked of both (Tables 1 and 11)
    table_9   reasoning of the same contestants (Tables 9 and 12)
    table_2   scores of people
    table_4   answers that could not be read
    table_10  predictors of hard mazes, one at a time
    table_13  agreement between people

The numbers behind the figures are in each run's ``scores.json``: ``df`` and ``rf`` (Figures 2, 5
and 6), ``games`` (3 and 7). A table for which the runs have no data is not written. Means are over
mazes unless a column says otherwise; each comes with its counts.

*Table 10* (arXiv 2403.19913, section 3.3) fits a line for each contestant, task and level. Each
maze is a point: its success rate, and one predictor of the part of it that was read. The paper does
not define its betas, but its numbers do. A line's p-value and its number of points give its
correlation r, and beta / r is the same for all predictors in a column, whatever their units. So the
predictors were standardised and the rates were not: *beta is the change of the success rate per
standard deviation of the predictor*. The slope per unit is given beside it. The paper's *confusable
locations* is a sum over all places of the word-level edit distance to the most *different* other
name (divided by the longer name's number of words), so it is close to the number of places. Since
many lines are fitted, p-values are also given adjusted for their number (Holm).

*Table 13* (section 3.4 and appendix C.6; the paper's MSE) is `stats.row_scores.agreement` for each
task and level; a person with two runs counts as two people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, product
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, NamedTuple

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts import knowledge
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.mango.grade import SCORES, Level, Rule, Task
from worldquiz.mango.mazes import Maze, shown_as
from worldquiz.mango.paths import Net, count, tally_mean
from worldquiz.mango.run import Book, answerer_of, mazes_of, questions_of, read_run_manifest
from worldquiz.plugins import need
from worldquiz.records import write_text
from worldquiz.runs.folder import HUMAN
from worldquiz.runs.rows import ItemKey, reply_line
from worldquiz.runs.run import Run, called
from worldquiz.stats.intervals import LEVEL, RESAMPLES, Ratio, difference, holm, intervals
from worldquiz.stats.row_scores import agreement, headline

LEVELS = ("all", Level.EASY, Level.HARD)
Games = Mapping[str, Sequence[Row]]
"""The rows of each maze, by its name."""
Cells = dict[str, Any]
SLICES = tuple(product(Task, LEVELS))
FEWEST = 3
"""Fewest mazes for fitting a line."""
_NOTHING = 1e-12
"""Spreads this small are rounding."""
_LEFT_OUT = {
    Level.EASY: ("imputed_edges", "avg_len_hard", "avg_imputed_in_hard"),
    Level.HARD: ("avg_len_easy",),
    "all": ("avg_len_easy", "avg_len_hard", "avg_imputed_in_hard"),
}
"""Predictors missing from Table 10 at a level."""

Predictors = dict[str, float | None]
"""A maze's predictors by name; None for a mean over nothing."""


def counted(rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return the rows of questions that can be answered, except for failed requests."""
    return tuple(row for row in rows if row.shown and row.status is not AnswerStatus.FAILED)


def by_paper(
    rows: Iterable[Row], book: Callable[[str], Book], manifest: Mapping[str, Any]
) -> tuple[tuple[Row, ...], dict[str, Any]]:
    """Return the rows that the paper scores, graded by its rule, and how many were ill-structured.

    `book` returns the grader of a maze by this rule. "We could only evaluate the non-GPT models on
    the questions to which the answers were well-structured and thus could be parsed" (appendix
    B.2). A non-GPT model has no "gpt" in its name; people and baselines are not models.
    """
    lines = ((row, reply_line(row)) for row in rows)
    every = [book(row.world).again(row, line, row.answerer) if line else row for row, line in lines]
    ill = [row for row in counted(every) if row.status is not AnswerStatus.ANSWERED]
    told = {str(task): sum(row.type == task for row in ill) for task in Task}
    model = "model" in manifest or "imported" in manifest
    whole = not model or "gpt" in answerer_of(manifest).casefold()
    read = (AnswerStatus.ANSWERED, AnswerStatus.FAILED)
    return tuple(row for row in every if whole or row.status in read), {**told, "counted": whole}


def of(rows: Iterable[Row], task: Task, level: str = "all") -> Games:
    """Return the rows that `counted` keeps for a task at a level, by maze."""
    games: dict[str, list[Row]] = {}
    for row in counted(rows):
        if row.type == task and level in ("all", row.level):
            games.setdefault(row.world, []).append(row)
    return dict(sorted(games.items()))


def record(rows: Sequence[Row]) -> dict[str, float | int | None]:
    """Return counts and means over rows; a mean over nothing is None."""
    means = {score: mean(rows, score) for score in SCORES}
    return {**_counts(rows), **means, "knowledge": knowledge.knowledge(rows)}


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    return {
        "asked": len(rows),
        "ill_formed": sum(row.status is not AnswerStatus.ANSWERED for row in rows),
    }  # fmt: skip


def mean(rows: Sequence[Row], score: str) -> float | None:
    """Return the mean of a score over rows, None without rows."""
    return fmean(row.measures[score] for row in rows) if rows else None


def macro(games: Games, score: str) -> Ratio:
    """Return the mean over mazes of a score's mean in each maze, as a ratio for intervals."""
    return Ratio(tuple(mean(rows, score) or 0.0 for rows in games.values()), (1.0,) * len(games))


def means(games: Games, *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return macro means with 95 % intervals, micro means, knowledge, and counts."""
    every = [row for rows in games.values() for row in rows]
    ratios = {score: macro(games, score) for score in SCORES}
    bounds = intervals(ratios, resamples=resamples)
    scores = {
        score: {"macro": each.value, "interval": bounds[score],
                "micro": mean(every, score)}
        for score, each in ratios.items()
    }  # fmt: skip
    first = headline(every, resamples=resamples)
    return {**_counts(every), "mazes": len(games), **first, **scores}


def table(rows: Iterable[Row], *, resamples: int = RESAMPLES) -> dict[str, Any]:
    """Return ``{task: {level: means with their counts and intervals}}``.

    Raises `MissingExtra` without numpy unless ``resamples`` is 0.
    """
    every = tuple(rows)
    return {
        str(task): {
            str(level): means(of(every, task, level), resamples=resamples) for level in LEVELS
        }
        for task in Task
    }


def document(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the scores of rows as a JSON document."""
    there = [row for row in rows if row.status is not AnswerStatus.FAILED]
    games: dict[str, Any] = {}
    for game, task in product(sorted({row.world for row in there}), Task):
        mine = [row for row in there if row.world == game and row.type == task]
        games.setdefault(game, {})[str(task)] = {
            **{str(level): record(of(mine, task, level).get(game, ())) for level in LEVELS},
            "unanswerable": sum(not row.shown for row in mine),
        }
    return {**headline(counted(rows)), **table(rows), "games": games}


class Contestant(NamedTuple):
    """A run and its answers; runs may differ in their questions, and in the steps read."""

    name: str
    settings: Mapping[str, Any]  # of its manifest
    rows: tuple[Row, ...]


def write_tables(
    runs: Sequence[Path], out: Path, rule: Rule = Rule.EXACT, data: Path | None = None
) -> list[Path]:
    """Write every table of some finished runs into a folder, and return the files.

    By the paper's rule, ill-structured answers of non-GPT models are only in Table 4. `data` is the
    folder of the runs' mazes, if it was moved. Raises `RecordError` for a folder that is not a
    finished run, and if two runs have different mazes with the same name; also like `table_10`.
    """
    manifests = {run: read_run_manifest(run) for run in runs}
    names, mazes, first = called(map(Run, runs)), dict[str, Maze](), dict[str, Path]()
    for run, manifest in manifests.items():
        for name, maze in mazes_of(run, data).items():
            home = first.setdefault(name, run)
            if manifests[home]["data"][name] != manifest["data"][name]:
                raise RecordError(
                    f"maze {name!r} of {run} differs from that of {home}: leave out one of the two"
                )
            mazes.setdefault(name, maze)
    contestants = [
        Contestant(names[run], manifest, questions_of(run)) for run, manifest in manifests.items()
    ]
    judged = contestants
    if rule is Rule.PAPER:
        book = cache(lambda game: Book(mazes[game], rule))
        judged = [
            each._replace(rows=by_paper(each.rows, book, each.settings)[0]) for each in contestants
        ]
    pandas = need("pandas", extra="mango")
    people = [each for each in judged if each.settings.get("answerer") == HUMAN]
    pairs, written = list(combinations(judged, 2)), []
    tables: dict[str, Iterable[Cells]] = {
        "table_4": (row for each in contestants for row in _unread(each)),
        "table_1": (row for pair in pairs for row in _paired(*pair, "success")),
        "table_9": (row for pair in pairs for row in _paired(*pair, "reasoning")),
        "table_10": table_10(judged, mazes),
        "table_2": (row for each in people for row in _person(each)),
        "table_13": table_13(people) if people else (),
    }
    for name, cells in tables.items():
        if rows := list(cells):
            form = {"index": False, "float_format": "%.6g", "lineterminator": "\n"}
            written.append(out / f"{name}.csv")
            write_text(written[-1], pandas.DataFrame(rows).to_csv(**form))
    return written


def _person(each: Contestant) -> Iterator[Cells]:
    """Yield rows of Table 2: means over answers, as in the paper."""
    for task, level in SLICES:
        cell = means(of(each.rows, task, level), resamples=0)
        yield {
            "contestant": each.name, "task": str(task), "level": str(level),
            "asked": cell["asked"], "mazes": cell["mazes"],
            "success": cell["success"]["micro"], "reasoning": cell["reasoning"]["micro"],
        }  # fmt: skip


def _unread(each: Contestant) -> Iterator[Cells]:
    """Yield Table 4: answers per maze, and the number that could not be read."""
    for task in Task:
        if games := of(each.rows, task):
            found = means(games, resamples=0)
            mazes, asked, ill = (found[name] for name in ("mazes", "asked", "ill_formed"))
            yield {
                "contestant": each.name, "task": str(task), "mazes": mazes, "asked": asked,
                "ill_formed": ill, "asked_a_maze": asked / mazes, "ill_formed_a_maze": ill / mazes,
            }  # fmt: skip


def _paired(left: Contestant, right: Contestant, score: str) -> Iterator[Cells]:
    """Yield the means of two contestants on the questions asked of both, and their difference.

    A question counts only if its level is the same for both contestants. The 95 % interval and the
    p-value of a difference are over mazes.
    """
    theirs = {_key(row): row for row in counted(right.rows)}
    both = [
        (row, theirs[_key(row)])
        for row in sorted(counted(left.rows), key=_key)
        if _key(row) in theirs and theirs[_key(row)].level == row.level
    ]
    for task, level in SLICES:
        sides = [of((pair[at] for pair in both), task, level) for at in (0, 1)]
        ours, others = (macro(side, score) for side in sides)
        gap = difference(ours, others)
        yield {
            "task": str(task), "level": str(level), "left": left.name, "right": right.name,
            "asked": sum(map(len, sides[0].values())), "mazes": len(sides[0]),
            "left_mean": ours.value, "right_mean": others.value,
            "difference": gap and gap.value, "low": gap and gap.interval and gap.interval[0],
            "high": gap and gap.interval and gap.interval[1], "p": gap and gap.p,
        }  # fmt: skip


def table_13(people: Sequence[Contestant]) -> Iterator[Cells]:
    """Yield Table 13, with the minutes taken for an answer.

    A question counts at the level that it has for the first person asked.
    """
    every = [counted(each.rows) for each in people]
    level_of: dict[ItemKey, str | None] = {}
    for row in chain.from_iterable(every):
        level_of.setdefault(_key(row), row.level)
    for task, level in product(Task, map(str, LEVELS)):
        mine = [
            [row for row in rows if row.type == task and level in ("all", level_of[_key(row)])]
            for rows in every
        ]
        found = {
            score: agreement([{_key(row): row.measures[score] for row in rows} for rows in mine])
            for score in ("success", "reasoning")
        }
        taken = [
            row.seconds / 60 for each in people for row in each.rows
            if level == "all" and row.type == task and row.seconds is not None
        ]  # fmt: skip
        yield {
            "task": str(task), "level": level, "questions": found["success"][0],
            **{score: error for score, (_, error) in found.items()},
            "minutes": fmean(taken) if taken else None,
            "timed": len(taken) if level == "all" else None,
        }  # fmt: skip


def _key(row: Row) -> ItemKey:
    return row.world, row.item, row.type


def predictors(maze: Maze, steps: int) -> Predictors:
    """Return the paper's predictors, in its order, for the part of a maze that the steps show."""
    shown = maze.prefix(steps)
    explicit = sum(edge.told.forward is not None for edge in shown.edges)
    routes = count(Net(shown), limit=steps)
    apart = need("rapidfuzz.distance.Levenshtein", extra="mango").normalized_distance
    texts = [len(step.observation.split()) for step in shown.walkthrough]
    names = [place.casefold().split() for place in shown.places]
    # The share of words in which each name differs from the most different name.
    different = (max(apart(one, other) for other in names) for one in names)
    return {
        "locations": len(shown.places),
        "explicit_edges": explicit,
        "imputed_edges": len(shown.edges) - explicit,
        "confusable_locations": sum(different),
        "avg_len_easy": tally_mean(routes.lengths[0]),
        "avg_len_hard": tally_mean(routes.hard_lengths),
        "avg_imputed_in_hard": tally_mean([0, *map(sum, routes.lengths[1:])]),
        "avg_len_scene": fmean(texts) if texts else None,
    }


def table_10(every: Sequence[Contestant], mazes: Mapping[str, Maze]) -> Iterator[Cells]:
    """Yield the fitted lines of Table 10, or the reason why one is not fitted (``refused``).

    Mazes for which a predictor is undefined are left out of its line. Raises `KnobError` if a
    contestant read different numbers of steps of one maze, or if a maze has too many paths;
    `MissingExtra` without scipy.
    """

    @cache
    def known(game: str, steps: int, text: str) -> Predictors:
        return predictors(shown_as(mazes[game], text), steps)

    for contestant in every:
        text = contestant.settings["walkthrough"]
        steps = sorted({(row.world, row.measures["steps"]) for row in contestant.rows})
        if len(dict(steps)) < len(steps):
            raise KnobError(
                f"{contestant.name}: one maze was read to several lengths, but Table 10 needs a "
                "single length: make a run for each length"
            )
        read = {game: known(game, most, text) for game, most in steps}
        for task, (level, without) in product(Task, _LEFT_OUT.items()):
            games = of(contestant.rows, task, level)
            for score in ("success", "reasoning") if games else ():
                rates = {game: float(record(some)[score] or 0) for game, some in games.items()}
                rows = [
                    _line(name, [(at, rate) for game, rate in sorted(rates.items())
                                 if (at := read[game][name]) is not None])
                    for name in read[min(rates)] if name not in without
                ]  # fmt: skip
                fitted = [row for row in rows if row["refused"] is None]
                for row, p in zip(fitted, holm([row["p"] for row in fitted]), strict=True):
                    row["p_holm"] = p
                about = {"contestant": contestant.name, "task": str(task), "level": str(level)}
                yield from ({**about, "score": score, **row} for row in rows)


def _line(name: str, points: Sequence[tuple[float, float]]) -> Cells:
    """Return the regression line of rates on one predictor, with a 95 % interval."""
    stats = need("scipy.stats", extra="mango")
    numbers = ("mazes", "beta", "low", "high", "p", "p_holm", "slope", "r2", "refused")
    row: Cells = {"predictor": name, **dict.fromkeys(numbers)}
    x, y = zip(*points, strict=True) if points else ((), ())
    if len(points) < FEWEST:
        return {**row, "refused": f"it has {len(points)} mazes, and a line needs {FEWEST}"}
    if (spread := stdev(x)) < _NOTHING:
        return {**row, "refused": f"it is {x[0]:g} in all {len(points)} mazes"}
    if stdev(y) < _NOTHING:
        return {**row, "refused": f"the rate is {y[0]:.2f} in all {len(points)} mazes"}
    fit = stats.linregress([(value - fmean(x)) / spread for value in x], y)
    beta = float(fit.slope)
    reach = float(stats.t.isf((1 - LEVEL) / 2, len(x) - 2) * fit.stderr)
    return row | {
        "mazes": len(x), "beta": beta, "low": beta - reach, "high": beta + reach,
        "p": float(fit.pvalue), "slope": beta / spread, "r2": float(fit.rvalue) ** 2,
    }  # fmt: skip
