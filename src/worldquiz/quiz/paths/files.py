"""A file that is too large to be built in memory, and yet is written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from worldquiz.errors import RecordError


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a stream to a temporary neighbour; at the end it is flushed to disk and renamed.

    Nothing is changed where the block fails. Raises `RecordError` where the system refuses.
    """
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
        temporary = None
    except OSError as error:
        reason = error.strerror or error
        raise RecordError(f"{path}: cannot write: {reason}; nothing was changed") from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
