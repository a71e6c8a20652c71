"""A page about some runs: finding, plot, table, questions, and worlds as drawn.

It is made of rows. Each kind of run stands for itself: two kinds are never compared. The first
score of a kind is knowledge (`facts.knowledge`); where no guess is known, the mean grade. Beside it
stand false answers and the paper's own scores, which the caller gives.

A page of a thousand worlds has tens of thousands of questions. So that filters answer at once, the
page's index holds a type for each question and one letter for each answer (`sign`). The words stand
in a block for each world, which is plain JSON in a script element that is never run; the browser
reads it when a question of that world is shown or searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_letters, digits
from typing import Any

from worldquiz.facts.lost_points import lost_points
from worldquiz.facts.row import UNREAD, AnswerStatus, Row
from worldquiz.page.findings import Gaps, Share, Side, findings, minus, plot
from worldquiz.page.html import Drawing, DrawnPicture, Texts, many, parts, safe
from worldquiz.page.labels import colour, tag
from worldquiz.page.lost_points import EXPLAINED as LOST_EXPLAINED
from worldquiz.page.lost_points import HEADINGS, cells
from worldquiz.records import whole_file
from worldquiz.stats.intervals import Difference, too_few
from worldquiz.stats.row_scores import both_asked, compare, scores

MOST_LETTERS = 60_000_000
"""Of the drawings on a page; worlds beyond have none."""
_FULL = "the page is full: write one about fewer worlds"
TERMS = {"knowledge": "knowledge", "grade": "mean grade"}
EXPLAINED = {
    "knowledge": "Knowledge: points of what could be had, corrected for guessing. Who only guesses "
    "has 0, all shown and all right is 1.",
    "grade": "Mean grade: the mean over graded questions, 0 to 1.",
}
SIGNS = digits + ascii_letters
"""The letters of `sign`; a blank stands where a run was not asked."""
STATUSES = list(AnswerStatus)
_GRADES = 4  # none, wrong, partly right, right
LOST = (*UNREAD, AnswerStatus.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRun:
    """A run as the page takes it."""

    name: str
    rows: Sequence[Row]
    kind: str  # "Task2Quiz run": runs of one kind are compared
    world: str = "world"  # what a reader calls one of its worlds
    bound: str = ""  # "lower-bound", "upper-bound", "reference"; empty where it is measured
    paper: Mapping[str, Share | None] = field(default_factory=dict)
    """The paper's own scores, by their names."""
    made: Mapping[str, str] = field(default_factory=dict)
    """How it was made, setting by setting."""
    drawing: Callable[[str], Drawing | None] | None = None
    """Draws a world by its name; None where its data are not there."""
    data: Mapping[str, str] = field(default_factory=dict)
    """Digests of the data that it was made on."""


def page_run(name: str, rows: Sequence[Row], bounds: Mapping[str, str], **more: Any) -> PageRun:
    """Return a run as a page takes it. `bounds` are the roles of its baselines."""
    who = {each for row in rows[:1] for each in (row.agent, row.answerer) if each}
    roles = {bounds.get(each, "") for each in who} or {""}
    bound = "" if "" in roles else roles.pop() if len(roles) == 1 else "reference"
    return PageRun(name=name, rows=rows, bound=bound, **more)


@dataclass(frozen=True, slots=True)
class Entry:
    """A run with its scores."""

    run: PageRun
    place: int
    key: str  # of `TERMS`
    scores: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The run's name."""
        return self.run.name

    @property
    def tag(self) -> str:
        """Its letter."""
        return tag(self.place)

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return colour(self.place)

    @property
    def who(self) -> str:
        """Agent and answerer, where the run's name does not say them."""
        agents = sorted({row.agent for row in self.run.rows if row.agent})
        names = sorted({row.answerer for row in self.run.rows})
        return " + ".join(filter(None, (", ".join(agents), ", ".join(names))))

    @property
    def uncounted(self) -> int:
        """Graded questions whose guess is not known."""
        return sum(row.grade is not None and row.guess is None for row in self.run.rows)

    @property
    def tokens(self) -> int:
        """Tokens of the model's calls."""
        return sum(row.tokens or 0 for row in self.run.rows)

    def share(self, type: str | None = None, key: str = "") -> Share | None:
        """Return its score, or the one of a key, in all or of one type of question."""
        cell = self.scores if type is None else self.scores["by_type"].get(type)
        key = key or self.key
        if cell is None or cell[key] is None:
            return None
        bounds, counts = cell["ci"][key], cell["counts"]
        asked_ = counts["counted" if key == "knowledge" else "graded"]
        number, noun = counts["worlds"], self.run.world
        worlds = too_few(number, noun) or many(number, noun)
        count = f"{many(asked_, 'question')} about {worlds}"
        return Share(cell[key], tuple(bounds) if bounds else None, count)

    def plotted(self) -> dict[str, Share]:
        """Return its scores by type, and of "all" questions."""
        found = {"all": self.share(), **{name: self.share(name) for name in self.scores["by_type"]}}
        return {name: share for name, share in found.items() if share}


def build(runs: Sequence[PageRun], out: Path, *, losses: Iterable[str] = ()) -> Path:
    """Write the page about some runs and return its path; worlds are drawn as they are written.

    `losses` are sentences about questions that failed or are unfinished. Raises `ValueError`
    without runs, `MissingExtra` without jinja2 or numpy, `RecordError` where the file cannot be
    written.
    """
    if not runs:
        raise ValueError("a report needs at least one run")
    groups = [_group(kind, runs) for kind in dict.fromkeys(run.kind for run in runs)]
    entries = sorted((each for some in groups for each in some["entries"]), key=lambda x: x.place)
    worlds, blocks = asked_of([run.rows for run in runs])
    names = [run.name for run in runs]
    few = names if len(names) < 5 else [*names[:3], f"{len(names) - 3} more"]
    shown = [{"tag": each.tag, "name": each.name, "colour": each.colour} for each in entries]
    values = {
        "title": ", ".join(few),
        "groups": groups,
        "entries": entries,
        "losses": tuple(losses),
        "lost_headings": ("knowledge", *HEADINGS.values()),
        "lost_explained": LOST_EXPLAINED,
        "drawn": any(run.drawing for run in runs),
        "index": safe(index(worlds, shown)),
        "blocks": _blocks(worlds, blocks, runs),
    }
    with whole_file(out) as stream:
        for piece in parts("page.html.j2", values, scripts=("page.js",)):
            stream.write(piece.encode())
    return out


def _group(kind: str, runs: Sequence[PageRun]) -> dict[str, Any]:
    """Return the runs of one kind with their scores, and what comes out of them."""
    mine = [(n, run) for n, run in enumerate(runs) if run.kind == kind]
    found = [(place, run, scores(run.rows)) for place, run in mine]
    hidden = any(told["false_answers"] is not None for *_, told in found)
    key = "grade" if all(told["knowledge"] is None for *_, told in found) else "knowledge"
    entries = [Entry(run, place, key, told) for place, run, told in found]
    entries.sort(key=lambda each: -(share.value if (share := each.share()) else -9))
    measured = [each for each in entries if not each.run.bound] or entries
    types = sorted({name for each in entries for name in each.scores["by_type"]})
    paper = list(dict.fromkeys(n for each in entries for n, at in each.run.paper.items() if at))
    return {
        "kind": kind,
        "term": TERMS[key],
        "explained": EXPLAINED[key],
        "entries": entries,
        "measured": measured,
        "bounds": [each for each in entries if each not in measured],
        "findings": _findings(entries, key),
        "types": types,
        "plot": plot(
            [(each.tag, each.place, each.plotted()) for each in measured],
            ("all", *types) if len(types) > 1 else ("all",),
            TERMS[key],
        ),
        "lost": [(e, told) for e in entries if (told := cells(lost_points(e.run.rows)))],
        "paper": paper,
        "hidden": hidden,
        "uncounted": max(each.uncounted for each in entries) if key == "knowledge" else 0,
        "columns": ["run", TERMS[key], *["false answers"] * hidden, *paper, "questions"],
    }  # fmt: skip


def _findings(entries: Sequence[Entry], key: str) -> list[str]:
    rows = {each.name: each.run.rows for each in entries}
    data = {each.name: each.run.data for each in entries}
    sides = [Side(each.name, each.share(), each.run.bound) for each in entries]
    noun = entries[0].run.world

    def paired(left: Side, right: Side) -> Gaps:
        shared = both_asked(data[left.name], data[right.name])
        one, other = (
            [row for row in rows[side.name] if shared(row.world)] for side in (left, right)
        )
        if not (one and other):
            return Gaps(why=f"not the same {noun}s")
        return _gaps(one, other, noun)

    said = findings(sides, paired, TERMS[key], corrected=key == "knowledge")
    return [*said, *_strengths(entries), *_lost(entries)]


def _gaps(left: Sequence[Row], right: Sequence[Row], noun: str) -> Gaps:
    """Return how two runs differ on the questions of both, in all and by type."""
    try:
        found = compare(left, right, noun=noun)
    except ValueError:
        return Gaps(why="no shared question")
    types = {name: _difference(each) for name, each in found["by_type"].items()}
    return Gaps(_difference(found), types, found["note"] or "")


def _difference(cell: Mapping[str, Any]) -> Difference:
    return Difference(cell["difference"], cell["ci"] and tuple(cell["ci"]), cell["p"])


def _strengths(entries: Sequence[Entry]) -> list[str]:
    """Say on which type of question a run that stands alone is best, and on which worst."""
    if len(entries) > 1:
        return []
    types = [(name, share.value) for name in entries[0].scores["by_type"]
             if (share := entries[0].share(name))]  # fmt: skip
    if len({value for _, value in types}) < 2:
        return []
    best, worst = (pick(types, key=lambda each: each[1]) for pick in (max, min))
    return [f"Most on {best[0]} ({minus(best[1])}), least on {worst[0]} ({minus(worst[1])})."]


def _lost(entries: Sequence[Entry]) -> list[str]:
    """Say how many replies hold no answer, where there are any."""
    found = []
    for each in entries:
        counts = each.scores["counts"]
        lost = [f"{counts[status]:,} {status}" for status in LOST if counts[status]]
        if lost:
            found.append(f"{each.name}, of {counts['questions']:,} replies: {', '.join(lost)}.")
    return found


@dataclass(slots=True)
class AskedWorld:
    """The questions of one world, and each run's answers by the run's place."""

    key: str  # by which links name it
    name: str = ""  # as rows have it
    level: str = ""
    benchmark: str = ""  # empty where the page has one
    types: list[str] = field(default_factory=list)  # one a question
    signs: dict[int, str] = field(default_factory=dict)  # as long as `types`


def sign(score: float | None, status: AnswerStatus, *, answerable: bool) -> str:
    """Return one letter for an answer: its grade, whether it could be known, what became of it."""
    grade = 0 if score is None else 3 if score == 1 else 2 if score > 0 else 1
    return SIGNS[grade + _GRADES * (int(answerable) + 2 * STATUSES.index(status))]


def index(worlds: Sequence[AskedWorld], runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the page's script knows of runs and questions before it reads any.

    A run has ``tag``, ``name`` and ``colour``.
    """
    types = sorted({name for world in worlds for name in world.types})
    levels = list(dict.fromkeys(world.level for world in worlds if world.level))
    benchmarks = list(dict.fromkeys(world.benchmark for world in worlds if world.benchmark))
    number = {name: place for place, name in enumerate(types)}
    signs = {char for world in worlds for each in world.signs.values() for char in each} - {" "}
    used = sorted({SIGNS.index(char) // (2 * _GRADES) for char in signs})
    return {
        "benchmarks": benchmarks,
        "levels": levels,
        "runs": list(runs),
        "signs": SIGNS,
        "statuses": [str(status) for status in STATUSES],
        "types": types,
        "used": [str(STATUSES[place]) for place in used],
        "worlds": [
            {
                "key": world.key, "level": world.level, "benchmark": world.benchmark,
                "types": [number[name] for name in world.types],
                "signs": {str(run): signs for run, signs in world.signs.items()},
            }
            for world in worlds
        ],
    }  # fmt: skip


def asked_of(
    runs: Sequence[Sequence[Row]],
) -> tuple[list[AskedWorld], list[list[dict[str, Any]]]]:
    """Return the worlds of some runs' rows, and each one's block: questions with all answers."""
    found: dict[tuple[str, str], dict[tuple[str, ...], dict[str, Any]]] = {}
    levels: dict[tuple[str, str], set[str]] = {}
    for place, rows in enumerate(runs):
        for row in rows:
            world = (row.benchmark, row.world)
            levels.setdefault(world, set()).add(row.level or "")
            asked = found.setdefault(world, {})
            shown = asked.setdefault((row.type, row.item), _shown(row))
            if shown["text"] != row.prompt and shown["gold"] != row.gold:  # of another world
                shown = asked.setdefault((row.type, row.item, row.prompt), _shown(row))
            shown["answers"].append(
                {"run": place, "reply": row.reply, "score": row.grade,
                 "why": row.cause or row.unscored, "episode": row.episode or 0, "step": row.step,
                 "sign": sign(row.grade, row.status, answerable=row.shown)}
            )  # fmt: skip
    several = len({benchmark for benchmark, _ in found}) > 1
    blocks = [list(asked.values()) for asked in found.values()]
    worlds = []
    for (benchmark, name), block in zip(found, blocks, strict=True):
        told = [{each["run"]: each.pop("sign") for each in one["answers"]} for one in block]
        signs = {run: "".join(each.get(run, " ") for each in told) for run in range(len(runs))}
        worlds.append(
            AskedWorld(
                key=f"{benchmark}/{name}" if several else name,
                name=name,
                level=levels[benchmark, name].pop() if len(levels[benchmark, name]) == 1 else "",
                benchmark=benchmark if several else "",
                types=[each["type"] for each in block],
                signs={run: letters for run, letters in signs.items() if letters.strip()},
            )
        )
    return worlds, blocks


def _shown(row: Row) -> dict[str, Any]:
    return {
        "id": row.item, "type": row.type, "text": row.prompt, "choices": list(row.choices),
        "gold": row.gold, "answers": [],
    }  # fmt: skip


def _blocks(
    worlds: Sequence[AskedWorld],
    blocks: Sequence[Sequence[Mapping[str, Any]]],
    runs: Sequence[PageRun],
) -> Iterator[Any]:
    """Yield all that the page shows of each world: its questions, and how each run knew it."""
    left = MOST_LETTERS
    for world, questions in zip(worlds, blocks, strict=True):
        texts, drawn = Texts(), {}
        for place in world.signs if left > 0 else ():
            draw = runs[place].drawing
            if draw and (found := draw(world.name)):
                drawn[str(place)] = _drawn(found, texts)
        why = "its data were not found: give their folder with --data" if left > 0 else _FULL
        left -= sum(map(len, texts.table))
        yield safe({"questions": questions, "drawn": drawn, "texts": texts.table, "why": why})


def _drawn(found: Drawing, texts: Texts) -> dict[str, Any]:
    def picture(each: DrawnPicture | None) -> list[Any] | None:
        return [texts(each.uri), each.width, each.height, each.lines] if each else None

    return {
        "svg": texts(found.svg),
        "steps": [
            [each.episode, each.step, texts(each.text), each.shows, each.at, picture(each.picture)]
            for each in found.steps
        ],
        "about": found.about,
        "pictures": {id: list(map(picture, some)) for id, some in found.pictures.items()},
        "legend": found.legend,
    }
