"""Every reader of what others wrote, each with a corpus of whole inputs made on the fly.

A reader takes bytes: a reply, or one file of a folder that is whole otherwise. Digests of that file
in the folder's manifest are made right, as whoever means harm would.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import foreign
import fuzz_inputs
import people
import recalls
import synthetic
import tea_contest
from worldquiz import records, trust
from worldquiz.errors import user_errors
from worldquiz.facts.answer_text import answers_in, normal
from worldquiz.llm import json_replies
from worldquiz.llm.calls import Calls, digest_of, made
from worldquiz.llm.model import CallError, Completion, FunctionCall, read_completion
from worldquiz.llm.reply_lists import read_moves
from worldquiz.mango.games.mapping import read_place
from worldquiz.mango.games.minigames import read_choice
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.mango import Home, Layout
from worldquiz.mango.maze.mango import read as read_maze
from worldquiz.mango.maze.write import write
from worldquiz.mango.running.imported import read_any
from worldquiz.mango.scoring.answers import read_as_released
from worldquiz.mango.scoring.release import read_path
from worldquiz.records import digest
from worldquiz.runs.check import checked
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import ANSWERS, Lines, by_id
from worldquiz.runs.journal_file import CALLS, framed, whole_lines
from worldquiz.runs.losses import Losses, read_losses, write_losses
from worldquiz.runs.progress import progress_of
from worldquiz.runs.run import Run
from worldquiz.runs.shard import SHARD, read_shard
from worldquiz.t2q.builder import build
from worldquiz.t2q.llm.sample import pack, unpack
from worldquiz.t2q.reader.context import read_context
from worldquiz.t2q.reader.questions import read_question
from worldquiz.t2q.reader.text import read_replies, read_view
from worldquiz.t2q.suites import Plan, open_suite
from worldquiz.tea.data import read_tasks, write_tasks
from worldquiz.tea.rating import KIND as RATINGS
from worldquiz.tea.rating import QUESTIONS
from worldquiz.tea.recall import words
from worldquiz.tea.scoring import parse
from worldquiz.tea.taskgraph import Instance
from worldquiz.tea.written import parts as written
from worldquiz.tea.written.marks import Mark
from worldquiz_scenes import importing
from worldquiz_scenes.config import preset
from worldquiz_scenes.generate import generate as furnish
from worldquiz_scenes.importing.label_file import read_labels
from worldquiz_scenes.meshes import arrays_in
from worldquiz_scenes.save import read_scene, write_scene

Corpus = Sequence[bytes]
REPLIES: Corpus = tuple(
    text.encode()
    for text in (
        '{"answer": "attic"}', '```json\n{"answer": ["mug", "sofa"]}\n```', "The answer is: attic.",
        '<think>Is it {"answer": "a"}?</think>{"answer": "yes", "confidence": "80%"}', "attic",
        '{"command": "go north"}', "{'answer': 'Bob\\'s house',}", "{“answer”: “the attic”}",
        '[{"prev_node": "hall", "action": "north", "node": "attic"}, '
        '{"prev_node": "attic", "action": "south", "node": "hall"}]',
        "Moves: [{'prev_node': 'Bob's', 'action': 'n', 'node': 'attic'}, {'location_before': 'a'",
        '{"answers": [{"question": 1, "answer": "no"}, {"question": 2, "answer": "3"}]}',
        '{"answer": [0.1, 0.2, 1.5, 1.0, 0.5, 0.25]}',
        '{"answer": {"centre": [1,2,3], "size": [1,1,1]}}',
        '{"turn": -30, "walk": 1.5}', 'So: {"stop": true}',
        "The box is (1, 2), (30, 40), 2.5 metres.",
        '{"tasks": [{"command": "bring me the mug", "object": 1, "other": null}]}', "Action: north",
        "1. left of\n2. right of",
        "In front of it, to the left, are three mugs; answer: 3", "[]", "null",
    )
)  # fmt: skip
MARKS = (Mark(1, "mug-1", "mug", (1, 2, 30, 40)), Mark(2, "sofa-1", "sofa", (50, 2, 90, 40)))


@dataclass(frozen=True)
class Reader:
    """A reader, and what is changed to try it: a text, or a file of a folder."""

    name: str
    corpus: Mapping[str, Corpus]  # by the ending of a file's name, or the file's own
    read: Callable[[str, bytes], object]
    size: Callable[[], int] = int  # bytes beside the changed ones that are read

    def draw(self, draw: Random) -> tuple[str, bytes]:
        """Draw which file is changed, and what it becomes."""
        place = draw.choice(sorted(self.corpus))
        return place, fuzz_inputs.drawn(draw, self.corpus[place], Path(place).suffix)


def of_text(name: str, read: Callable[[str], object], corpus: Corpus = REPLIES) -> Reader:
    """Return a reader of texts, with halves of characters and all."""
    return Reader(name, {"text": corpus}, lambda _, data: read(_text(data)))


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def of_value(name: str, read: Callable[[Any], object], corpus: Corpus) -> Reader:
    """Return a reader of JSON values; what is no JSON is passed over."""

    def values(_: str, data: bytes) -> object:
        try:
            told = json.loads(data)
        except (ValueError, RecursionError):
            return None
        return read(told)

    return Reader(name, {"text": corpus}, values)


def of_file(
    name: str,
    file: str,
    corpus: Corpus,
    read: Callable[[Path], object],
    room: Path,
    within: str = "",
) -> Reader:
    """Return a reader of a file that stands alone in a folder of its own, or `within` the room."""
    folder = room / (within or name.replace(" ", "-"))
    folder.mkdir(parents=True)

    def written_(_: str, data: bytes) -> object:
        (folder / file).write_bytes(data)
        return read(folder / file)

    return Reader(name, {file: corpus}, written_)


def of_folder(name: str, folder: Path, *reads: Callable[[Path], object]) -> Reader:
    """Return a reader of folders of which any one file may be changed."""
    whole = {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }
    told = [file for file in whole if Path(file).suffix not in (".png", ".z8", ".md", ".html")]
    size = sum(map(len, whole.values()))

    def changed(file: str, data: bytes) -> object:
        old = [digest(whole[file]), plain_digest(whole[file])]
        new = [digest(data), plain_digest(data)]
        manifests = [
            name for name in ("manifest.json", "plan.json") if name in whole and name != file
        ]
        try:
            (folder / file).write_bytes(data)
            for told_by in manifests:
                text = whole[told_by]
                for one, two in zip(old, new, strict=True):
                    text = text.replace(one.encode(), two.encode())
                (folder / told_by).write_bytes(text)
            ends = [ended(read, folder) for read in reads]
            for end in ends:
                if isinstance(end, user_errors()):
                    raise end
            return ends
        finally:
            for each in (file, *manifests):
                (folder / each).write_bytes(whole[each])

    return Reader(name, {file: [whole[file]] for file in told}, changed, lambda: size)


def plain_digest(data: bytes) -> str:
    """Return the plain SHA-256 of bytes, as some manifests hold it."""
    import hashlib

    return hashlib.sha256(data).hexdigest()


def ended(read: Callable[[Path], object], path: Path) -> object:
    """Return what a reader returns, or its error of ours: the next reader is tried all the same."""
    try:
        return read(path)
    except user_errors() as error:
        return error


def replies() -> Iterator[Reader]:
    """Yield what reads the replies of models and servers, and the texts of games."""
    yield of_text("reply: an object", json_replies.read_object)
    yield of_text("reply: a command", lambda text: json_replies.read_text(text, "command"))
    yield of_text("reply: an answer", lambda text: answers_in(json_replies.read_answer(text)[0]))
    yield of_text("reply: words", lambda text: (normal(text), answers_in(text, "Is it so?")))
    yield of_text("reply: moves", read_moves)
    yield of_text("reply: moves, as released", read_path)
    yield of_text("reply: a place", read_place)
    yield of_text("reply: a minigame", partial(read_choice, actions=("north", "go up")))
    for shape in parse.AnswerShape:
        read = partial(parse.read, shape=shape, choices=("left of", "right of", "no", "yes"))
        yield of_text(f"reply: a {shape}", read)
    yield of_text("reply: a step", parse.read_step)
    yield of_text("reply: tasks", lambda text: written.read(text, MARKS, 2))
    sheet = next(iter(recalls.recall(recalls.flat()).sheets.values()))[1]
    yield of_text("reply: a sheet", lambda text: words.read(sheet, text))
    values = [b"0.5", b'"80%"', b'["a", {"b": [1, 2]}]', b'{"x": {"y": [true, null]}}', b"1e3"]
    yield of_value("value: a share", json_replies.read_share, values)
    yield of_value("value: an answer", json_replies.read_value, values)
    yield of_value("completion of a server", _completed, [COMPLETION])
    yield of_text("text of a game", _game_text, [GAME])
    yield of_text("a question", read_question, [b"Where is the mug?", b"Is the red door locked?"])


COMPLETION = json.dumps(
    {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None,
                     "message": {"role": "assistant", "content": '{"answer": "attic"}',
                                 "tool_calls": None, "refusal": None}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12,
                  "prompt_tokens_details": {"cached_tokens": 4}},
    }
).encode()  # fmt: skip
GAME = b"""[task 1, step 0]
-= Attic =-
You've entered an attic. You can see a chest. The chest contains a mug and a key. There is a closed
red door leading east. There is an exit to the north. You don't like doors? Why not try going west?
[task 1, step 1] > open red door
You open red door.
Inventory: You are carrying: a key, a lamp and 2 apples.
"""


def _completed(told: Any) -> str:
    try:
        return json.dumps(asdict(read_completion(told))).encode().decode()
    except CallError as error:
        return str(error)


def _game_text(text: str) -> object:
    return read_context.__wrapped__(text), read_view(text), list(read_replies(text))


def documents(room: Path) -> Iterator[Reader]:
    """Yield what reads single documents, tables and journals."""
    plain = [b'{"a": [1, 2.5, {"b": null}], "c": "d"}', COMPLETION]
    yield of_text("JSON", _loaded, plain)
    yield of_file("document", "x.json", plain, records.read_json, room)
    lines = [b'{"id": "q%d", "reply": "attic", "usage": {"calls": 1}}' % n for n in range(3)]
    journal = b"".join(map(framed, lines))
    yield Reader("lines of a journal", {"": [journal, lines[0]]}, lambda _, data: whole_lines(data))
    journals = [journal, b"\n".join(lines) + b"\n"]
    name = f".{ANSWERS.removesuffix('.jsonl')}.journal"
    yield of_file("journal of answers", name, journals,
                  lambda path: Lines(path.parent, by_id, silent).lines, room)  # fmt: skip
    begun = room / "begun"
    yield of_file("journal of calls", "w.journal", [_calls()], _replayed, begun, CALLS)
    records.write_json(begun / "manifest.json", {"kind": "run"})
    labels = b'"table_01" = "dining table"\n[unknown]\n"x y" = "sofa"\n[known]\nmug = "mug"\n'
    yield of_file("labels", "labels.toml", [labels], lambda path: read_labels(path.parent), room)
    rows = (
        b'{"game": "toy", "id": "%s", "task": "df", "source": "hall", "actions": ["north"], "end":'
    )
    rows += b' "kitchen", "reply": "[]", "steps": 3}\n'
    yield of_file("answers in lines", "a.jsonl", [rows % (b"ab" * 32)], read_any, room)
    yield of_file("answers as released", "b.jsonl", [rows % (b"ab" * 32)], read_as_released, room)


def _loaded(text: str) -> object:
    try:
        return trust.loads(text)
    except ValueError as error:  # the one error that it may raise
        return str(error)


def _calls() -> bytes:
    reply = asdict(Completion("x", tool_calls=(FunctionCall("1", "f", {"a": 1}, "{}"),), input=3))
    told = [{"call": n, "prompt": digest_of([]), "reply": reply} for n in range(3)]
    return b"".join(framed(json.dumps(each).encode()) for each in told)


def _replayed(path: Path) -> object:
    """Read the calls of a unit as progress does, and replay them."""
    made_ = [
        ended(lambda out: list(made(out)), path.parents[1]),
        ended(progress_of, path.parents[1]),
    ]
    calls = Calls(path.parents[1], "w")
    return made_, [calls.find(number, []) for number in range(3)]


def folders_of(room: Path) -> Iterator[Reader]:
    """Yield what reads folders: of data and of runs of the three benchmarks."""
    suite = build(Plan("easy", 5, 1), room / "suite").path
    yield of_folder("suite", suite, checked, lambda path: open_suite(path).worlds)
    worlds = people.worlds(room / "worlds")
    yield of_folder("run of Task2Quiz", worlds, checked, scored, progress_of)
    write(generate(Knobs(6, loops=0.3), 1, name="cave"), room / "mazes")
    yield of_folder("mazes", room / "mazes", checked, _mazes)
    yield of_folder("run of MANGO", people.mazes(room / "mango"), checked, scored)
    yield of_folder("run of TEA", people.tasks(room / "tea"), checked, scored)
    yield of_folder("run of recall", people.views(room / "recall"), checked, scored)
    rated = _rated(room / "rated")
    yield of_folder("ratings", rated, checked, scored)
    part = room / "part"
    shutil.copytree(room / "mango", part, ignore=shutil.ignore_patterns("scores.json"))
    units = [["cave/df/1", 1], ["cave/rf/2", 2]]
    told = {"shard": 1, "of": 2, "noun": "questions", "units": units, "kept": "answers.jsonl"}
    records.write_json(part / SHARD, told)
    write_losses(part, Losses({"cave/df/1": "why"}, ["x"], "limit"))
    yield of_folder("shard with losses", part, read_shard, read_losses, checked)
    packed = pack(synthetic.played("easy-00", "easy", "scout")).encode()
    yield Reader("packed world", {"x.packed": [packed]}, lambda _, data: unpack(_text(data), "log"))


def scored(path: Path) -> object:
    """Read a run's rows and score it, as every verb does."""
    run = Run(path)
    return run.rows, run.computed()


def _mazes(path: Path) -> object:
    return read_maze(Home("cave", path / "cave" / "steps70", Layout.STEPS70))


def _rated(folder: Path) -> Path:
    told = {"tasks": 8, "trips": 0, "seed": 0, "share": 0.5, "answerer": "human", "name": "Al"}
    records.write_json(folder / "manifest.json", {"kind": RATINGS, "data": "d16e57", **told})
    tasks = tea_contest.asked(4)[:2]
    records.write_records(folder / "tasks.jsonl", "task", Instance, tasks)
    lines = [
        {"world": task.scene, "type": asked, "id": task.id, "reply": "yes", "seconds": 9.0}
        for task in tasks
        for asked in QUESTIONS
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    records.write_text(folder / ANSWERS, text)
    return folder


def scenes(room: Path) -> Iterator[Reader]:
    """Yield what reads scenes, their parts, and files of other programs that become scenes."""
    flat = furnish(preset("tiny").knobs, 5, "tiny-01")
    write_scene(room / "flat", flat)
    scene = (room / "flat" / "scene.json").read_bytes()
    yield of_file("scene", "scene.json", [scene], read_scene, room)
    write_tasks(room / "tasks.parquet", tea_contest.asked(4))
    table = (room / "tasks.parquet").read_bytes()
    yield of_file("table of tasks", "tasks.parquet", [table], read_tasks, room)
    yield of_file("mesh", "a.npz", [mesh()], arrays_in, room)
    for name, file in (("GLB", foreign.glb(room / "a.glb")), ("SH3D", foreign.HOME)):
        yield of_file(name, file.name, [file.read_bytes()], importing.read, room)


def mesh() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, vertices=np.eye(3), faces=np.array([[0, 1, 2]]))
    return stream.getvalue()


def readers(room: Path) -> list[Reader]:
    """Return all readers."""
    sources = [replies(), documents(room), folders_of(room), scenes(room)]
    return [reader for source in sources for reader in source]
