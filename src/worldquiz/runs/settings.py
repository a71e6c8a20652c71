"""Settings of a run, each declared once, with its default, help, range and option name.

The fields become options of the command line, keyword arguments in Python and arguments of
inspect's tasks, so a new setting needs only a new field. A setting that only one benchmark has is a
field of that benchmark's own subclass:

    @dataclass(frozen=True, kw_only=True)
    class MazeSettings(RunSettings):
        per_maze: int = setting(50, "Most questions to ask about a maze.", least=1)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from worldquiz.errors import KnobError, did_you_mean

MODEL, MEMORY, PROMPTS = "Model", "Memory", "Prompts (departures from the paper's)"
"""Panels of a command's help."""
_KINDS: dict[str, tuple[str, Any]] = {
    "bool": ("true or false", bool),
    "float": ("a number", int | float),
    "int": ("a whole number", int),
    "str": ("a string", str),
}
"""Types that are checked, with their names in errors; booleans do not pass as numbers."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Metadata of a field: its help, its range, and how the command line spells it."""

    help: str  # with the unit
    panel: str = "Options"
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    option: str | None = None  # "--game" if not the field's name; may add "-j"
    needs: str | None = None  # another setting, which must be given


def setting(default: Any, help: str, **about: Any) -> Any:
    """Return a dataclass field for a setting; `about` holds further fields of its `Setting`."""
    if about.get("panel") in (MODEL, MEMORY, PROMPTS):
        about.setdefault("needs", "model")
    return field(default=default, metadata={"setting": Setting(help, **about)})


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings that a run of any benchmark may have."""

    LACKS: ClassVar[frozenset[str]] = frozenset()
    """Settings that a benchmark does not have."""

    model: str | None = setting(
        None,
        "A language model: openai/gpt-5.1, anthropic/NAME, or the server's name with --base-url.",
        panel=MODEL, needs=None,
    )  # fmt: skip
    base_url: str | None = setting(
        None,
        "An OpenAI-compatible server, e.g. http://localhost:8000/v1; its key is taken from "
        "OPENAI_API_KEY.",
        panel=MODEL,
    )
    generate: Mapping[str, Any] | None = setting(
        None,
        "A request setting, by its name in OpenAI's protocol: temperature=0, seed=1.",
        panel=MODEL, metavar="NAME=VALUE",
    )  # fmt: skip
    connections: int = setting(20, "Most calls at once, over all worlds.", panel=MODEL, least=1)
    retries: int = setting(5, "Times to retry a failed call.", panel=MODEL, least=0)
    timeout: int = setting(
        600, "Most seconds that one attempt of a call may take.", panel=MODEL, least=1
    )
    max_tokens: int | None = setting(
        None,
        "End the run once it has used this many tokens, in prompts and replies together.",
        panel=MODEL, least=0,
    )  # fmt: skip
    seed: int = setting(0, "Random seed for samples and for agents that act at random.")
    jobs: int | None = setting(
        None,
        "Number of processes; by default, one for each core. A single process makes all calls to a "
        "model. Results do not depend on this number.",
        least=1, option="--jobs -j",
    )  # fmt: skip
    on: str | None = setting(
        None,
        "Spread the work over a Ray cluster: ray (started on this machine for this command), "
        "ray:ADDRESS or ray://HOST:PORT. --jobs is then the number of units at once.",
        metavar="CLUSTER",
    )
    shard: str | None = setting(
        None,
        "Do only part I of N, into a folder of its own; `worldquiz merge` joins the parts. "
        "Worlds, mazes or scenes are dealt out in their order.",
        metavar="I/N",
    )
    retry_failed: bool = setting(False, "Retry units that failed before; everything else is kept.")
    label: str | None = setting(
        None,
        "Name of the run on pages and in tables. Default: its folder, and settings that differ.",
    )
    fresh: bool = setting(False, "Delete the run in the folder, and start over.")

    def __post_init__(self) -> None:
        """Raise `KnobError` for a value of the wrong type or out of range."""
        for name, (type, about) in declared(self.__class__).items():
            value = getattr(self, name)
            if value is not None:
                _check(name, value, type, about)

    @classmethod
    def of(cls, given: RunSettings | None, changes: Mapping[str, Any]) -> Self:
        """Return the settings `given`, or the defaults, with `changes` made to them.

        Raises `TypeError` for an unknown name, and `KnobError` for an invalid value or a setting
        that would have no effect.
        """
        known = declared(cls)
        if given is not None:
            plain = {name: getattr(given, name) for name in known if hasattr(given, name)}
            changes = {**plain, **changes}
        for name in changes:
            if name not in known:
                raise TypeError(f"no setting {name!r}{did_you_mean(name, known)}")
        made = cls(**changes)
        for name, (_, about) in known.items():
            changed = name in changes and changes[name] != getattr(cls, name, None)
            needed = about.needs if about.needs in known else None
            if changed and needed and getattr(made, needed) is None:
                what = "a model" if needed == "model" else needed
                raise KnobError(f"{name} has no effect without {what}: give both, or omit {name}")
        return made


def declared(kind: type[RunSettings]) -> dict[str, tuple[str, Setting]]:
    """Return the type and metadata of each setting that a class has, by name."""
    return {
        each.name: (str(each.type), each.metadata["setting"])
        for each in fields(kind)
        if each.name not in kind.LACKS
    }


def _check(name: str, value: Any, type: str, about: Setting) -> None:
    """Raise `KnobError` for a value of the wrong type, out of range, or not among the choices."""
    kinds = [_KINDS.get(word, ("", object)) for word in type.split(" | ") if word != "None"]
    if isinstance(value, bool):
        fits = any(kind in (bool, object) for _, kind in kinds)
    else:
        fits = any(isinstance(value, kind) for _, kind in kinds)
    if not fits:
        raise KnobError(f"{name} {value!r}: must be {' or '.join(words for words, _ in kinds)}")
    if about.choices and value not in about.choices:
        close = did_you_mean(str(value), about.choices)
        raise KnobError(f"{name} {value!r}: no such value{close}")
    if about.least is not None and not value >= about.least:
        raise KnobError(f"{name} {value}: must be {about.least:g} or more")
    if about.most is not None and not value <= about.most:
        raise KnobError(f"{name} {value}: must be {about.most:g} or less")
