"""Readers of what others wrote, under mutated inputs: no error but ours, and none that was met."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

import fuzz_inputs
from fuzz_readers import COMPLETION, GAME, Reader, readers
from worldquiz.errors import user_errors
from worldquiz.runs.journal_file import framed

CASES, DEAR = 40, {"SH3D": 6}
"""How many inputs each reader is given; fewer where one takes a tenth of a second."""
MET = (
    ("text of a game", "text", GAME.replace(b"step 1", b"step " + b"9" * 5000)),
    ("journal of calls", "w.journal", b'{"call": 1\n{"a":\n'),
    ("journal of calls", "w.journal", b'{"a":' * 990 + b"\n"),
    ("journal of calls", "w.journal", framed(b'{"call": 0, "prompt": "p", "output": {"x": 1}}')),
    ("journal of calls", "w.journal", framed(b"[]") + framed(b'{"call": "1"}')),
    ("labels", "labels.toml", b"mug = " + b"[" * 990),
    ("labels", "labels.toml", b"[" + b"a." * 40_000 + b"a]"),
    ("run of TEA", "answers.jsonl", b'"mirror-1": 1.5'),
    ("run of MANGO", "rows.jsonl", b'"world": "cave"'),
    ("run of Task2Quiz", "worlds/easy-00/spec.jsonl", b'"kind(blue vase, object)",'),
    ("ratings", "answers.jsonl", b""),
    ("completion of a server", "text", COMPLETION.replace(b"null", b'{"content": null}', 1)),
    ("completion of a server", "text", COMPLETION.replace(b"null", b'{"content": [1]}', 1)),
    ("mesh", "a.npz", b"'shape': (3, 3)"),
)
"""Inputs that made a reader fail: whole ones, or what of a whole one was lost."""


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reader]:
    return {each.name: each for each in readers(tmp_path_factory.mktemp("readers"))}


def test_mutated_inputs_end_as_errors_of_ours(every: dict[str, Reader]) -> None:
    assert len(every) > 40
    for reader in every.values():
        for number in range(DEAR.get(reader.name, CASES)):
            place, data = reader.draw(Random(f"{reader.name} 0 {number}"))
            try:
                reader.read(place, data)
            except user_errors():
                pass
            except Exception as error:
                error.add_note(f"{reader.name}, case {number}, {place}: {data[:300]!r}")
                raise


@pytest.mark.parametrize(("name", "place", "data"), MET, ids=range(len(MET)))
def test_what_made_a_reader_fail_once_ends_as_an_error_of_ours(
    every: dict[str, Reader], name: str, place: str, data: bytes
) -> None:
    reader = every[name]
    whole = reader.corpus[place][0]
    for changed in (data, *_without(whole, data)):
        with suppress(*user_errors()):
            reader.read(place, changed)


def _without(whole: bytes, part: bytes) -> list[bytes]:
    """Return an input without a part of it, or with an object or a bracket in its place."""
    if whole.startswith(b"PK"):
        files = fuzz_inputs.CONTAINERS[".zip"].parts(whole)
        huge = (b"'shape': (" + b"9" * 30 + b",)", b"'shape': (((")
        return [
            fuzz_inputs.CONTAINERS[".zip"].whole(
                {name: each.replace(part, other) for name, each in files.items()}
            )
            for other in huge
        ]
    if not part or part not in whole:
        return []
    key = part.partition(b":")[0]
    return [whole.replace(part, other) for other in (b"", b'"x": 1', key + b": {}", key + b": []")]


def test_whole_inputs_are_read(every: dict[str, Reader]) -> None:
    for reader in every.values():
        for place, corpus in reader.corpus.items():
            reader.read(place, corpus[0])
