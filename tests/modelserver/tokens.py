"""Counting tokens offline, and a provider's prompt cache.

A token is a run of at most twelve letters and digits, or one other character that is no white
space; a picture counts 85 beside its mark in the text. The cache follows OpenAI's rule: of a prompt
that begins like an earlier one, whole blocks of 128 tokens are read from the cache, provided they
are 1,024 tokens or more. What is cached is known by a hash of all the text up to a block's end.

A long prompt mostly repeats an earlier one and adds to it, so only what is new is counted.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass, field

PICTURE = 85  # tokens
_TOKEN = re.compile(r"\w{1,12}+|[^\w\s]")
_HEAD = 600  # characters by which earlier prompts are found
_ALIKE = 6  # earlier prompts kept for each head
_HEADS = 4096
_BLOCKS = 500_000


def count(text: str) -> int:
    """Return the number of tokens of a text."""
    return len(_TOKEN.findall(text))


def clipped(text: str, tokens: int) -> str:
    """Return the first tokens of a text, the whole text if it has no more."""
    for number, token in enumerate(_TOKEN.finditer(text), start=1):
        if number > tokens:
            return text[: token.start()].rstrip()
    return text


@dataclass(slots=True)
class Walk:
    """A prompt, walked through block by block."""

    text: str
    ends: list[int] = field(default_factory=list)  # where each whole block ends
    blocks: list[bytes] = field(default_factory=list)  # the hash of all up to there
    tokens: int = 0


class PrefixCache:
    """What a provider keeps of the prompts that it has seen."""

    def __init__(self, block: int = 128, minimum: int = 1024) -> None:
        self._size, self._minimum = block, minimum
        self._block = re.compile(rf"(?>(?:\s*+(?>\w{{1,12}}+|[^\w\s])){{{block}}})")
        self._seen: OrderedDict[bytes, None] = OrderedDict()
        self._walks: OrderedDict[str, list[Walk]] = OrderedDict()

    def walk(self, text: str) -> Walk:
        """Return a prompt's length and blocks."""
        walk = self._begun(text)
        start = walk.ends[-1] if walk.ends else 0
        last = walk.blocks[-1] if walk.blocks else b""
        while match := self._block.match(text, start):
            piece = text[start : match.end()].encode()
            last = hashlib.blake2b(last + piece, digest_size=16).digest()
            start = match.end()
            walk.ends.append(start)
            walk.blocks.append(last)
        walk.tokens = len(walk.ends) * self._size + count(text[start:])
        return walk

    def cached(self, walk: Walk) -> int:
        """Return how many tokens of a prompt's beginning are read from the cache."""
        found = 0
        for block in walk.blocks:
            if block not in self._seen:
                break
            found += self._size
        return found if found >= self._minimum else 0

    def keep(self, walk: Walk) -> None:
        """Take a prompt into the cache; the blocks used longest ago make room."""
        for block in walk.blocks:
            self._seen[block] = None
            self._seen.move_to_end(block)
        while len(self._seen) > _BLOCKS:
            self._seen.popitem(last=False)
        alike = self._walks.setdefault(walk.text[:_HEAD], [])
        self._walks.move_to_end(walk.text[:_HEAD])
        alike.insert(0, walk)
        del alike[_ALIKE:]
        while len(self._walks) > _HEADS:
            self._walks.popitem(last=False)

    def _begun(self, text: str) -> Walk:
        """Return a walk that has the blocks that the text shares with an earlier prompt."""
        best, length = None, 0
        for walk in self._walks.get(text[:_HEAD], ()):
            same = shared(walk.text, text)
            if same > length:
                best, length = walk, same
            if walk.ends and same > walk.ends[-1]:
                break
        if best is None:
            return Walk(text)
        whole = sum(1 for end in best.ends if end < length)  # the token there ends in both
        return Walk(text, best.ends[:whole], best.blocks[:whole])


def shared(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their beginnings."""
    if other.startswith(one):
        return len(one)
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
