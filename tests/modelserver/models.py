"""Models to test with: each reads its prompt and does one thing, always.

What is remembered stays readable: as a memory's model they write down turns word for word. So what
a memory has lost is lost by the memory itself, or by `lossy`.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Callable
from random import Random

from modelserver.prompts import read_query, role_of
from modelserver.protocol import Reply, Request, Script, Text, Use, Uses
from worldquiz.facts.row import ABSTAIN
from worldquiz.mango.grade import CANNOT
from worldquiz.mango.mapper import Mapper
from worldquiz.mango.walkthrough import Move, WalkStep, told_as
from worldquiz.t2q.question import CATEGORIES, Prompt
from worldquiz.t2q.quiz.ask import settled
from worldquiz.t2q.reader.context import read_context

Answer = Callable[[str, Prompt], str]  # from a context and a question
SUMMARY = 3900
"""Letters that a summary may have: a few less than worldquiz cuts it off at."""
COMMANDS = ("look", "inventory", *(f"go {way}" for way in ("north", "south", "east", "west") * 2))
_TURN = re.compile(
    r"^\[task \d+, step \d+\](?: > .*)?\n(?:(?!\[task \d+, step ).*\n)*?Inventory: .*$", re.M
)
_SPEAKER = re.compile(r"^(?:user|assistant|system): (?=\[task )", re.M)
_INSTANCE = re.compile(r'<instance id=(\S+) schema_type="\w*">\n(.*?)\n</instance>', re.S)


def lot(*names: object) -> float:
    """Return a number from 0 to 1 that depends on nothing but its arguments."""
    text = "\x1f".join(map(str, names))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "big") / 2**48


def perfect(*, lossy: float = 0.0) -> Script:
    """Return the perfect reader: right where its context settles the answer, else it abstains.

    It plays at random. `lossy` is the share of turns that it drops when it is asked to remember.
    """
    return _model(lambda context, prompt: _settled(context, prompt) or ABSTAIN, lossy)


def liar() -> Script:
    """Return one that never says what its context settles, nor abstains."""
    return _model(_lie)


def constant(text: str) -> Script:
    """Return one that says the same whatever it is asked."""
    return lambda request: Text(text)


def _model(answer: Answer, lossy: float = 0.0) -> Script:
    def reply(request: Request) -> Reply:
        role, text = role_of(request), request.messages[-1].text
        match role:
            case "act":
                command = COMMANDS[int(lot(request.digest) * len(COMMANDS))]
                return Text(_json(reason="it is the next thing to do", command=command))
            case "quiz":
                return Text(_json(answer=answer(*read_query(text)), reason="the context"))
            case "other":
                return Text("ok")
        return _remembered(role, request, lambda turn: lot(turn) >= lossy)

    return reply


def _settled(context: str, prompt: Prompt) -> str | None:
    return settled(read_context(context).graph, prompt)


def _lie(context: str, prompt: Prompt) -> str:
    """Return an answer in the right form that is not the one that the context settles."""
    truth = _settled(context, prompt)
    match prompt.format:
        case "yes_no":
            return "no" if truth == "yes" else "yes"
        case "which":
            return next(choice for choice in prompt.choices if choice != truth)
        case "description":
            told = set((truth or "").split(", "))
            return next(name for name in CATEGORIES if {name} != told)
        case "what":
            return "south" if truth == "north" else "north"
    graph = read_context(context).graph
    asked = [place for place in graph.ways if f" {place}" in prompt.text]
    right = {truth, graph.place.get(truth or ""), *asked}
    right |= {other for place in asked for other in graph.ways[place].values()}
    return next((place for place in graph.contents if place not in right), "moon")


def turns_in(text: str) -> list[str]:
    """Return the turns that stand in a text, word for word, each once."""
    return list(dict.fromkeys(_TURN.findall(_SPEAKER.sub("", text))))


def _remembered(role: str, request: Request, keeps: Callable[[str], bool]) -> Reply:
    """Reply to a memory's request with the turns that it tells of."""
    text = request.messages[-1].text
    match role:
        case "memory mem0 extract":
            said = text.rpartition("## New Messages\n")[2].partition("\n\n## Observation Date\n")[0]
            kept = filter(keeps, turns_in(said))
            facts = [{"id": str(n), "text": t, "attributed_to": "user"} for n, t in enumerate(kept)]
            return Text(_json(memory=facts))
        case "memory langmem":
            kept = filter(keeps, turns_in(text[text.rfind("<session_") :]))
            return _langmem(request, list(kept))
        case "memory summary":
            before = _between(request.text, "summary").replace("(nothing yet)", "")
            kept = filter(keeps, turns_in(_between(request.text, "turns")))
            told = [*turns_in(before), *kept]
            while len("\n".join(told)) > SUMMARY:
                del told[0]
            return Text("\n".join(told) or "Nothing has happened yet.")
        case "memory amem note":
            words = _words(_between(request.text, "turns"))
            return Text(_json(keywords=words, context="The player looked.", tags=["game"]))
        case "memory amem evolve":
            return Text(_json(should_evolve=False, actions=[]))
        case "memory amem keywords":
            return Text(_json(keywords=", ".join(_words(_between(request.text, "query")))))
        case "memory arigraph extract":
            words = _words(_between(request.text, "turns"))
            return Text("; ".join(f"player, meets, {word}" for word in words) or "none")
        case "memory arigraph items":
            return Text(_json(**dict.fromkeys(_words(_between(request.text, "query")), 2)))
    return Text("[]")  # AriGraph's outdated triplets


def _langmem(request: Request, kept: list[str]) -> Reply:
    """Reply with a memory a turn, or with a patch where nothing may be added."""
    stored = {id: _content(value) for id, value in _INSTANCE.findall(request.text)}
    new = [turn for turn in kept if turn not in stored.values()]
    if new and "Memory" in request.tools:
        return Uses(tuple(Use("Memory", {"content": turn}) for turn in new))
    if stored and "PatchDoc" in request.tools:
        id, old = next(iter(stored.items()))
        patch = {"op": "replace", "path": "/content", "value": "\n".join([old, *new])}
        told = {"json_doc_id": id, "planned_edits": "as told", "patches": [patch] if new else []}
        return Uses((Use("PatchDoc", told),))
    return Text("There is nothing to remember.")


def _content(shown: str) -> str:
    """Return the text of a stored memory, which LangMem shows as a Python value."""
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError):
        return shown
    return str(value.get("content", "")) if isinstance(value, dict) else str(value)


def _between(text: str, tag: str) -> str:
    """Return what stands between a tag's two ends."""
    return text.rpartition(f"<{tag}>\n")[2].partition(f"\n</{tag}>")[0]


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"[a-z]{4,}", text.lower())))[:20]


def _json(**told: object) -> str:
    return json.dumps(told, ensure_ascii=False)


# MANGO

_STEP = re.compile(
    r"==>STEP NUM: (\d+)\n==>ACT: ([^\n]*)\n"
    r"==>OBSERVATION: ?(.*?)(?=\n={3,}\n|\n\n\n==>STEP|\n+The allowed act)",
    re.S,
)
_FORMS = (  # of a destination and of a route, by the paper's template and by the release's
    (re.compile(r"^Starting from (.*), perform a list of actions \[(.*)\], where", re.M), ", "),
    (
        re.compile(r'^!!! Starting from place "(.*)", perform a list of action (\[.*\]), wh', re.M),
        "",
    ),
    (re.compile(r"^How can you go from (.*)\?$", re.M), " to "),
    (re.compile(r'^!!! Can you find a path from "(.*)", and format the output', re.M), '" to "'),
)


def places_of(prompt: str) -> list[str]:
    """Return the places that a prompt lists; one with a comma is also a line of its text."""
    if found := re.search(r"^The list of locations are: (\[.*\])\.$", prompt, re.M):
        return list(ast.literal_eval(found[1]))
    told = re.search(r"^The list of places are: (.*)$", prompt, re.M)
    parts, names = re.split(r", (?![^(]*\))", told[1] if told else ""), []
    headings = {line.casefold().strip(" .:") for line in prompt.splitlines()}
    while parts:
        for count in (3, 2, 1):
            name = ", ".join(parts[:count])
            bare = name.partition("(")[0].strip()
            if count == 1 or {name, bare, bare.removeprefix("the ")} & headings:
                break
        names.append(name)
        del parts[:count]
    return names


def _legs(prompt: str) -> list[Move]:
    places = places_of(prompt)
    told = re.search(r"^The allowed actions? are: (.*)$", prompt, re.M)
    text = told[1].removesuffix(".") if told else ""
    moves = ast.literal_eval(text) if text.startswith("[") else text.split(", ")
    steps = [WalkStep(int(number), act, text) for number, act, text in _STEP.findall(prompt)]
    mapper = Mapper(steps, places, moves)
    for pattern, between in _FORMS:
        if not (found := pattern.search(prompt)):
            continue
        if pattern.groups == 2:
            actions = found[2].split(between) if between else ast.literal_eval(found[2])
            made = mapper.destination(found[1], actions)
            return [] if CANNOT in prompt and len(made) < len(actions) else made
        words = found[1].split(between)
        ends = ((between.join(words[:n]), between.join(words[n:])) for n in range(1, len(words)))
        return mapper.route(*next(pair for pair in ends if {*pair} <= {*places}))
    raise ValueError(f"no question of MANGO's: {prompt[-300:]}")


def reads_walkthroughs() -> Script:
    """Answer MANGO's questions from the walkthrough in the prompt, by the map that it draws."""

    def told(request: Request) -> Text:
        legs = _legs(request.text)
        return Text(f"[{', '.join(str(told_as(*leg)) for leg in legs)}]" if legs else CANNOT)

    return told


def lost() -> Script:
    """Go nowhere, whatever MANGO asks: the first place, by the first move."""
    return lambda request: Text(str([told_as("x", "dance", places_of(request.text)[0])]))


# TEA

_MARK = re.compile(r"^(\d+): (.+) \[\d+, \d+, \d+, \d+\]$", re.MULTILINE)
_WANTED = re.compile(r"^Write (\d+) tasks for the robot", re.MULTILINE)
ALONE = (
    "Go to the {0}.",
    "Wipe the {0} with a damp cloth.",
    "Tell me what colour the {0} is.",
    "Take a photo of the {0} from the front.",
    "Look behind the {0} for my keys.",
    "Estimate how tall the {0} is.",
)
TOGETHER = (
    "Bring the {0} to the {1}.",
    "Measure how far the {0} is from the {1}.",
    "Point at the {0}, then at the {1}.",
)


def diverse() -> Script:
    """Return a writer of many tasks about as many marked things as it is shown."""
    return lambda request: Text(_written(request))


def _written(request: Request) -> str:
    wanted, marks = _WANTED.search(request.text), _MARK.findall(request.text)
    if wanted is None or not marks:
        return "I can only write tasks about pictures."
    draw, things = Random(request.digest), list[tuple[str, str]]()
    while len(things) < int(wanted[1]):
        things += draw.sample(marks, len(marks))
    told = []
    for number, label in things[: int(wanted[1])]:
        others = [other for other in marks if other[1] != label]
        if others and draw.random() < 0.4:
            second, name = draw.choice(others)
            words = draw.choice(TOGETHER).format(label, name)
            told.append({"command": words, "object": int(number), "other": int(second)})
        else:
            words = draw.choice(ALONE).format(label)
            told.append({"command": words, "object": int(number), "other": None})
    return json.dumps({"tasks": told})
