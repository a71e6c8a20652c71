"""Agents, answerers, memories and worlds that a user passes as objects rather than by name.

An instance is copied for each world, a class or function is called for a fresh one: no state goes
from one world to the next, so a resumed run has the bytes of an undisturbed one. Methods may be
plain or `async`.

A digest of their code (`code_of`) keeps a run from being gone on with, or read, by other code. It
covers a class or function, the state of an instance, the arguments of a `functools.partial`, and
all that their code names in modules of the user's own: functions, classes, values, and modules by
their files. Of a library (in site-packages, or Python's own) it covers names only. Not seen is
what code finds while it runs: files that it reads, modules that a function imports, a server.

Code is told by its source. What has none (``exec``, ``python -c``), or a state that cannot be told,
has no digest: then a run's `label` says which version it is.
"""

from __future__ import annotations

import functools
import inspect
import pickle
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dis import get_instructions
from pathlib import Path
from traceback import format_exception
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from worldquiz.errors import (
    AgentError,
    CatalogError,
    KnobError,
    ReplyTypeError,
    user_errors,
)
from worldquiz.plugins import imported
from worldquiz.records import digest, printable

OTHER_CODE = "what is finished is kept: run it again to go on, with other code in another folder"
_PLAIN = (type(None), type(...), bool, int, float, complex, str, bytes)
_OURS = ("worldquiz", "worldquiz_scenes")
_HEAP_TYPE = 1 << 9
"""Flag of a class that a ``class`` statement made."""


def name_of(thing: object) -> str:
    """Return how records call a thing: a name itself, else its ``name``, else its class's."""
    if isinstance(thing, str):
        return thing
    stated = getattr(thing, "name", None)
    if isinstance(stated, str) and stated:
        return stated
    made = thing.func if isinstance(thing, functools.partial) else thing
    return str(getattr(made, "__name__", type(made).__name__))


def check_name(thing: object, noun: str, known: Collection[str]) -> None:
    """Raise `CatalogError` if an object is called like something of a catalogue."""
    if not isinstance(thing, str) and name_of(thing) in known:
        raise CatalogError(
            f"{noun} {name_of(thing)!r}: worldquiz has one of that name: give the object another "
            "`name`"
        )


def fresh(thing: object, noun: str, **offered: Any) -> Any:
    """Return a new one: a copy of an instance, or what a class or function makes.

    A class or function is given those of the offered values that it has a parameter for. Raises
    `CatalogError` for a parameter that it needs and that nothing is offered for, and for an
    instance that cannot be copied.
    """
    name = name_of(thing)
    if not (isinstance(thing, type | functools.partial) or inspect.isroutine(thing)):
        try:
            return deepcopy(thing)
        except Exception as error:  # whatever the user's object raises
            raise CatalogError(
                f"{noun} {name!r} cannot be copied for each world ({error}): pass a class or "
                "function that makes one"
            ) from error
    parameters: Mapping[str, inspect.Parameter]
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):  # a built-in without a signature
        parameters = {}
    known = {key: value for key, value in offered.items() if key in parameters}
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for key, each in parameters.items():
        if each.default is each.empty and each.kind not in rest and key not in known:
            only = f"only {' and '.join(offered)} is" if offered else "nothing is"
            raise CatalogError(
                f"{noun} {name!r} needs {key!r}, and {only} offered: pass an instance, or "
                f"{noun}=lambda: {name}({key}=...)"
            )
    with blamed(f"{noun} {name!r}", "when it was made"):
        return thing(**known)


def place_of(method: Callable[..., Any]) -> str:
    """Return where a function or method is written: its name, its file and the line."""
    made = inspect.unwrap(getattr(method, "__func__", method))
    code = getattr(made, "__code__", None) or getattr(type(made).__call__, "__code__", None)
    line = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
    return f"{getattr(made, '__qualname__', type(made).__name__)}{line}"


async def settled(value: Any) -> Any:
    """Return a value, or what it comes to where a method was `async`."""
    return await value if inspect.isawaitable(value) else value


@contextmanager
def blamed(who: str, where: str) -> Iterator[None]:
    """Say of what a user's object raises whose error it is, where, and how to go on.

    Raises `AgentError` from that error. `who` is as "agent 'Mine'", `where` as "in world 'w-1'".
    """
    try:
        yield
    except user_errors():
        raise
    except Exception as error:  # whatever the user's object raises
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        failed = AgentError(f"{who} failed {where}: {told}; {OTHER_CODE}")
        failed.trace = "".join(format_exception(error))
        raise failed from error


def text_of(reply: object, method: Callable[..., Any], who: str, where: str) -> str:
    """Return what a method replied, which must be a text.

    Raises `ReplyTypeError`, which says what it is instead, and where to mend it.
    """
    if isinstance(reply, str):
        return printable(reply)
    raise ReplyTypeError(
        f"{who} returned {reply!r:.80}, not a text, {where}: mend {place_of(method)}; {OTHER_CODE}"
    )


def check_portable(things: object, jobs: int) -> None:
    """Raise `KnobError` where objects cannot be sent to the processes of a run."""
    if jobs == 1:
        return
    try:
        pickle.dumps(things)
    except Exception as error:  # whatever the user's object raises
        raise KnobError(
            f"an object of the run cannot be sent to other processes ({error}): define it in a "
            "module, or run with jobs=1"
        ) from error


def summary_of(thing: object) -> str:
    """Return the first line of a thing's docstring, empty where it has none of its own."""
    text = getattr(thing, "__doc__", None) or ""
    made = thing if isinstance(thing, type) or inspect.isroutine(thing) else type(thing)
    own = text if "__doc__" in getattr(made, "__dict__", {}) or inspect.isroutine(made) else ""
    return own.strip().partition("\n")[0].rstrip(".")


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
        if isinstance(value, re.Pattern):
            return self._all((value.pattern, value.flags))
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
            text, self._lost = "", True
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
        if home == "builtins":  # so ``exec`` calls its module, too
            return bool(getattr(value, "__flags__", _HEAP_TYPE) & _HEAP_TYPE)
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
