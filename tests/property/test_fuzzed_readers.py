"""Readers of what others wrote, under mutated inputs: a result, or a line that says what is wrong.

Any one file of a folder is changed; digests in its manifest are made right, as whoever means harm
would.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

import foreign
import fuzz_inputs
import people
from command import worldquiz
from deep import DEEP
from worldquiz.facts.answer_text import answers_in
from worldquiz.llm import json_replies
from worldquiz.llm.http import read_completion
from worldquiz.llm.model import CallError
from worldquiz.llm.reply_lists import read_moves
from worldquiz.records import digest
from worldquiz.t2q.reader.memory import read_context
from worldquiz.tea.scoring import parse

CASES = 400 if DEEP else 20
"""How many inputs each reader is given."""
DRAWN = (".png", ".z8", ".md", ".html")
FOLDERS: dict[str, Callable[[Path], object]] = {
    "suite": lambda path: worldquiz(
        "t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 5, "--jobs", 1, "--out", path
    ),
    "mazes": lambda path: worldquiz(
        "mango", "build", "--mazes", 1, "--size", 6, "--seed", 1, "--out", path
    ),
    "run of Task2Quiz": people.worlds,
    "run of MANGO": people.mazes,
    "run of TEA": people.tasks,
    "run of recall": people.views,
}


def said(*words: object) -> None:
    """See that a command ends well, or with one plain line."""
    found = worldquiz(*words)
    lines = found.err.splitlines()
    assert found.code in (0, 1, 2, 3), found
    assert found.code == 0 or (len(lines) == 1 and lines[0].isprintable()), (words, found)


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def changed(whole: dict[str, bytes], file: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files that change with one: itself, and the manifests that hold its digest."""
    for name in {"manifest.json", "plan.json"} & whole.keys() - {file}:
        text = whole[name]
        for told in (digest, lambda each: hashlib.sha256(each).hexdigest()):
            text = text.replace(told(whole[file]).encode(), told(data).encode())
        yield name, text
    yield file, data


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_changed_file_of_a_folder_ends_as_one_line(kind: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    FOLDERS[kind](folder)
    verbs = ("check", "score", "show") if "run" in kind else ("check", "show")
    whole = files(folder)
    told = [name for name in whole if Path(name).suffix not in DRAWN]
    for verb in verbs:
        assert worldquiz(verb, folder).code == 0
    for number in range(CASES):
        draw = Random(f"{kind} {number}")
        file = draw.choice(told)
        data = fuzz_inputs.drawn(draw, [whole[file]], Path(file).suffix)
        for name, text in changed(whole, file, data):
            (folder / name).write_bytes(text)
        for verb in verbs:
            said(verb, folder)
        for name, _ in changed(whole, file, data):
            (folder / name).write_bytes(whole[name])
        if "run" in kind:
            (folder / "scores.json").write_bytes(whole["scores.json"])


@pytest.mark.parametrize("kind", ["glb", "sh3d"])
def test_a_changed_file_of_another_program_ends_as_one_line(kind: str, tmp_path: Path) -> None:
    file = foreign.glb(tmp_path / "a.glb") if kind == "glb" else foreign.HOME
    whole = file.read_bytes()
    for number in range(max(4, CASES // 6)):
        other = tmp_path / f"b{file.suffix}"
        other.write_bytes(fuzz_inputs.drawn(Random(f"{kind} {number}"), [whole], file.suffix))
        said("tea", "scene", "--import", other, "--out", tmp_path / "home")
        shutil.rmtree(tmp_path / "home", ignore_errors=True)


REPLIES = tuple(
    text.encode()
    for text in (
        '{"answer": "attic"}', '```json\n{"answer": ["mug", "sofa"]}\n```', "The answer is: attic.",
        '<think>Is it {"answer": "a"}?</think>{"answer": "yes", "confidence": "80%"}', "attic",
        "{'answer': 'Bob\\'s house',}", "{“answer”: “the attic”}",
        '[{"prev_node": "hall", "action": "north", "node": "attic"}]',
        "Moves: [{'prev_node': 'Bob's', 'action': 'n', 'node': 'attic'}, {'location_before': 'a'",
        '{"answers": [{"question": 1, "answer": "no"}, {"question": 2, "answer": "3"}]}',
        '{"answer": [0.1, 0.2, 1.5, 1.0, 0.5, 0.25]}', "The box is (1, 2), (30, 40), 2.5 metres.",
    )
)  # fmt: skip
COMPLETION = json.dumps(
    {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None,
                     "message": {"role": "assistant", "content": '{"answer": "attic"}',
                                 "tool_calls": None, "refusal": None}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
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


def reply_is_read(text: str) -> None:
    json_replies.read_text(text, "command")
    answers_in(json_replies.read_answer(text)[0])
    read_moves(text)
    for shape in parse.AnswerShape:
        parse.read(text, shape=shape, choices=("left of", "right of", "no", "yes"))


def completion_is_read(text: str) -> None:
    with suppress(ValueError, RecursionError):
        told = json.loads(text)
        with suppress(CallError):
            json.dumps(asdict(read_completion(told))).encode()


@pytest.mark.parametrize(
    ("corpus", "read"),
    [
        (REPLIES, reply_is_read),
        ((COMPLETION,), completion_is_read),
        ((GAME,), read_context.__wrapped__),
    ],
    ids=["replies", "completions", "games"],
)
def test_any_text_of_a_model_a_server_or_a_game_is_read(
    corpus: tuple[bytes, ...], read: Callable[[str], object]
) -> None:
    for number in range(10 * CASES):
        data = fuzz_inputs.drawn(Random(number), corpus)
        read(data.decode("utf-8", "replace"))


@pytest.mark.parametrize(
    ("file", "data"),
    [
        ("manifest.json", b"[" * 990),
        ("answers.jsonl", b'{"a":' * 990 + b"\n"),
        (".answers.journal", b'{"call": 1\n{"a":\n'),
        ("manifest.json", b'{"kind": "mango", "answerer": ' + b"9" * 5000 + b"}"),
    ],
)
def test_what_made_a_reader_fail_once_ends_as_one_line(
    file: str, data: bytes, tmp_path: Path
) -> None:
    run = people.mazes(tmp_path / "run")
    (run / file).write_bytes(data)
    for verb in ("check", "score", "show"):
        said(verb, run)
