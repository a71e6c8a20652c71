"""Digest of a user's own code, so that a run is neither gone on with nor read by other code.

It covers a class or function, the state of an instance, the arguments of a `functools.partial`, and
all that their code names in modules of the user's own: functions, classes, values, and modules by
their files. Of a library (in site-packages, or Python's own) it covers names only. Not seen is
what code finds while it runs: files that it reads, modules that a function imports, a server.

Code is told by its source. What has none (``exec``, a compiled class), or a state that cannot be
told, has no digest: then a run's `label` says which version it is.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterable, Iterator
from dis import get_instructions
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from worldquiz.plugins import imported
from worldquiz.records import digest

_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes)
_OURS = ("worldquiz", "worldquiz_scenes")


def code_of(**things: object) -> dict[str, dict[str, str | None]]:
    """Return what a manifest says of the code of users' objects; None where it cannot be told.

    A name of a catalogue says nothing, ``module:attribute`` does.
    """
    own = {
        part: imported(thing, "the run names") if isinstance(thing, str) else thing
        for part, thing in things.items()
        if thing is not None and (not isinstance(thing, str) or ":" in thing)
    }
    return {"code": {part: _Teller(thing).told() for part, thing in own.items()}} if own else {}


class _Teller:
    """Describes an object by its code and state, in the same words in every process."""

    def __init__(self, thing: object) -> None:
        made = thing.func if isinstance(thing, functools.partial) else thing
        self._thing = thing
        self._root = _home(made if hasattr(made, "__qualname__") else type(made)).partition(".")[0]
        self._seen: dict[tuple[int, bool], tuple[object, str]] = {}
        self._coded, self._lost = self._root in _OURS, False

    def told(self) -> str | None:
        """Return the digest of the description, None where code or state cannot be told."""
        try:
            text = self._of(self._thing)
        except RecursionError:
            return None
        return digest(text) if self._coded and not self._lost else None

    def _of(self, value: object, state: bool = True) -> str:
        """Describe a value; without `state`, an instance by its class alone."""
        if type(value) in _PLAIN:
            return repr(value)
        key = id(value), state
        if key not in self._seen:
            self._seen[key] = value, "..."  # where it holds itself; kept, so its id stays its own
            self._seen[key] = value, self._described(value, state)
        return self._seen[key][1]

    def _described(self, value: Any, state: bool) -> str:
        if type(value) in (list, tuple):
            return self._all(value, state)
        if type(value) in (set, frozenset):
            return f"{{{','.join(sorted(self._of(each, state) for each in value))}}}"
        if type(value) is dict:
            return f"{{{','.join(sorted(self._all(each, state) for each in value.items()))}}}"
        if isinstance(value, FunctionType | type | ModuleType):
            return self._named(value)
        if isinstance(value, property):
            return self._all((value.fget, value.fset, value.fdel))
        within = ("__func__", "__wrapped__") if state else ("__func__", "__wrapped__", "func")
        for inner in (getattr(value, name, None) for name in within):
            if isinstance(inner, FunctionType):  # a method, or one that a decorator wraps
                return self._all((inner, getattr(value, "__self__", None)), state)
        return self._instance(value) if state else self._of(type(value))

    def _all(self, values: Iterable[object], state: bool = True) -> str:
        return f"({','.join(self._of(each, state) for each in values)})"

    def _named(self, value: FunctionType | type | ModuleType) -> str:
        if not self._own(value):
            return f"{_home(value)}.{value.__name__}"
        if isinstance(value, ModuleType):
            return self._module(value)
        self._coded = True
        return self._class(value) if isinstance(value, type) else self._function(value)

    def _function(self, value: FunctionType) -> str:
        try:
            text = inspect.getsource(value.__code__)
        except OSError:
            self._lost, text = True, ""
        known = value.__globals__
        used = {name: known[name] for name in _globals(value.__code__) if name in known}
        held = [_held(cell) for cell in value.__closure__ or ()]
        rest = self._all((value.__defaults__, value.__kwdefaults__, held))
        return f"{text}{rest}{self._of(used, False)}"

    def _class(self, value: type) -> str:
        told = {
            name: each
            for name, each in vars(value).items()
            if not name.startswith("__") or callable(each)
        }  # others are Python's own
        return f"{value.__qualname__}{self._all(value.__bases__)}{self._of(told, False)}"

    def _module(self, value: ModuleType) -> str:
        """Describe a module by its file, and by those of the user's own that it imports from."""
        file = Path(getattr(value, "__file__", None) or "")
        named = {_home(each) for each in vars(value).values()} & {*sys.modules}
        homes = [sys.modules[name] for name in sorted(named)]
        text = digest(file.read_bytes()) if file.is_file() else ""
        return f"{text}{self._all(each for each in homes if self._own(each))}"

    def _instance(self, value: object) -> str:
        """Describe an instance as it would be pickled: by its class, arguments and state."""
        try:
            told = value.__reduce_ex__(4)
        except Exception:  # whatever the user's object raises
            self._lost = True
            return self._of(type(value))
        if isinstance(told, str):
            return f"{_home(value)}.{told}"
        return self._all(list(each) if isinstance(each, Iterator) else each for each in told)

    def _own(self, value: Any) -> bool:
        """Tell whether a class, function or module is of the user's own."""
        home = _home(value)
        top, file = home.partition(".")[0], getattr(sys.modules.get(home), "__file__", None) or ""
        if top in sys.stdlib_module_names or top in _OURS or file.endswith((".so", ".pyd")):
            return False
        return top == self._root or not {"site-packages", "dist-packages"} & {*Path(file).parts}


def _home(value: object) -> str:
    """Return the name of the module of a class, a function or an instance, or a module's own."""
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return home if isinstance(home, str) else ""


def _held(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # nothing was put there yet
        return None


def _globals(code: CodeType) -> set[str]:
    """Return the global names that code reads, and that functions within it read."""
    found = {each.argval for each in get_instructions(code)
             if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}  # fmt: skip
    return found.union(*(_globals(each) for each in code.co_consts if isinstance(each, CodeType)))
