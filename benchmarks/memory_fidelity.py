"""Do our A-MEM, AriGraph and Mem0 do what their authors' code does, given the same replies?

    uv run python benchmarks/memory_fidelity.py --arigraph CHECKOUT --amem CHECKOUT --mem0
                                                [--episodes 10] [--steps 60] [--odd 0.3] [--json]
                                                [--fixture tests/data/memory_fidelity.json]

CHECKOUT is a working copy of AIRI-Institute/AriGraph or WujiangXu/AgenticMemory. The authors'
classes run as they are: their model is a player of replies, their embedder is MiniLM as ours (`just
embedder`), and modules that they import and do not need here are empty. Agents play worlds of
Task2Quiz; the tests' model server says once what the model replies, and a share of the replies is
made odd (`odd`). Ours and theirs get the same turns and replies, and each operation is compared
after each turn. For Mem0, theirs is the installed library as its README has it
(`tests/mem0_itself.py`); its vectors are always those of the tests' server.

`--fixture` writes a few of the turns and replies with what the authors' code made of them, with
the embedder of the tests: `tests/unit/memory/test_memory_fidelity.py` replays these.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import random
import sys
import tempfile
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import mem0_itself
from modelserver import perfect, serving
from modelserver.protocol import Text, read_chat
from remembering import Words
from worldquiz.facts.episode import Turn
from worldquiz.facts.question import prompt
from worldquiz.facts.requirement import Moment
from worldquiz.memory import arigraph
from worldquiz.memory.amem import AMem
from worldquiz.memory.arigraph import AriGraph, cleared, drawn_in, replaced_in
from worldquiz.memory.base import Embedder, Entry, Services, Wiring, entry
from worldquiz.memory.embed import embedder
from worldquiz.memory.retrieval import DIGITS
from worldquiz.memory.worldgraph.text import read_view
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.builder import build
from worldquiz.t2q.pipeline import interact
from worldquiz.t2q.suites import Plan, Suite

EMPTY = (
    "matplotlib", "matplotlib.pyplot", "nltk", "nltk.tokenize", "rank_bm25", "litellm", "openai",
    "requests", "transformers", "sentence_transformers", "src", "src.contriever",
)  # fmt: skip
"""Modules that the authors' files import; a player of replies needs none of them."""
WORDS = 0.3
"""The threshold with the tests' embedder."""
THEIRS = ("agents", "graphs", "memory_layer", "prompts", "utils")


class Player:
    """Plays replies in turn, to the authors' code and to ours."""

    def __init__(self) -> None:
        self.replies: list[str] = []

    def next(self) -> str:
        """Return the next reply."""
        return self.replies.pop(0)

    async def generate(self, *args: Any, **kwargs: Any) -> Any:
        """Reply as inspect's models do."""
        from inspect_ai.model import ModelOutput

        return ModelOutput.from_content("player", self.next())


@dataclass
class Tally:
    """How often ours was theirs, by operation, and the first disagreements."""

    same: Counter[str] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)
    crashed: Counter[str] = field(default_factory=Counter)  # their code stopped
    unlike: list[tuple[str, Any, Any]] = field(default_factory=list)

    def note(self, operation: str, theirs: object, ours: object) -> None:
        """Count one comparison."""
        self.all[operation] += 1
        self.same[operation] += theirs == ours
        if theirs != ours:
            self.unlike.append((operation, theirs, ours))


@contextmanager
def importing(checkout: Path) -> Iterator[None]:
    """Import the authors' modules from a checkout, with empty modules for what they do not need."""
    before = dict(sys.modules)
    for name in EMPTY:
        sys.modules[name] = _Empty(name)
    sys.path.insert(0, str(checkout))
    try:
        with redirect_stdout(StringIO()):
            yield
    finally:
        sys.path.remove(str(checkout))
        for name in set(sys.modules) - set(before):
            if name in EMPTY or name.split(".")[0] in THEIRS:
                del sys.modules[name]
        sys.modules.update({name: before[name] for name in EMPTY if name in before})


class _Empty(types.ModuleType):
    """A module that has whatever is imported from it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *a, **k: None})


class Rows:
    """An embedder as arrays; each text is embedded once."""

    def __init__(self, made: Embedder) -> None:
        self.name, self.dimensions = made.name, made.dimensions
        self._made = made
        self._known: dict[str, list[float]] = {}

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text."""
        for text in texts:
            if text not in self._known:
                (self._known[text],) = self._made.embed([text])
        return [self._known[text] for text in texts]


# What the tests' model says, and what an odd one says.


def said(name: str, **values: str) -> str:
    """Return the reply of the tests' perfect librarian to a prompt of ours."""
    from worldquiz.memory.prompts import filled

    text = filled(name, **values)
    reply = perfect()(read_chat({"model": "m", "messages": [{"role": "user", "content": text}]}))
    return cast("Text", reply).text


def odd_triplets(reply: str, dice: random.Random) -> str:
    """Return a reply with triplets as models spoil them."""
    parts = reply.split("; ")
    dice.shuffle(parts)
    spoil: list[Callable[[], str]] = [
        lambda: "Extracted triplets: " + "; ".join(parts),
        lambda: "\n".join(f"{n}. {part};" for n, part in enumerate(parts, 1)),
        lambda: "; ".join(f'"{part.title()}".' for part in parts),
        lambda: "; ".join(
            [*parts, "a, b", "x, y, z, w", "I, carry, lamp", "P, is in, hall", ", ,"]
        ),
        lambda: "; ".join([*parts, *parts[:2], "exit, is, free", "door, free, west"]),
        lambda: "; ".join(part.replace(", is at,", ", to be,") for part in parts),
        lambda: "",
        lambda: "There is nothing to extract.",
    ]
    return dice.choice(spoil)()


def odd_replacing(known: Sequence[str], new: Sequence[str], dice: random.Random) -> str:
    """Return replacements, right or wrong, in the ways that models write them."""
    some = dice.sample(list(known), min(len(known), dice.randint(0, 3)))
    pairs = [f"{old} -> {dice.choice(list(new) or ['a, b, c'])}" for old in some]
    spoil: list[Callable[[], str]] = [
        lambda: "[" + ", ".join(f"[{pair}]" for pair in pairs) + "]",
        lambda: "Replacing: [" + ", ".join(f'["{p}"]' for p in pairs) + "]",
        lambda: "[\n" + ",\n".join(f"[{pair}]" for pair in pairs) + "\n]",
        lambda: "[[" + "], [".join(p.replace(" -> ", '" -> "') for p in pairs) + "]]",
        lambda: "[[" + "], [".join(p.title() for p in pairs) + "]]",
        lambda: "[" + ", ".join(f"[{old}]" for old in some) + "]",
        lambda: "Nothing to replace here.",
    ]
    return dice.choice(spoil)()


def odd_evolution(count: int, notes: int, dice: random.Random) -> str:
    """Return a reply of A-MEM's schema that says anything."""
    texts = ["hall", "a red box", "the way east", "keys"]
    return json.dumps(
        {
            "should_evolve": dice.random() < 0.8,
            "actions": dice.choices(
                ["strengthen", "update_neighbor", "none"], k=dice.randint(0, 3)
            ),
            "suggested_connections": [
                dice.randrange(notes or 1) for _ in range(dice.randint(0, 4))
            ],
            "tags_to_update": dice.sample(texts, dice.randint(0, 3)),
            "new_context_neighborhood": dice.choices(texts, k=dice.randint(0, count)),
            "new_tags_neighborhood": [
                dice.sample(texts, dice.randint(0, 2)) for _ in range(dice.randint(0, count))
            ],
        }
    )


# AriGraph.


def their_graph(checkout: Path, rows: Embedder, player: Player) -> Any:
    """Return the authors' graph, with our vectors and the player's replies."""
    import numpy as np

    torch: Any = import_module("torch")

    def embed(texts: Any) -> Any:
        many = [texts] if isinstance(texts, str) else list(texts)
        return torch.from_numpy(np.asarray(rows.embed(many), dtype=np.float32))

    with importing(checkout):
        source = (checkout / "utils" / "contriever.py").read_text(encoding="utf-8")
        contriever: Any = types.ModuleType("utils.contriever")
        utils: Any = importlib.import_module("utils")
        exec(compile(source, "contriever.py", "exec"), contriever.__dict__)
        sys.modules["utils.contriever"] = utils.contriever = contriever
        retriever = contriever.Retriever
        retriever.__init__ = lambda self, device="cpu": None
        retriever.embed = lambda self, texts: embed(texts)
        module: Any = importlib.import_module("graphs.contriever_graph")
        graph = module.ContrieverGraph("m", "system", "key")
    graph.generate = lambda *args, **kwargs: (player.next(), 0)
    search = module.graph_retr_search  # their threshold is of Contriever's scale: ours is put in
    module.graph_retr_search = lambda *args, post_retrieve_threshold, **kwargs: search(
        *args, post_retrieve_threshold=arigraph.THRESHOLD, **kwargs
    )
    graph.module = module
    return graph


def _told(triplets: Any) -> list[str]:
    """Return the authors' triplets as texts."""
    return [f"{one[0]}, {one[2]['label']}, {one[1]}" for one in triplets]


class Walk:
    """Where the player is and was, as the authors' loop keeps it."""

    def __init__(self) -> None:
        self.room = ""
        self.rooms: list[str] = []

    def step(self, turns: Entry) -> tuple[str, str]:
        """Return the room now and the one before."""
        ((_, turn),) = turns.turns
        view = read_view(turn.observation.text)
        room = view.room if view else self.room
        before = room if turn.action is None or not self.room else self.room
        if room not in self.rooms:
            self.rooms.append(room)
        self.room = room
        return room, before


async def compare_arigraph(
    checkout: Path, rows: Embedder, story: Sequence[Entry], queries: Sequence[str], odd: float,
    dice: random.Random, tally: Tally,
) -> list[dict[str, Any]]:  # fmt: skip
    """Feed one player's turns to both, and return what was fed and what came of it."""
    player, walk = Player(), Walk()
    theirs = their_graph(checkout, rows, player)
    ours = AriGraph(Services(cast("Any", player), rows, "w", Wiring()))
    record: list[dict[str, Any]] = []
    for number, turns in enumerate(story):
        reply = said("memory_arigraph_extract", known="", turns=turns.text.rstrip("\n"))
        if dice.random() < odd:
            reply = odd_triplets(reply, dice)
        new = [str(cleared(triplet)) for triplet in drawn_in(reply)]
        known = [str(triplet) for triplet in ours.triplets]
        verdict = said("memory_arigraph_outdated", known="\n".join(known), new="\n".join(new))
        if dice.random() < odd:
            verdict = odd_replacing(known, new, dice)
        room, before = walk.step(turns)
        action = turns.turns[0][1].action or "start"
        utils = theirs.module
        try:
            tally.note("triplets read", _told(utils.process_triplets(reply)),
                       [str(t) for t in drawn_in(reply)])  # fmt: skip
        except (ValueError, IndexError):
            tally.crashed["triplets read"] += 1
            reply = ""
        tally.note("replacements read", _told(utils.parse_triplets_removing(verdict)),
                   [str(t) for t in replaced_in(verdict)])  # fmt: skip
        player.replies = [reply, verdict]
        with redirect_stdout(StringIO()):
            theirs.update(turns.text, [], "plan", [], walk.rooms, room, before, action, {},
                          lambda *a: None, 2)  # fmt: skip
        player.replies = [reply, verdict]
        await ours.add(turns)
        tally.note("graph after the turn", _told(theirs.triplets), [str(t) for t in ours.triplets])
        tally.note(
            "episodes after the turn",
            {text: value[0] for text, value in theirs.obs_episodic.items()},
            {text: [str(t) for t in drawn] for text, drawn in ours.episodes.items()},
        )
        graph = _told(theirs.triplets)
        gained, lost = [t for t in graph if t not in known], [t for t in known if t not in graph]
        record.append({"extracted": reply, "outdated": verdict, "gained": gained, "lost": lost})
        if number % 4 == 3:
            query = (
                dice.choice(queries) if dice.random() < 0.7 else turns.turns[0][1].observation.text
            )
            items = items_for(query, ours, dice)
            record[-1] |= await _queried(theirs, ours, query, items, tally)
    return record


def items_for(query: str, ours: AriGraph, dice: random.Random) -> dict[str, int]:
    """Return what the model looks up: what the query names, and sometimes something else."""
    items = cast("dict[str, int]", json.loads(said("memory_arigraph_items", query=query)))
    if dice.random() < 0.3 and ours.triplets:
        items[dice.choice(ours.triplets).subject] = dice.randint(0, 3)
    return {name: dice.randint(1, 3) for name in items}


async def _queried(
    theirs: Any, ours: AriGraph, query: str, items: dict[str, int], tally: Tally
) -> dict[str, Any]:
    if theirs.triplets:
        found, seen = theirs.retrieve(dict(items), query, [], 2)
    else:  # their search needs a triplet
        found, seen = [], []
    mine = await ours.search(items)
    tally.note("semantic search", sorted(found), sorted(map(str, mine)))
    given = [triplet for triplet in ours.triplets if str(triplet) in found]
    tally.note("episodic ranking", list(seen), await ours.relevant(given, query) if found or seen
               else [])  # fmt: skip
    return {"query": query, "items": items, "found": sorted(found), "seen": list(seen)}


# A-MEM.


def their_box(checkout: Path, rows: Embedder, player: Player) -> Any:
    """Return the authors' memory system, with our vectors and the player's replies."""
    import numpy as np

    with importing(checkout):
        module: Any = importlib.import_module("memory_layer")
    # of equal numbers their sort's order is the machine's, so it is asked for one that stays
    module.np = types.SimpleNamespace(
        argsort=lambda numbers: np.argsort(np.round(numbers, DIGITS), kind="stable"),
        vstack=np.vstack,
    )
    model = types.SimpleNamespace(encode=lambda texts: np.asarray(rows.embed(texts), np.float32))
    module.SentenceTransformer = lambda name: model
    module.LLMController = lambda *a: types.SimpleNamespace(
        llm=types.SimpleNamespace(get_completion=lambda *a, **k: player.next())
    )
    box = module.AgenticMemorySystem()
    box.module = module
    return box


async def compare_amem(
    checkout: Path, rows: Embedder, story: Sequence[Entry], queries: Sequence[str], odd: float,
    dice: random.Random, tally: Tally,
) -> list[dict[str, Any]]:  # fmt: skip
    """Feed one player's turns to both, and return what was fed and what came of it."""
    player = Player()
    theirs = their_box(checkout, rows, player)
    ours = AMem(Services(cast("Any", player), rows, "w", Wiring(k=5)))
    record: list[dict[str, Any]] = []
    for number, turns in enumerate(story):
        note = said("memory_amem_note", turns=turns.text.rstrip("\n"))
        if dice.random() < odd / 3:
            note = json.dumps({"keywords": [], "context": "", "tags": []})
        _, indices = theirs.find_related_memories(turns.text, k=5)
        theirs_near = [int(place) for place in indices]
        mine_near = await ours.near(turns.text, 5)
        tally.note("neighbours found, in order", theirs_near, mine_near)
        tally.note("the same, by their own sort", by_their_sort(theirs, turns.text), mine_near)
        evolve = odd_evolution(len(theirs_near), len(ours.notes), dice)
        if dice.random() >= max(odd, 0.5):
            evolve = json.dumps({"should_evolve": False, "actions": [], "suggested_connections": [],
                                 "tags_to_update": [], "new_context_neighborhood": [],
                                 "new_tags_neighborhood": []})  # fmt: skip
        player.replies = [note, evolve]
        with redirect_stdout(StringIO()):
            theirs.add_note(turns.text, time="")
        player.replies = [note, evolve]
        await ours.add(turns)
        notes = list(theirs.memories.values())
        tally.note("notes: keywords", [n.keywords for n in notes],
                   [list(n.keywords) for n in ours.notes])  # fmt: skip
        tally.note("notes: tags, contexts", [(n.tags, n.context) for n in notes],
                   [(list(n.tags), n.context) for n in ours.notes])  # fmt: skip
        tally.note("links", [n.links for n in notes], ours.links)
        written = notes[-1]
        record.append(
            {"note": note, "evolve": evolve, "near": theirs_near, "links": list(written.links)}
        )
        if number % 3 == 2:
            query = dice.choice(queries)
            keywords = said("memory_amem_keywords", query=query)
            record[-1] |= await _recalled(theirs, ours, player, query, keywords, tally)
    for note, line in zip(theirs.memories.values(), record, strict=True):
        line |= {"tags": note.tags, "context": note.context}  # as they are in the end
    return record


def by_their_sort(theirs: Any, text: str) -> list[int]:
    """Return the nearest notes as their code has them with numpy's own sort."""
    import numpy as np

    stable, theirs.module.np = theirs.module.np, np
    try:
        return [int(place) for place in theirs.find_related_memories(text, k=5)[1]]
    finally:
        theirs.module.np = stable


async def _recalled(
    theirs: Any, ours: AMem, player: Player, query: str, keywords: str, tally: Tally
) -> dict[str, Any]:
    words = json.loads(keywords)["keywords"]  # as `generate_query_llm` of test_advanced.py
    notes = list(theirs.memories.values())
    told = theirs.find_related_memories_raw(words, k=5)
    numbers = {note.content: place for place, note in enumerate(notes)}
    order = [numbers[part.partition("memory context: ")[0]]
             for part in told.split("memory content: ")[1:]]  # fmt: skip
    found = [int(place) for place in theirs.retriever.search(words, 5)]
    near = await ours.near(words, 5)
    tally.note("notes of a query, in order", found, near)
    tally.note("links followed from the same notes", order, ours.with_linked(found))
    mine = ours.with_linked(near)
    tally.note("notes handed over, in order", order, mine)
    player.replies = [keywords]
    text = (await ours.recall(query)).text
    assert text == "".join(ours.notes[place].shown for place in mine)
    return {"query": query, "keywords": keywords, "order": order}


async def compare_mem0(
    story: Sequence[Entry], queries: Sequence[str], odd: float, dice: random.Random, tally: Tally
) -> None:
    """Feed one player's turns to Mem0 as its README has it and to ours."""
    script = mem0_itself.odd(perfect(), dice, odd)
    with tempfile.TemporaryDirectory(prefix="worldquiz-mem0-") as folder, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Payload indexes have no effect")  # Qdrant on a disk
        await mem0_itself.compare(story, queries, script, tally.note, Path(folder), serving)


# Turns.


def stories(suite: Suite, count: int, steps: int) -> Iterator[tuple[list[Entry], list[str]]]:
    """Yield the turns of a number of players, at most so many each, and their worlds' questions."""
    players = ("walkthrough", "random", "explorer")
    for number in range(count):
        world = suite.worlds[number % len(suite.worlds)]
        bundle = suite.bundle(world)
        brief = Brief(bundle.spec, bundle.tasks, bundle.questions, number)
        agent = agents.agent(players[number % len(players)], brief)
        with suite.opened(bundle) as game:
            episodes = asyncio.run(
                interact(game, agent, bundle.tasks, seed=number, name="f", budget=PerTask(15))
            )
        told = [
            entry([(Moment(place, step), turn)])
            for place, episode in enumerate(episodes)
            for step, turn in enumerate(episode.transcript)
        ]
        yield told[:steps], [prompt(question).text for question in bundle.questions]


def _turn(moment: Moment, turn: Turn) -> dict[str, Any]:
    seen = turn.observation
    return {"task": moment.episode, "step": moment.step, "action": turn.action, "text": seen.text,
            "inventory": seen.inventory}  # fmt: skip


def show(tally: Tally, title: str, console: Console) -> None:
    """Print agreement by operation, and the first disagreement of each."""
    table = Table(title, "agree", "of", "their code stopped")
    for operation, count in tally.all.items():
        stopped = str(tally.crashed[operation]) if tally.crashed[operation] else ""
        table.add_row(operation, str(tally.same[operation]), str(count), stopped)
    console.print(table)
    shown = set()
    for operation, theirs, ours in tally.unlike:
        if operation not in shown:
            shown.add(operation)
            console.print(f"{operation}: theirs {str(theirs)[:600]}\n  ours {str(ours)[:600]}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--arigraph", type=Path, help="checkout of AIRI-Institute/AriGraph")
    parser.add_argument("--amem", type=Path, help="checkout of WujiangXu/AgenticMemory")
    parser.add_argument("--mem0", action="store_true", help="the installed Mem0 too")
    parser.add_argument("--episodes", type=int, default=10, help="players, in turn of three kinds")
    parser.add_argument("--steps", type=int, default=60, help="most turns of each player")
    parser.add_argument("--odd", type=float, default=0.3, help="share of odd replies")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--words", action="store_true", help="the tests' embedder, not MiniLM")
    parser.add_argument("--fixture", type=Path, help="write what was fed and what came of it")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    words = options.words or options.fixture
    rows = Rows(Words() if words else embedder("minilm"))
    if words:
        arigraph.THRESHOLD = WORDS
    kinds = {"arigraph": (options.arigraph, compare_arigraph), "amem": (options.amem, compare_amem)}
    tallies = {name: Tally() for name, (checkout, _) in kinds.items() if checkout}
    mem0s = Tally()
    fixture: dict[str, Any] = {"threshold": WORDS}
    with tempfile.TemporaryDirectory(prefix="worldquiz-fidelity-") as scratch:
        worlds = -(-options.episodes // 3)  # of three levels each: none is played twice
        suite = build(Plan("paper", seed=options.seed, worlds=worlds), Path(scratch) / "suite")
        for number, (story, queries) in enumerate(stories(suite, options.episodes, options.steps)):
            for name, tally in tallies.items():
                checkout, compare = kinds[name]
                dice = random.Random(f"{options.seed} {number} {name}")
                record = asyncio.run(
                    compare(checkout.resolve(), rows, story, queries, options.odd, dice, tally)
                )
                fixture[name] = record
            if options.mem0:
                dice = random.Random(f"{options.seed} {number} mem0")
                asyncio.run(compare_mem0(story, queries, options.odd, dice, mem0s))
            fixture["turns"] = [_turn(*turns.turns[0]) for turns in story]
            print("player", number, "done", file=sys.stderr)
    if options.mem0:
        tallies[f"mem0ai {version('mem0ai')}"] = mem0s
    if options.fixture:
        written = json.dumps(fixture, indent=1, ensure_ascii=False)
        options.fixture.write_text(f"{written}\n", encoding="utf-8")
    if options.json:
        print(json.dumps({name: {op: [t.same[op], n] for op, n in t.all.items()}
                          for name, t in tallies.items()}, indent=2))  # fmt: skip
        return 0
    for name, tally in tallies.items():
        show(tally, name, Console(width=120))
    return 0


if __name__ == "__main__":
    sys.exit(main())
