"""Digest of the code and state of a user's own agent, answerer or memory.

The digest prevents changed code from continuing or reading a run. It covers the source of a class
or function; the user's own functions, classes, plain values and modules that the source names; the
state of an instance; and the arguments of a `functools.partial`. It cannot cover what the code
finds at run time: files that it reads, modules that a function imports, a server. Code without
source (``exec``, ``python -c``) and state that cannot be pickled have no digest; the user then
names the version of the code by the run's `label`.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from worldquiz.records import digest

_OURS = ("worldquiz", "worldquiz_scenes")
_PLAIN = (type(None), bool, int, float, str, bytes, list, tuple, set, frozenset, dict, re.Pattern)
"""Types of plain values that the digest covers."""


def told(thing: object) -> str | None:
    """Return a digest of an object's code and state, None if either cannot be read."""
    made = thing.func if isinstance(thing, functools.partial) else thing
    code: Any = made if isinstance(made, type) or inspect.isroutine(made) else type(made)
    try:
        state = _state(thing, [])
        return digest(_source(code, set()), state)
    except Exception:  # whatever the user's object raises
        return None


def _source(value: Any, seen: set[int]) -> str:
    """Return the source of a function, class or module, and of the user's code that it names."""
    value = getattr(value, "fget", None) or getattr(value, "__func__", value)
    home, known = _home(value), bool(seen)
    if isinstance(value, ModuleType):
        return repr(sorted(_sources(home, set()))) if _is_own(home) else home
    if not isinstance(value, FunctionType | type):
        return _state(value, []) if isinstance(value, _PLAIN) else type(value).__name__
    if id(value) in seen or (known and not _is_own(home)):
        return value.__qualname__
    seen.add(id(value))
    if isinstance(value, type):
        mine = [each for each in value.__mro__ if each is value or _is_own(_home(each))]
        held = {name: each for kind in reversed(mine) for name, each in vars(kind).items()
                if callable(each) or not name.startswith("_")}  # fmt: skip
        return repr([(name, _source(held[name], seen)) for name in sorted(held)])
    made = inspect.unwrap(value)
    used = sorted(_names(made.__code__) & made.__globals__.keys())
    return repr([inspect.getsource(made), *(_source(made.__globals__[n], seen) for n in used)])


def _names(code: CodeType) -> set[str]:
    """Return the names used in code and in its inner functions."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _state(value: Any, above: list[int]) -> str:
    """Return a string that describes a value's state and is the same in every process."""
    if isinstance(value, type(None) | bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, re.Pattern):
        return repr((value.pattern, value.flags))
    if id(value) in above:  # it contains itself
        return "..."
    within = [*above, id(value)]
    if isinstance(value, type):
        return _source(value, set()) if _is_own(_home(value)) else value.__name__
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
    """Yield digests of the files of a user's module and of the user's modules that it imports."""
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
    """Return whether a module is the user's own: not Python's, a library's or worldquiz's."""
    file = Path(getattr(sys.modules.get(name), "__file__", None) or "")
    top = name.partition(".")[0]
    if name == "__main__":
        return True
    library = {"site-packages", "dist-packages"} & {*file.parts} or file.suffix != ".py"
    return not library and top not in sys.stdlib_module_names and top not in _OURS


def _home(value: object) -> str:
    """Return the name of a module, or of the module of a class, function or instance."""
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return home if isinstance(home, str) else ""
