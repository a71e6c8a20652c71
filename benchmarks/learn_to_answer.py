"""Does a small model learn to know, or does it learn the sheet? Fine-tune one to answer.

    just answering OUT [--worlds 100] [--tests 30] [--curve 10] [--only read]
        [--plot docs/images/answering.svg] [--write docs/explanation/learning-to-answer.md]

SmolLM2-135M (`transcript_reader`) learns to answer the quizzes of `--worlds` easy worlds, one step
a world: `read` from the transcript of an explorer who stopped early in some worlds, `sheet` from
the questions alone, with the same replies to learn. A question that the transcript does not settle
has the reply "unknown". Then both take the quiz of worlds that they were not trained on, through
the house's own exam. Beside them stand

    packaged   the model before, with transcripts
    examples   the model before, shown one transcript with some questions and replies first
    swapped    the model that learned to read, with the transcript of another world
    and the house's answerers, of which only `worldgraph` reads

OUT keeps each network with its optimizer every `PART` worlds and each test world by world, so a
killed run goes on there. Tests after `PART` worlds, twice as many, and so on take the first
`--curve` worlds only, those at the end all. A call with more worlds goes on where fewer ended.
Two processes may share OUT if each trains another model (`--only`).
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
from learning_tables import head, line, write_figures
from transcript_reader import UNKNOWN, Answerer, Model, Packed, opened, packaged, packed, told

from worldquiz import rng
from worldquiz.facts.question import Answer, Format, Prompt, Type, gold, prompt
from worldquiz.records import read_json, whole_file, write_json, write_text
from worldquiz.report import canvas
from worldquiz.splits import Split
from worldquiz.t2q import pipeline
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.base import AnswersQuiz, Brief
from worldquiz.t2q.budget import Walkthroughs
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.scoring import COUNTED, Difference, Sitting, differences, scores, shares
from worldquiz.t2q.store import Played
from worldquiz.t2q.training import built
from worldquiz.t2q.world.game import Game

LEVEL = "easy"
BUDGETS = (0.4, 0.7, 1.0, 1.5)
"""Commands of the explorer, as multiples of the walkthroughs': drawn for each world."""
PART = 25
"""Worlds after which a network is kept."""
QUESTIONS = 12
"""Questions of a world that are learned from at most: more cost much and teach little."""
SMOOTH = 5
"""Worlds of which a plot shows the mean loss."""
LEARNERS = ("read", "sheet")
MODELS = ("examples", *LEARNERS)
HOUSE = ("abstainer", "constant", "sheet", "wording", "worldgraph")
Say = Callable[[str], None]


def played(split: Split, number: int) -> Played:
    """Return a world with what an explorer saw there; nobody has answered yet."""
    bundle = built(LEVEL, split, number)
    draws = rng.child(number, "learn to answer", split)
    brief = Brief(bundle.spec, bundle.tasks, bundle.questions, draws.randrange(2**32))
    budget = Walkthroughs(draws.choice(BUDGETS))
    agent = catalog.agent("explorer", brief)
    episodes = asyncio.run(pipeline.interact(
        Game(bundle.spec), agent, bundle.tasks, seed=brief.seed, name="explorer", budget=budget
    ))  # fmt: skip
    return Played(bundle, episodes, ())


def replies(record: Played) -> list[str]:
    """Return the reply to each question that is right after what was shown."""
    settled = [result.answerable is not None for result in results(record)]
    asked = zip(record.bundle.questions, settled, strict=True)
    return [gold(question) if known else UNKNOWN for question, known in asked]


def lesson(record: Played, *, reads: bool) -> Packed:
    """Return some questions of a world with the replies to learn, the same for every model."""
    text = told([each.transcript for each in record.episodes]) if reads else ""
    asked = list(zip(map(prompt, record.bundle.questions), replies(record), strict=True))
    draws = rng.child(record.bundle.spec.seed, "lesson")
    drawn = draws.sample(asked, min(QUESTIONS, len(asked)))
    return packed(opened(text), [each for each, _ in drawn], [reply for _, reply in drawn])


def examples() -> list[tuple[str, Prompt, str]]:
    """Return what a model is shown first: one question of each format, and one left open."""
    record = next(
        each for each in (played("train", n) for n in range(100)) if UNKNOWN in replies(each)
    )
    text = told([each.transcript for each in record.episodes])
    by_format: dict[str, tuple[Prompt, str]] = {}
    for question, reply in zip(record.bundle.questions, replies(record), strict=True):
        by_format.setdefault(
            UNKNOWN if reply == UNKNOWN else question.kind, (prompt(question), reply)
        )
    return [(text if not n else "", *each) for n, each in enumerate(by_format.values())]


@dataclass(frozen=True)
class Trial:
    """What is trained and tested, and where it is kept."""

    out: Path
    tests: int
    curve: int

    def file(self, name: str, worlds: int) -> Path:
        """Return where the replies of a contestant are kept, after training on some worlds."""
        return self.out / f"answers-{name}-{worlds}.json"

    def train(self, name: str, model: Model, worlds: int, say: Say) -> None:
        """Go on with a training until a model has learned from so many worlds."""
        path = self.out / f"{name}.pt"
        if not model.losses and path.is_file():
            model.read(path)
        if len(model.losses) > worlds:
            raise SystemExit(f"{path}: it learned from {len(model.losses)} worlds, not {worlds}")
        for number in range(len(model.losses), worlds):
            model.step(lesson(played("train", number), reads=name == "read"))
            if (number + 1) % PART == 0:
                with whole_file(path) as file:
                    model.write(file)
                write_json(path.with_suffix(".json"), model.losses)
                mean = sum(model.losses[-PART:]) / PART
                say(f"{name}: {number + 1} worlds, loss {mean:.3f}")

    def has(self, path: Path, worlds: int) -> bool:
        """Tell whether so many worlds of a test are kept."""
        return path.is_file() and len(read_json(path)) >= worlds

    def ask(self, path: Path, answerer: AnswersQuiz, worlds: int, *, swapped: bool = False) -> None:
        """Have somebody take the quizzes that are not in a file yet."""
        said = read_json(path) if path.is_file() else []
        for number in range(len(said), worlds):
            record = self.test(number)
            shown = self.test((number + 1) % self.tests) if swapped else record
            questions = record.bundle.questions
            answers = asyncio.run(pipeline.examine(answerer, shown.episodes, questions))
            said.append([each.reply for each in answers])
            write_json(path, said)

    @cache  # noqa: B019  # one trial a process
    def test(self, number: int) -> Played:
        """Return a world of the tests."""
        return played("test", number)

    def sat(self, path: Path, most: int | None = None) -> list[Sitting]:
        """Return what the replies in a file give to score."""
        return [self._sat(number, said) for number, said in enumerate(read_json(path)[:most])]

    def _sat(self, number: int, said: Sequence[str]) -> Sitting:
        record = self.test(number)
        asked = zip(record.bundle.questions, said, strict=True)
        answers = tuple(Answer(question.id, reply) for question, reply in asked)
        return pipeline.sat(replace(record, answers=answers))

    def house(self, name: str) -> list[Sitting]:
        """Return what an answerer of the house earns in the same worlds."""
        return [self._sat(number, self._house(name, number)) for number in range(self.tests)]

    def _house(self, name: str, number: int) -> list[str]:
        record = self.test(number)
        spec, tasks, questions = record.bundle.spec, record.bundle.tasks, record.bundle.questions
        answerer = catalog.answerer(name, Brief(spec, tasks, questions, number), record.episodes)
        answers = asyncio.run(pipeline.examine(answerer, record.episodes, questions))
        return [each.reply for each in answers]


def points(worlds: int) -> list[int]:
    """Return after how many worlds models are tested."""
    found = [0]
    while found[-1] < worlds:
        found.append(min(worlds, 2 * found[-1] or PART))
    return found


def exams(name: str, point: int, trial: Trial, worlds: int) -> dict[str, int]:
    """Return the tests of a model after `point` worlds of `worlds`: of how many worlds each is."""
    whole = name != "sheet" if not point else point == worlds
    found = {name: trial.tests if whole else trial.curve}
    return found | ({"swapped": trial.tests} if name == "read" and point == worlds else {})


def experiment(trial: Trial, names: Sequence[str], worlds: int, say: Say) -> None:
    """Train and test all that is not kept yet."""
    for name in names:
        model: Model | None = None
        shown: list[tuple[str, Prompt, str]] = []
        for point in points(worlds if name in LEARNERS else 0):
            asked = exams(name, point, trial, worlds)
            if all(trial.has(trial.file(exam, point), count) for exam, count in asked.items()):
                continue
            model = model or Model(packaged())
            if name in LEARNERS:
                trial.train(name, model, point, say)
            else:
                shown = examples()
            answerer = Answerer(model, reads=name != "sheet", examples=shown)
            for exam, count in asked.items():
                file = trial.file(exam, point)
                trial.ask(file, answerer, count, swapped=exam == "swapped")
                say(f"{exam}, {point} worlds: {_headline(trial.sat(file, trial.curve))}")


def _headline(sat: Sequence[Sitting]) -> str:
    found = scores(sat, resamples=0)
    return f"knowledge {found['knowledge']:+.3f}, EUS {found['eus']:.3f}"


# -- what came of it --------------------------------------------------------------------------

SHARES = {
    "knowledge": "knowledge",
    "EUS": "eus",
    "right where settled": "accuracy_answerable",
    "abstains where open": "abstention_recall",
    "false-answer rate": "overclaim",
}
"""Columns, and what the house calls them."""
FORMS = {name: SHARES[name] for name in ("knowledge", "right where settled", "abstains where open")}
"""What is told of each form of question."""
DIFFERENCES = (
    ("read", "packaged"), ("read", "examples"), ("read", "sheet"), ("read", "swapped"),
    ("sheet", "abstainer"), ("swapped", "abstainer"), ("worldgraph", "read"),
)  # fmt: skip
NAMES = {
    "packaged": "as packaged",
    "examples": "as packaged, with examples",
    "read": "fine-tuned to read",
    "swapped": "fine-tuned to read, another world's transcript",
    "sheet": "fine-tuned on the sheet alone",
    "house sheet": "`sheet`",
}


def contestants(trial: Trial, worlds: int) -> dict[str, list[Sitting]]:
    """Return what everybody earned in all worlds of the tests."""
    files = {
        "packaged": trial.file("read", 0),
        "examples": trial.file("examples", 0),
        **{name: trial.file(name, worlds) for name in ("read", "swapped", "sheet")},
    }
    done = {name: file for name, file in files.items() if trial.has(file, trial.tests)}
    ours = {name: trial.sat(file, trial.tests) for name, file in done.items()}
    return ours | {_free(name, ours): trial.house(name) for name in HOUSE}


def _free(name: str, taken: Container[str]) -> str:
    return f"house {name}" if name in taken else name


def tables(trial: Trial, worlds: int) -> Iterator[str]:
    """Yield the tables of the results page."""
    sat = contestants(trial, worlds)
    found = {name: scores(each) for name, each in sat.items()}
    yield from head("Answerer", *SHARES, "unread")
    for name, said in found.items():
        cells = [_share(said, key) for key in SHARES.values()]
        counts = said["counts"]
        yield line(_shown(name), *cells, f"{counts['unread']} of {counts['questions']}")
    yield ""
    yield from head("Difference", "knowledge", "p", "EUS", "p")
    for left, right in (pair for pair in DIFFERENCES if sat.keys() >= {*pair}):
        apart = differences(shares(sat[left]), shares(sat[right]))
        cells = [cell for key in ("knowledge", "eus") for cell in _difference(apart[key])]
        yield line(f"{_shown(left)} less {_shown(right)}", *cells)
    yield ""
    types = [str(each) for each in Type]
    yield from head("Knowledge by type", *types)
    for name, said in found.items():
        yield line(_shown(name), *(_share(said["by_type"][each], "knowledge") for each in types))
    yield line("questions that count", *(_counted(found["read"], each) for each in types))
    yield from _by_form(sat)


def _by_form(sat: Mapping[str, list[Sitting]]) -> Iterator[str]:
    """Yield the main shares of our models for the questions of each type and form."""
    names = [name for name in NAMES if name in sat and not name.startswith("house")]
    kinds = sorted({(each.type, each.format) for world in sat["read"] for each in world.results})
    found = {(name, kind): scores(_of_form(sat[name], kind)) for name in names for kind in kinds}
    for title, key in FORMS.items():
        yield ""
        yield from head(f"{title.capitalize()}, by type and form", "questions", *map(_shown, names))
        for kind in kinds:
            said = [found[name, kind] for name in names]
            cells = [_share(each, key, bounded=key == "knowledge") for each in said]
            yield line(", ".join(kind), str(found["read", kind]["counts"][COUNTED[key][1]]), *cells)


def _of_form(sat: Sequence[Sitting], kind: tuple[Type, Format]) -> list[Sitting]:
    """Return the sittings with the questions of one type and form."""
    return [
        replace(world, results=tuple(
            each for each in world.results if (each.type, each.format) == kind
        ))
        for world in sat
    ]  # fmt: skip


def _shown(name: str) -> str:
    return NAMES.get(name, f"`{name}`")


def _share(told: Mapping[str, Any], key: str, *, bounded: bool = True) -> str:
    value, bounds = told[key], told["ci"][key] if bounded else None
    if value is None:
        return "–"
    return f"{value:.2f}" + (f" [{bounds[0]:.2f}, {bounds[1]:.2f}]" if bounds else "")


def _difference(apart: Difference | None) -> tuple[str, str]:
    if apart is None:
        return "–", "–"
    return f"{apart.value:+.2f} [{apart.low:.2f}, {apart.high:.2f}]", f"{apart.p:.4f}"


def _counted(told: Mapping[str, Any], type: str) -> str:
    counts = told["by_type"][type]["counts"]
    return f"{counts['counted']}, {counts['reachable']} of them settled"


def picture(trial: Trial, worlds: int) -> str:
    """Return the learning curves: loss in training, and knowledge of worlds held out."""

    def fill(figure: Any) -> None:
        loss, *shares = figure.subplots(1, 3)
        for place, name in enumerate(LEARNERS):
            style = {"color": canvas.stand_in(place), "lw": 2, "label": NAMES[name]}
            losses = read_json(trial.out / f"{name}.json")[:worlds]
            ends = range(SMOOTH, len(losses) + 1, SMOOTH)
            loss.plot(ends, [sum(losses[end - SMOOTH : end]) / SMOOTH for end in ends], **style)
            ats = [at for at in points(worlds) if trial.file(name, at).is_file()]
            sat = [trial.sat(trial.file(name, at), trial.curve) for at in ats]
            found = [scores(each, resamples=0) for each in sat]
            for axes, key in zip(shares, ("knowledge", "eus"), strict=True):
                axes.plot(ats, [each[key] for each in found], marker="o", **style)
        for axes, title in zip(shares, ("knowledge", "EUS"), strict=True):
            axes.axhline(0, color=canvas.SOFT, lw=0.8)
            axes.set(title=f"{title}, {trial.curve} unseen worlds", xlabel="training worlds")
        loss.set(title="loss a reply, in nats", xlabel="training worlds", ylim=(0, None))
        loss.legend(frameon=False, loc="lower left")

    label = "Loss in training, and knowledge and EUS of unseen worlds, over training worlds"
    return canvas.standalone(canvas.svg(fill, (9.6, 3.4), "answering", label))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--worlds", type=int, default=100, help="worlds to train on")
    parser.add_argument("--tests", type=int, default=30, help="worlds of the split test")
    parser.add_argument("--curve", type=int, default=10, help="those of them for the curves")
    parser.add_argument("--only", choices=MODELS, help="train and test this model, no more")
    parser.add_argument("--plot", type=Path, help="SVG file of the learning curves")
    parser.add_argument("--write", type=Path, help="page whose tables are written again")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    asked.out.mkdir(parents=True, exist_ok=True)
    trial = Trial(asked.out, asked.tests, asked.curve)
    names = (asked.only,) if asked.only else MODELS
    experiment(trial, names, asked.worlds, partial(print, flush=True))
    if asked.only:
        return
    print(report := "\n".join(tables(trial, asked.worlds)))
    if asked.plot:
        write_text(asked.plot, picture(trial, asked.worlds))
    if asked.write:
        write_figures(asked.write, report)


if __name__ == "__main__":
    main()
