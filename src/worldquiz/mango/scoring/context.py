"""Scores over the length that was read, and over the strata of questions about long walkthroughs.

Answers of runs by one answerer are put together. *By steps* tells how many steps of a walkthrough
had been read; runs with several limits (``--steps``) of the same mazes make a curve. *By stratum*
(`strata.CLASSES`) tells how far apart places are, how long ago the walkthrough passed between them,
how many moves are imputed or were last made backwards, and how often the walkthrough came again.
Means are over mazes; few mazes have long walkthroughs, so each mean stands beside their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.folder import answerer_of
from worldquiz.mango.scoring.contest import MEANS, Contest, Marked, counted, means, of
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.strata import CLASSES, Walk, words
from worldquiz.report.canvas import INK, SOFT, stand_in, svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEPS = (35, 70, 140, 280, 560)
"""The most steps of each class by steps but the last."""
Groups = Mapping[str, Sequence[Marked]]
_APART = 0.05  # scores that lines are apart at least to be named each by itself


def curves(contest: Contest) -> dict[str, dict[str, Any]]:
    """Return ``{answerer: {"steps": CELLS, "distance": CELLS, ...}}``, baselines after the others.

    CELLS is ``{class: {task: {"asked", "mazes", "success", "reasoning", "weighted",
    "knowledge"}}}``, each mean with its interval; a class without questions is left out.
    """
    walk = cache(lambda game, steps: Walk(contest.mazes[game], steps))
    return {
        name: {
            "steps": _cells(_by_steps(marked, contest.mazes)),
            **{what: _cells(groups) for what, groups in _by_strata(marked, walk).items()},
        }
        for name, marked in _together(contest).items()
    }


def _together(contest: Contest) -> dict[str, list[Marked]]:
    """Return each answerer's answers that count, of all its runs; equal ones once."""
    found: dict[str, dict[tuple[object, ...], Marked]] = {}
    named = [(answerer_of(each.settings), each) for each in contest.contestants]
    known = {name for name, _ in named}
    baselines = [(each.name, each) for each in contest.baselines if each.name not in known]
    for name, contestant in (*named, *baselines):
        answers = found.setdefault(name, {})
        for each in contestant.marked:
            asked = each.question
            if each.level is not None:
                answers[asked.game, asked.id, asked.task, each.steps] = each
    return {name: list(answers.values()) for name, answers in found.items()}


def _by_steps(marked: Iterable[Marked], mazes: Mapping[str, Maze]) -> Groups:
    """Group answers by the steps that were read."""
    found: dict[str, list[Marked]] = {name: [] for name in _steps()}
    for each in marked:
        read = min(each.steps, mazes[each.question.game].steps)
        number = sum(read > most for most in STEPS)
        found[_steps()[number]].append(each)
    return found


def _steps() -> list[str]:
    lows = (0, *(most + 1 for most in STEPS))
    return [*(f"{low}-{most}" for low, most in zip(lows, STEPS, strict=False)), f"{lows[-1]}+"]


def _by_strata(marked: Iterable[Marked], walk: Any) -> dict[str, Groups]:
    """Group answers by each of the strata."""
    found: dict[str, dict[str, list[Marked]]] = {
        what: {words(what, number): [] for number in range(len(ends) + 1)}
        for what, ends in CLASSES.items()
    }
    for each in marked:
        strata = walk(each.question.game, each.steps).strata(each.question)
        for what, name in strata.classes.items() if strata else ():
            found[what][name].append(each)
    return dict(found)


def _cells(groups: Groups) -> dict[str, Any]:
    return {name: _cell(marked) for name, marked in groups.items() if marked}


def _cell(marked: Sequence[Marked]) -> dict[str, Any]:
    scored = counted(marked)
    return {
        str(task): {"asked": found["asked"], "mazes": found["mazes"],
                    **{score: found[score] for score in MEANS}}
        for task in Task
        for found in (means(of(scored, task, "all")),)
    }  # fmt: skip


def drawn(found: Mapping[str, Mapping[str, Any]], baselines: Iterable[str], score: str) -> str:
    """Draw a score over the steps that were read, a panel a task: one SVG element."""
    below = set(baselines)

    def fill(figure: Figure) -> None:
        panels = figure.subplots(1, len(Task), sharey=True)
        for axes, task in zip(panels, Task, strict=True):
            axes.set(title=f"{task.upper()}: {score} by steps read")
            axes.set_xticks(range(len(_steps())), _steps())
            axes.tick_params(length=0)
            ends = []
            for place, (name, cells) in enumerate(found.items()):
                if line := _line(cells["steps"], task, score):
                    colour = SOFT if name in below else stand_in(place)
                    axes.plot(*zip(*line, strict=True), "o-", color=colour, markersize=4)
                    ends.append((line[-1], name))
            _name(axes, ends)
            axes.margins(x=0.2)

    label = f"{score} of destination and route finding over the steps that were read"
    return svg(fill, (9.6, 3.2), f"curve-{score}", label)


def _line(cells: Mapping[str, Any], task: Task, score: str) -> list[tuple[int, float]]:
    values = ((at, cells[name][str(task)][score]["macro"])
              for at, name in enumerate(_steps()) if name in cells)  # fmt: skip
    return [(at, value) for at, value in values if value is not None]


def _name(axes: Axes, ends: Iterable[tuple[tuple[int, float], str]]) -> None:
    """Write names behind the ends of lines, those that nearly meet side by side."""
    shown: list[tuple[tuple[int, float], list[str]]] = []
    for (x, y), name in sorted(ends):
        if shown and shown[-1][0][0] == x and y - shown[-1][0][1] < _APART:
            shown[-1][1].append(name)
        else:
            shown.append(((x, y), [name]))
    for end, names in shown:
        axes.annotate(", ".join(names), end, (6, 0), textcoords="offset points", color=INK,
                      fontsize=7.5, va="center")  # fmt: skip
