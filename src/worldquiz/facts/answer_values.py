"""The values that answers tell: yes or no, or a name of a closed set.

Nothing is evaluated and nothing is guessed. Exactly one name of a closed set is the answer,
whatever else is said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from worldquiz.facts.answer_text import (
    TAKEN_BACK,
    TOKEN,
    UNSURE,
    WHY,
    agreed,
    answers_in,
    tokens,
    unframed,
    word_set,
)

_NEAR = 300
"""Characters before and after a name that may deny it."""

# --- Yes or no ----------------------------------------------------------------------------------

_WORD = re.compile(
    r"(?:(?P<yes>yes|yeah|yep|yup|true|indeed)|(?P<no>no|nope|nah|false|not true))\b(?!-)"
)
_ALONE = {"y": True, "correct": True, "right": True, "n": False, "incorrect": False, "wrong": False}
_ALONE |= {"not correct": False, "affirmative": True, "negative": False}
_BARE_NO = re.compile(
    r"no\b(?! ?[,.;:!()\n-]| (?:it|there|that|the|they|i|you|this|a|because|since)\b|$)"
)
_DENIED = re.compile(
    r"[\s,.;-]*+(?:it|there|they|that|you|this) (?:was|is|does|do|did|are|were|would|has|had)"
    r"(?P<not> not|n't)?$"
)
_UNDONE = {
    True: re.compile(
        r"\b(?:no|nope|false|incorrect|wrong)\b ?(?:[.,;:!)?\n]|$)"
        r"|^ (?:is|would)\b|\bunless\b|\bwait\b|\bactually\b"
    ),
    False: re.compile(
        r"\b(?:yes|yep|yeah|wrong)\b|(?<!not )\btrue\b|\bwait\b|\bactually\b|^ that\b"
    ),
}
_STATE = re.compile(r"\b(?:unlocked|locked|open|closed|shut)\b")
_NEVER = re.compile(r"\b(?:non|not|un)[\s_-]?answerable\b|\bunknown\b|\bcan(?:no|')t be determined")


def yes_no(reply: str, asked: str) -> bool | None:
    """Return True for yes, False for no, None for anything else, such as both."""
    return agreed(_yes_no(text, asked) for text in answers_in(reply, asked))


def _yes_no(text: str, asked: str) -> bool | None:
    said = unframed(text)
    if said in _ALONE:
        return _ALONE[said]
    word = _WORD.match(said)
    if word is None or _BARE_NO.match(said):
        return None
    truth, rest = word["yes"] is not None, said[word.end() :]
    denied = _DENIED.match(rest)
    against = denied is not None and (denied["not"] is not None) is truth
    against = against or _contrary(truth, rest, asked.lower())
    return None if against or _UNDONE[truth].search(rest) or _NEVER.search(rest) else truth


def _contrary(truth: bool, rest: str, asked: str) -> bool:
    """Tell whether yes is explained by "it was not locked", or no by "it was locked"."""
    state = _STATE.search(asked)
    if state is None:
        return False
    found = re.search(rf"\b(?:was|is){'(?: not|n.t)' if truth else ''} {state[0]}\b", rest)
    return found is not None and re.search(r"\bnot\b|n't", rest[: found.start()]) is None


# --- Names --------------------------------------------------------------------------------------

_BESIDE = re.compile(
    r"\b(?:next to|near|beside|by|under|beneath|below|above|behind|opposite|outside|around|past"
    r"|before|after|adjacent to|other than|except|but|out of|beyond|passage to|joined to"
    r"|room between|(?:that|which|room) leads? (?:to|from)|(?:enter|come|leave|go) from"
    r"|(?:north|south|east|west)\S* of)(?: the| a| an)?$"
)
"""Words before a name that put the thing somewhere else."""
_DENIAL = re.compile(r"\b(?:not|never|neither|nor|without|except|wrong|false)\b|n't\b")
_EITHER = re.compile(
    r"\b(?:or|either|versus|vs|unless|maybe|perhaps|possibly|wrong|incorrect|false|doubt|nobody"
    r"|unlike|anything but|ruled out)\b|/|\?"
)
_RATHER = re.compile(
    r"\b(?:but|thought|instead|rather|cannot|can't|could not|decide|choose|pick)\b|\d ?%"
)
"""Words that weigh two names in one sentence."""
_CLAUSE = re.compile(r"[,.;:()\n]| - ")
_SENTENCE = re.compile(r"[.!;](?=\s|$)|\n")
_IN = re.compile(r"\b(?:in|on|at|inside|is|was)(?: the| a| an)?$")
BARE = word_set(
    "the a an in on at inside within into onto of it its is was were be been can could may that"
    " which located situated found placed standing stands sitting lying lies stored kept hidden"
    " initially there room floor top place location position this one started key fits unlocks"
    " opens you enter enters and both between connecting connects from to leading , - ( ) : 's"
)
"""Words of a sentence that gives an answer and says nothing else."""
_PREDICATE = re.compile(r"\b(?:not )?(?:unlocked|locked|open|closed|shut)\b")


def named(reply: str, asked: str, names: Mapping[str, str]) -> frozenset[str] | None:
    """Return which names of a closed set a reply gives as its answer.

    None where it names none, or denies one, takes one back, leaves open which, or says that the
    answer is beside one. No other word matters. `names` tells for each form of a name which one it
    is, "" for names that are none of the answer's. Of several sentences the first counts if it says
    nothing else, and with it names in which later ones put the thing; if it does not, the last that
    has a name.
    """
    units = {tokens(form): name for form, name in names.items()}
    return agreed(
        _named(_without(unframed(text), asked), units, asked) for text in answers_in(reply, asked)
    )


def _without(text: str, asked: str) -> str:
    """Return a text without the predicate that the question has too: "was not locked"."""
    for phrase in _PREDICATE.findall(asked.lower()):
        text = re.sub(rf"(?<!not )\b{phrase}\b", " ", text)
    return text


def _mentions(text: str, units: Mapping[tuple[str, ...], str]) -> tuple[dict[int, str], bool]:
    """Return names in a text by their places, and whether it says nothing else.

    Where two names begin alike the longer one is read; one that is "" is left out.
    """
    found = [*TOKEN.finditer(text.replace("_", " ").replace("-", " "))]
    words = [each[0].removesuffix("'s") for each in found]
    lengths = sorted({len(unit) for unit in units}, reverse=True)
    names, bare, place = dict[int, str](), True, 0
    while place < len(words):
        size = next((n for n in lengths if n and tuple(words[place : place + n]) in units), 0)
        if name := units[tuple(words[place : place + size])] if size else "":
            names[found[place].start()] = name
        bare = bare and (size > 0 or words[place] in BARE)
        place += size or 1
    return names, bare


def _named(text: str, units: Mapping[tuple[str, ...], str], asked: str) -> frozenset[str] | None:
    claims = []
    for sentence in _SENTENCE.split(text):
        for part in dict.fromkeys((WHY.split(sentence, maxsplit=1)[0], sentence)):
            found, bare = _mentions(part, units)
            if found:
                claims.append((part, found, bare))
                break
    if not claims or UNSURE.match(text):
        return None
    first = claims[0][2]
    head, found, _ = claims[0] if first else claims[-1]
    if len(set(found.values())) > 1 and _RATHER.search(head):
        return None
    if _EITHER.search(head) or (_PREDICATE.search(asked) and _PREDICATE.search(head)):
        return None
    if any(_denied(head, place) for place in found) or TAKEN_BACK.search(text.partition(head)[2]):
        return None
    told = set(found.values())
    for part, more, bare in claims[1:] if first else ():
        told |= {
            name
            for place, name in more.items()
            if bare or _IN.search(part[max(0, place - _NEAR) : place].rstrip())
        }
    return frozenset(told)


def _denied(text: str, place: int) -> bool:
    """Tell whether a text says that the answer is not what stands at a place, or is beside it."""
    before, after = text[max(0, place - _NEAR) : place], text[place : place + _NEAR]
    clause = _CLAUSE.split(before)[-1] + _CLAUSE.split(after)[0]
    return _DENIAL.search(clause) is not None or _BESIDE.search(before.rstrip()) is not None
