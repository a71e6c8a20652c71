"""Workers in this process, who end in an order of their own."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any


def backwards(
    work: Callable[[Any], Any], items: Sequence[Any], *, jobs: int, places: Sequence[Path] = ()
) -> Iterator[tuple[Any, Any]]:
    """Do as the executor with processes does, and finish the last item first."""
    for item in reversed(items):
        yield item, pickle.loads(pickle.dumps(work))(pickle.loads(pickle.dumps(item)))
