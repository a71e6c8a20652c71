"""Digest of the code and state of a user's own agent, answerer or memory.

It keeps a run from being gone on with, or read, by other code. It covers the source of a class or
function, the state of an instance, the arguments of a `functools.partial`, and the files of the
user's own modules that are imported there. Not seen is what code finds while it runs: files that it
reads, modules that a function imports, a server.

What has no source (``exec``, ``python -c``), or a state that cannot be told, has no digest: then a
run's `label` says which version it is.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from worldquiz.records import digest

_OURS = ("worldquiz", "worldquiz_scenes")


def told(thing: object) -> str | None:
    """Return a digest of an object's code and state, None where one of them cannot be told."""
    made = thing.func if isinstance(thing, functools.partial) else thing
    code: Any = made if isinstance(made, type) or inspect.isroutine(made) else type(made)
    try:
        state = _state(thing, [])
        return digest(_source(code), state, *sorted(_sources(_home(code), set())))
    except Exception:  # whatever the user's object raises
        return None


def _source(code: Any) -> str:
    """Return the source of a function, or of a class: its functions', and its other values."""
    code = getattr(code, "fget", None) or getattr(code, "__func__", code)
    if isinstance(code, FunctionType):
        return inspect.getsource(inspect.unwrap(code))
    if not isinstance(code, type):
        return _state(code, [])
    held: dict[str, str] = {}
    for each in code.__mro__:
        if each is code or _is_own(_home(each)):
            for name, value in vars(each).items():
                if callable(value) or not name.startswith("_"):
                    held.setdefault(name, _source(value))
    return repr(sorted(held.items()))


def _state(value: Any, above: list[int]) -> str:
    """Describe a value in the same words in every process: what it would be pickled as."""
    if isinstance(value, type(None) | bool | int | float | complex | str | bytes):
        return repr(value)
    if id(value) in above:  # it holds itself
        return "..."
    within = [*above, id(value)]
    if isinstance(value, ModuleType | type):
        return value.__name__
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        value = [value.__qualname__, value.__defaults__, value.__kwdefaults__, cells]
    elif not isinstance(value, list | tuple | set | frozenset | dict):
        value = value.__reduce_ex__(4)
    parts = value.items() if isinstance(value, dict) else value
    told = [_state(each, within) for each in parts] if not isinstance(value, str) else [value]
    ordered = not isinstance(value, set | frozenset | dict)
    return f"({','.join(told if ordered else sorted(told))})"


def _sources(home: str, seen: set[str]) -> Iterator[str]:
    """Yield digests of the files of a module and of those of the user's own that it imports."""
    seen.add(home)
    module = sys.modules.get(home)
    file = Path(getattr(module, "__file__", None) or "")
    if module is None or not file.is_file():
        return
    yield digest(file.read_bytes())
    for name in sorted({_home(each) for each in vars(module).values()} - seen):
        if name not in seen and _is_own(name):
            yield from _sources(name, seen)


def _is_own(name: str) -> bool:
    """Tell whether a module is the user's: of no library, of Python's or of ours."""
    file = Path(getattr(sys.modules.get(name), "__file__", None) or "")
    top = name.partition(".")[0]
    library = {"site-packages", "dist-packages"} & {*file.parts} or file.suffix != ".py"
    return not library and top not in sys.stdlib_module_names and top not in _OURS


def _home(value: object) -> str:
    """Return the name of the module of a class, a function or an instance, or a module's own."""
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return home if isinstance(home, str) else ""
