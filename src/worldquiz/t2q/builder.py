"""Construction of suites, from a plan of text worlds or from your own worlds.

`build` and `finish` make the worlds of a plan one by one, and keep those that are finished already.
`suite` accepts any simulator that follows the protocol `World`:

    worldquiz.t2q.suite(worlds=[TwoRooms], out="rooms")

Each world is given as the class or function that makes it. The suite stores its module and name, so
that another process or a later command can make it again. Tasks and questions are the world's own
``tasks`` and ``questions`` if it has them, else made from its spec as for text worlds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from worldquiz import rng
from worldquiz.errors import CatalogError, KnobError, PlanError, RecordError, WorldError
from worldquiz.plugins import need
from worldquiz.records import check, digest, read_bytes, read_json, write_folder, write_json
from worldquiz.runs.benchmark import PLAN
from worldquiz.runs.executor import Done, blocking, each, silent
from worldquiz.runs.folder import MANIFEST, Worlds, begin, claimed, world_folder
from worldquiz.runs.given import fresh
from worldquiz.runs.life import unfinished
from worldquiz.runs.shard import dealt
from worldquiz.t2q.front import T2QSuite, load
from worldquiz.t2q.quiz.ask import ask, with_guesses
from worldquiz.t2q.suites import CATALOGUE, WORLD, Bundle, as_world, read_bundle, write_bundle
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world import config
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import WorldSpec, check_spec
from worldquiz.version import own_version

_ID = re.compile(r"\w[\w.-]*")
CONTENT = ("spec.jsonl", "tasks.jsonl", "quiz.jsonl")
"""Files with a world's content; games compiled from it add nothing."""
RULES = 9
"""Version of the rules for tasks and questions; it increases if they change any world's quiz."""


class Slot(NamedTuple):
    """One world of a plan."""

    level: str
    seed: int
    id: str  # "hard-03"


@dataclass(frozen=True)
class Plan:
    """Plan of a suite, kept in ``plan.json``; equal plans give equal suites.

    A world depends only on the seed, its level and its number, so a suite of 20 worlds per level
    begins with the worlds of the suite of 10.
    """

    __pydantic_config__ = {"extra": "forbid"}  # noqa: RUF012  # pydantic reads it

    preset: str
    seed: int
    worlds: int = config.WORLDS_PER_LEVEL  # per level
    settings: Mapping[str, str] = field(default_factory=dict)  # parameters changed, as text
    per_task_games: bool = False  # compile a game of each task, for TextWorld
    rules: int = RULES

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise KnobError(f"worlds: expected 1 or more per level, found {self.worlds}")
        self.knobs()

    @classmethod
    def read(cls, path: Path) -> Plan:
        """Read the plan of a stopped build. Raises `RecordError` if it is invalid.

        A build must be finished under the version of the question rules that it began with.
        """
        check(read_bytes(path), cls, path)
        plan = cls(**read_json(path))
        if plan.rules != RULES:
            raise RecordError(
                f"{path}: expected question rules of version {RULES}, found {plan.rules}: build "
                "the suite again in another folder"
            )
        return plan

    def knobs(self) -> dict[str, config.Knobs]:
        """Return the parameters of each level. Raises `KnobError`."""
        return config.turned(self.preset, self.settings)

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The worlds, level by level."""
        return tuple(
            Slot(level, rng.child_seed(self.seed, level, number), f"{level}-{number:02}")
            for level in config.levels(self.preset)
            for number in range(self.worlds)
        )


def build(
    preset: str,
    *,
    worlds: int = config.WORLDS_PER_LEVEL,
    seed: int = 0,
    out: Path | str,
    parameters: Mapping[str, Any] | None = None,
    per_task_games: bool = False,
    jobs: int = 1,
    progress: Done = silent,
) -> T2QSuite:
    """Build a suite of text games with tasks and questions, or finish a build that was stopped.

    Args:
        preset: "easy", "medium", "hard", "paper" for these three, "explore", "infer", or "change".
        worlds: Worlds per level.
        seed: Equal seeds give equal suites.
        out: The folder of the suite.
        parameters: Parameters to change in every level, such as ``{"rooms": (4, 5)}``.
        per_task_games: Also compile each task to a game for TextWorld, as in the paper.
        jobs: Number of processes; results do not depend on it.
        progress: Called with the name of each finished world.

    Raises `KnobError` if no world can meet the parameters, `RecordError` if `out` holds another
    suite or other files, `MissingExtra` if games are requested without TextWorld.
    """
    settings = {
        name: "..".join(map(str, value)) if isinstance(value, tuple | list) else str(value).lower()
        for name, value in (parameters or {}).items()
    }
    plan = Plan(preset, seed, worlds, settings, per_task_games)
    blocking(lambda: finish(plan, Path(out), jobs=jobs, done=progress))
    return load(out)


def finish(
    plan: Plan, out: Path, *, shard: str | None = None, jobs: int = 1, done: Done = silent
) -> None:
    """Build the suite of a plan, or finish a build of the same plan that was stopped.

    With a `shard`, build only that part; `runs.merge` joins the parts. Equal plans give equal
    bytes, compiled games aside, whatever `jobs` is. Raises `RecordError` if `out` holds a suite
    of another plan or other files, `KnobError` if no world can meet the parameters, and
    `MissingExtra` if games are requested without TextWorld.
    """
    slots = {slot.id: slot for slot in plan.slots}
    for slot in slots.values():
        drawn(plan, slot)  # raises before anything is written; worlds are not kept in memory
    part, mine = dealt(shard, list(slots), "worlds") if shard else (None, list(slots))
    if plan.per_task_games:
        need("textworld.generator.inform7", extra="textworld")
    with claimed(out):
        begin(out, PLAN, asdict(plan), part)
        if (out / MANIFEST).is_file():
            return
        kept = Worlds(out, done)
        todo = [slots[world] for world in unfinished(mine, kept.has, done)]
        for slot, (bundle, files) in each(partial(_made, plan), todo, jobs=jobs):
            kept.keep(slot.id, partial(write_bundle, bundle=bundle, games=files))
        if part is None:
            entries = [described(world_folder(out, world)) for world in slots]
            write_json(out / MANIFEST, suite_manifest(entries, WORLD, plan=asdict(plan)))


def drawn(plan: Plan, slot: Slot) -> WorldSpec:
    """Return one world of a plan. Raises `KnobError` with its name if it cannot be made."""
    level, seed, id = slot
    try:
        return generate(plan.knobs()[level], seed, id=id, level=level)
    except KnobError as error:
        raise KnobError(f"world {id!r}: {error}") from error


def make(plan: Plan, slot: Slot) -> Bundle:
    """Return one world of a plan with its tasks and questions. Equal slots give equal worlds."""
    spec = drawn(plan, slot)
    tasks = tasks_of(spec, share=plan.knobs()[slot.level].errands)
    asked = ask(spec, tasks)
    if not asked:
        raise KnobError(f"world {slot.id!r} has nothing to ask about: allow more rooms or objects")
    measured = plan.settings.keys() <= {"budget"}  # which changes no world
    return Bundle(spec, tasks, with_guesses(spec, tasks, asked, measured=measured))


def _made(plan: Plan, slot: Slot) -> tuple[Bundle, dict[str, bytes]]:
    """Return one world of a plan, and the files of its compiled games by name."""
    made, files = make(plan, slot), dict[str, bytes]()
    if plan.per_task_games:
        from worldquiz.t2q.games import game_files

        for task in made.tasks:
            found = game_files(made.spec, task)
            files |= {f"games/{task.id}.{suffix}": data for suffix, data in found.items()}
    return made, files


def described(folder: Path) -> dict[str, Any]:
    """Return the manifest entry of the world in a folder."""
    bundle = read_bundle(folder)
    digests = {name: digest(read_bytes(folder / name)) for name in CONTENT}
    return {
        "id": bundle.spec.id,
        "level": bundle.spec.level,
        "seed": bundle.spec.seed,
        "rooms": len(bundle.spec.rooms),
        "objects": bundle.spec.objects,
        "tasks": len(bundle.tasks),
        "questions": len(bundle.questions),
        "files": digests,
        "digest": digest(*(f"{name} {digests[name]}" for name in CONTENT)),
    }


def suite_manifest(worlds: Sequence[Mapping[str, Any]], world: str, **plan: Any) -> dict[str, Any]:
    """Return a suite's manifest; `world` names the code that opens worlds by default."""
    return {
        "kind": "suite",
        "world": world,
        **plan,
        "versions": own_version(),
        "digest": digest(*(f"{world['id']} {world['digest']}" for world in worlds)),
        "worlds": worlds,
    }


def suite(worlds: Iterable[object] = (), *, out: Path | str, opened_by: object = None) -> T2QSuite:
    """Make a suite from your own worlds, or open it if `out` holds the same suite already.

    Each of `worlds` is a class or function that makes a world (see
    `worldquiz.t2q.world.spec.World`), or its name: an entry point of ``worldquiz.worlds`` or
    ``module:attribute``. A world may have ``tasks`` and ``questions``; if not, they are made from
    its ``spec``. Each of `worlds` may also be a `WorldSpec` or `Bundle`; then `opened_by` is the
    function that makes a world from it, with parameters ``spec`` and ``folder`` as needed.

    The suite is written whole or not at all. Raises `RecordError` if `out` holds other files,
    `CatalogError` if one of `worlds` does not make a world or cannot be imported by name, and
    `WorldError` if two worlds have the same id.
    """
    home = Path(out)
    made = [_own(each, opened_by) for each in worlds]
    if not made:
        raise WorldError("a suite needs at least one world")
    ids = [bundle.spec.id for bundle, _ in made]
    for id in ids:
        if ids.count(id) > 1 or not _ID.fullmatch(id):
            raise WorldError(
                f"world {id!r}: expected a unique id of letters, digits, - and _: rename the world"
            )

    def fill(folder: Path) -> None:
        entries = []
        for bundle, opener in made:
            target = world_folder(folder, bundle.spec.id)
            target.mkdir(parents=True)
            write_bundle(target, bundle)
            entries.append({**described(target), "world": opener})
        write_json(folder / MANIFEST, suite_manifest(entries, made[0][1]))

    if not home.exists() or (home.is_dir() and not any(home.iterdir())):
        write_folder(home, fill)
        return load(home)
    with TemporaryDirectory(prefix="worldquiz-") as name:
        fill(Path(name))
        path, wanted = home / MANIFEST, read_json(Path(name) / MANIFEST)
        if not path.is_file() or read_json(path) != wanted:
            raise RecordError(f"{home}: holds something else: choose an empty or new folder")
    return load(home)


def _name_of(factory: object) -> str:
    """Return the ``module:attribute`` by which a class or function is imported."""
    if isinstance(factory, str):
        return factory
    module, name = getattr(factory, "__module__", None), getattr(factory, "__qualname__", None)
    found = f"{module}:{name}"
    if module is None or name is None or "<" in name or CATALOGUE.load(found) is not factory:
        raise CatalogError(
            f"world {factory!r} cannot be imported by name: give a class or function defined in a "
            "module, or 'module:attribute'"
        )
    return found


def _own(item: object, opened_by: object) -> tuple[Bundle, str]:
    """Return one world of the suite, and the name of the code that opens it."""
    if isinstance(item, WorldSpec | Bundle):
        if opened_by is None:
            raise CatalogError("opened_by: worlds given as specs need a function that opens them")
        bundle = item if isinstance(item, Bundle) else _bundle(item, None)
        return bundle, _name_of(opened_by)
    opener = _name_of(item)
    world = as_world(fresh(CATALOGUE.load(opener), "world"), opener)
    try:
        return _bundle(world.spec, world), opener
    finally:
        world.close()


def _bundle(spec: WorldSpec, world: object) -> Bundle:
    """Return a world with its own tasks and questions, or with new ones made from its spec."""
    check_spec(spec, f"world {spec.id!r}")
    tasks, questions = getattr(world, "tasks", None), getattr(world, "questions", None)
    try:
        made = tasks_of(spec) if tasks is None else tuple(tasks)
    except PlanError as error:
        raise PlanError(f"world {spec.id!r}: {error}; or give the world `tasks`") from error
    asked = ask(spec, made) if questions is None else tuple(questions)
    return Bundle(spec, made, with_guesses(spec, made, asked))
