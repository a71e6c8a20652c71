"""The package's scripted writers as models behind the server."""

from __future__ import annotations

from modelserver.protocol import Script, Text
from worldquiz.tea.written import scripted


def diverse() -> Script:
    """Return one that says many things about as many things as it is shown."""
    return lambda request: Text(scripted.diverse(request.text, request.digest))


def verbose() -> Script:
    """Return one that says much the same at length, about the first few things that it is shown."""
    return lambda request: Text(scripted.verbose(request.text, request.digest))
