"""Memories of agents, and the public names for writing your own.

`memory` makes a memory by name, `memories` lists all memories, `check_memory` tests your own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.memory.base import Embedder, Entry, Memory, Services
    from worldquiz.memory.catalog import memories, memory
    from worldquiz.memory.checks import check_memory, sample
    from worldquiz.memory.embed import embedder

__all__ = [
    "Embedder", "Entry", "Memory", "Services", "check_memory", "embedder", "memories", "memory",
    "sample",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "base": "Embedder Entry Memory Services",
        "catalog": "memories memory",
        "checks": "check_memory sample",
        "embed": "embedder",
    },
)
