"""A tiny world with two agents' runs, written out by hand so that every number can be counted.

        attic
          |
        hall =oak door= cellar

In the hall stands a pine table with a brass key; in the attic a shut, unlocked iron chest with a
red apple; on the cellar's floor lies a blue vase. The oak door is locked; the brass key fits it.
"""

from __future__ import annotations

from typing import Any

from fact_texts import facts
from played import RunRecord
from worldquiz.facts.episode import Episode, Observation, Outcome, Step
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Moment, Seen
from worldquiz.facts.row import AnswerStatus, Purpose, Row, Usage
from worldquiz.memory.base import rendered
from worldquiz.runs.folder import MODEL
from worldquiz.t2q import Proof, Room, Solution, Task, Verb, WorldSpec
from worldquiz.t2q.agents.base import Move
from worldquiz.t2q.question import Answer, Context, Question
from worldquiz.t2q.rollout import Played
from worldquiz.t2q.suites import Bundle

NASTY = "</script><img src=x onerror=alert(1)> & \"'"
"""A reply that would break a careless page."""


WORLD = facts(
    "kind(hall, room)", "kind(attic, room)", "kind(cellar, room)", "kind(oak door, door)",
    "kind(pine table, supporter)", "kind(iron chest, container)", "kind(brass key, key)",
    "kind(red apple, food)", "kind(blue vase, object)",
    "leads(hall, north, attic)", "leads(attic, south, hall)",
    "leads(hall, east, cellar)", "leads(cellar, west, hall)",
    "door_at(oak door, hall, east)", "door_at(oak door, cellar, west)",
    "shut(oak door)", "locked(oak door)", "match(brass key, oak door)",
    "at(pine table, hall)", "on(brass key, pine table)",
    "at(iron chest, attic)", "shut(iron chest)", "unlocked(iron chest)",
    "in(red apple, iron chest)", "at(blue vase, cellar)", "player_at(hall)",
)  # fmt: skip

HALL = facts(
    "player_at(hall)", "listed(hall)", "exit(hall, north)", "exit(hall, east)",
    "no_exit(hall, south)", "no_exit(hall, west)", "door_at(oak door, hall, east)",
    "shut(oak door)", "at(pine table, hall)", "on(brass key, pine table)", "listed(pine table)",
)  # fmt: skip
ATTIC = facts(
    "player_at(attic)", "leads(hall, north, attic)", "listed(attic)", "exit(attic, south)",
    "at(iron chest, attic)", "shut(iron chest)",
)  # fmt: skip


def spec(id: str = "easy-00", level: str = "easy") -> WorldSpec:
    rooms = (Room("hall", 0, 0), Room("attic", 0, 1), Room("cellar", 1, 0))
    return WorldSpec(id, level, 7, "hall", rooms, tuple(sorted(WORLD)), True)


def tasks() -> tuple[Task, ...]:
    climb = Task(
        "go-attic", Verb.GO, "attic", facts("player_at(attic)"), "Go to the attic.", (),
        ("attic", "hall"), Solution(("go north",), Proof.SHORTEST),
    )  # fmt: skip
    fetch = Task(
        "fetch-vase", Verb.FETCH, "blue vase", facts("carried(blue vase)"), "Fetch the blue vase.",
        (), ("blue vase", "cellar", "hall", "oak door"),
        Solution(
            ("take brass key from pine table", "unlock oak door with brass key", "open oak door",
             "go east", "take blue vase"),
            Proof.DEPENDENCY,
        ),
    )  # fmt: skip
    return climb, fetch


def questions() -> tuple[Question, ...]:
    """Six questions; the scout's episodes make the third, fourth and sixth answerable."""
    apple, vase, north, fits, locked = (
        Seen(fact)
        for fact in facts(
            "in(red apple, iron chest)", "at(blue vase, cellar)", "leads(hall, north, attic)",
            "match(brass key, oak door)", "locked(oak door)",
        )
    )  # fmt: skip
    return (
        Question("location-001", "location", "Where was the red apple?", apple, ("red apple",),
                 "where", ("iron chest", "attic"), guess=0.25),
        Question("location-002", "location", "Was the blue vase in the cellar?", vase,
                 ("blue vase", "cellar"), "yes_no", ("yes",), guess=0.5),
        Question("connectivity-001", "connectivity", "Which room is next to the hall?",
                 north, ("hall",), "which", ("attic",), ("attic", "vault"), guess=0.5),
        Question("direction-001", "direction", "Which way leads to the attic?", north,
                 ("attic",), "what", ("north",), guess=0.125),
        Question("match-001", "match", "Which key fits the oak door?", fits, ("oak door",),
                 "which", ("brass key",), ("brass key", "tin key"), guess=0.5),
        Question("property-001", "property", "Was the oak door locked?", locked,
                 ("oak door",), "yes_no", ("yes",), guess=0.5),
    )  # fmt: skip


def rates() -> dict[str, float]:
    """The guessing rates of the questions, by id."""
    return {each.id: each.guess for each in questions() if each.guess is not None}


def step(
    index: int,
    action: str | None,
    text: str,
    revealed: tuple[Fact, ...] = (),
    *,
    moved: tuple[str, str] | None = None,
    refused: bool = False,
    done: bool = False,
) -> Step:
    seen = Observation(text, "You are carrying nothing.", int(done), done, "an objective")
    change = [facts(f"player_at({room})") for room in moved] if moved else [(), ()]
    command = None if refused else action
    return Step(index, action, command, seen, revealed, change[1], change[0])


def episode(world: str, task: str, agent: str, outcome: Outcome, *steps: Step) -> Episode:
    start = step(0, None, "-= Hall =-\nThis is the hall.\n\nThere is a pine table.", HALL)
    return Episode(world, task, agent, 0, outcome, (start, *steps))


def scouted(world: str) -> tuple[Episode, ...]:
    """Win the first task in two commands, one of them refused; try the door and give up."""
    return (
        episode(
            world, "go-attic", "scout", Outcome.WON,
            step(1, "fly <b>away</b>", "I don't understand.", refused=True),
            step(2, "go north", "-= Attic =-\n\nThere is a closed iron chest.", ATTIC,
                 moved=("hall", "attic"), done=True),
        ),
        episode(
            world, "fetch-vase", "scout", Outcome.GAVE_UP,
            step(1, "open oak door", "It is locked.", facts("locked(oak door)", "shut(oak door)")),
        ),
    )  # fmt: skip


def idled(world: str) -> tuple[Episode, ...]:
    return tuple(episode(world, task.id, "idle", Outcome.GAVE_UP) for task in tasks())


REPLIES = ("non-answerable", "yes", "attic", "south", "non-answerable", "yes")
"""Rightly abstained, over-claimed, right, wrong, rightly abstained, right: EUS 4/6, known 2/6."""
HOSTILE = (*REPLIES[:3], NASTY, *REPLIES[4:])
"""The same, but one is markup in which no answer can be read."""


def played(id: str, level: str, agent: str, replies: tuple[str, ...] = REPLIES) -> Played:
    bundle = Bundle(spec(id, level), tasks(), questions())
    episodes = scouted(id) if agent == "scout" else idled(id)
    return Played(bundle, episodes, tuple(map(Answer, replies)))


def run(
    agent: str = "scout",
    answerer: str = "reader",
    *,
    worlds: int = 2,
    replies: tuple[str, ...] = REPLIES,
    **manifest: Any,
) -> RunRecord:
    """A run on `worlds` worlds of alternating level; an idle one when the agent is called so."""
    ids = [
        (f"{level}-{n:02}", level) for n in range(worlds) for level in (("easy", "hard")[n % 2],)
    ]
    if answerer == "abstainer":
        replies = ("non-answerable",) * len(questions())
    record = {
        "kind": "run", "suite": "d16e57" * 10, "agent": agent, "answerer": answerer, "seed": 3,
        "max_steps": 50, "versions": {"worldquiz": "0.1.0"}, "worlds": [id for id, _ in ids],
        **manifest,
    }  # fmt: skip
    parts = tuple(played(id, level, agent, replies) for id, level in ids)
    return RunRecord(record, parts)


def row(
    correct: float | None = None,
    *,
    shown: bool = True,
    status: AnswerStatus = AnswerStatus.ANSWERED,
    guess: float | None = 0.25,
    at_start: bool = False,
    **more: Any,
) -> Row:
    """A question's row without texts, which is by default answered."""
    told = {"run": "r", "benchmark": "t2q", "answerer": "a", "world": "w", "level": "easy",
            "item": "q", "type": "match", "format": "which", "prompt": "", "gold": "", "reply": "",
            "measures": {"at_start": at_start}, **more}  # fmt: skip
    right = correct if status is AnswerStatus.ANSWERED else None
    return Row(**told, correct=right, shown=shown, status=status, guess=guess)


def modelled(world: str) -> tuple[Episode, ...]:
    """Win the first task after a reply that nobody could read; try the door until cut off."""
    locked = facts("locked(oak door)", "shut(oak door)")
    tries = [step(n, "open oak door", "It is locked.", locked) for n in (1, 2, 3)]
    return (
        episode(
            world, "go-attic", MODEL, Outcome.WON,
            step(1, "", "I don't understand.", refused=True),
            step(2, "go north", "-= Attic =-\n\nThere is a closed iron chest.", ATTIC,
                 moved=("hall", "attic"), done=True),
        ),
        episode(world, "fetch-vase", MODEL, Outcome.STEP_LIMIT, *tries),
    )  # fmt: skip


def by_model(bundle: Bundle, episodes: tuple[Episode, ...]) -> Played:
    """What a model leaves that remembered every turn."""
    turns = [
        rendered(Moment(number, place), turn)
        for number, one in enumerate(episodes)
        for place, turn in enumerate(one.transcript)
    ]
    context = Context("c0", "".join(turns), 3)
    answers = tuple(Answer(reply, context=context) for reply in REPLIES)
    moves = tuple(
        (number, Move(
            step=one.index, reply="{}", left_out=2,
            read=AnswerStatus.ANSWERED if one.action else AnswerStatus.UNREADABLE,
        ))
        for number, lived in enumerate(episodes)
        for one in lived.steps[1:]
    )  # fmt: skip
    used = {
        Purpose.ACT: Usage(5, 2000, 1500, 100, 0.5),
        Purpose.QUIZ: Usage(6, 6000, 5700, 60, 0.25),
    }
    return Played(bundle, episodes, answers, moves, used)


def model_run(*, worlds: int = 2) -> RunRecord:
    """A run of a language model with a memory, on the worlds of `run`."""
    wiring = {"granularity": "step", "k": 10, "recent": 4}
    plain = run(
        MODEL, MODEL, worlds=worlds, model="maker/m1", memory="in-context", wiring=wiring,
        options={}, embedder=None,
    )  # fmt: skip
    parts = tuple(by_model(old.bundle, modelled(old.bundle.spec.id)) for old in plain.worlds)
    return RunRecord(plain.manifest, parts)
