"""Tokenizers by name: what they count, and what a name that is none gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from mango_data import word_tokenizer
from worldquiz.errors import KnobError
from worldquiz.llm.prompts import counter


@pytest.mark.parametrize("folder", [False, True])
def test_a_tokenizer_file_counts_whole_texts(tmp_path: Path, folder: bool) -> None:
    path = word_tokenizer(tmp_path / "tokenizer.json")
    count = counter(f"hf:{tmp_path if folder else path}")
    assert count("go north, then up") == 5
    assert count("up " * 5_000) == 5_000  # though the file says to cut texts at 8 tokens


def test_tiktoken_counts_special_words_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([byte]): byte for byte in range(256)}
    plain = tiktoken.Encoding(
        "plain", pat_str=r".", mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 256}
    )
    monkeypatch.setattr(tiktoken, "get_encoding", {"o200k_base": plain}.__getitem__)
    assert counter("tiktoken:gpt-4o")("ab<|endoftext|>") == 15
    counter.cache_clear()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("gpt-4", "no such tokenizer; use chars/NUMBER, tiktoken:NAME"),
        ("chars/0", "no such tokenizer"),
        ("chars/-4", "no such tokenizer"),
        ("tiktoken", "no such tokenizer"),
        ("hf:", "no such tokenizer"),
        ("tiktoken:cl100k_bass", "cannot be loaded"),
        ("hf:a b", "cannot be loaded"),
    ],
)
def test_an_unknown_tokenizer_is_told_what_there_is(name: str, complaint: str) -> None:
    with pytest.raises(KnobError, match=complaint) as told:
        counter(name)
    assert repr(name) in str(told.value)
    assert "\n" not in str(told.value)


def test_without_a_network_tiktoken_is_told_how_to_do_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tiktoken = pytest.importorskip("tiktoken")

    def fetch(name: str) -> None:
        raise ConnectionError(f"Max retries exceeded with url: /{name}\nand much more")

    monkeypatch.setattr(tiktoken, "get_encoding", fetch)
    with pytest.raises(KnobError, match=r"cannot be loaded \(Max.*TIKTOKEN_CACHE_DIR") as told:
        counter("tiktoken:p50k_edit")
    assert "much more" not in str(told.value)
