"""The values that answers tell: yes or no, a name of a closed set, a direction, kinds of things.

Nothing is evaluated and nothing is guessed. Exactly one name of a closed set is the answer,
whatever else is said; other answers are words that have a meaning here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from worldquiz.facts.answer_text import (
    TAKEN_BACK,
    TOKEN,
    UNSURE,
    WHY,
    agreed,
    answers_in,
    normal,
    parted,
    tidy,
    tokens,
    unframed,
    word_set,
)
from worldquiz.facts.question import CATEGORIES

_NEAR = 300
"""Characters before and after a name that may deny it."""
_WORDS = 60
"""Words that the part of a reply with the answer may have."""

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
_BARE = word_set(
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
        bare = bare and (size > 0 or words[place] in _BARE)
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


# --- Directions ---------------------------------------------------------------------------------

_ASIDE = re.compile(r"\(([^()]{0,80})\)")
_WAY = re.compile(
    r"(?<![\w'])(?:(?P<ns>north|south)(?: ?- ?| )?(?P<ew>east|west)?"
    r"|(?P<side>east|west)|(?P<short>[ns]\.? ?[ew]\.?(?!\w)|[nsew](?!\w)))"
    r"(?:ern(?:most)?|erly|wards?|bound)?(?![\w'])"
)
_LETTERS = {"n": "north", "s": "south", "e": "east", "w": "west"}
_GOING = word_set(
    "go going head heading walk move travel leave leaving exit exits take use using through via to"
    " the in by direction way door doorway passage path side it is was lies located you should must"
    " need can would have toward towards a an get reach straight directly leads lead that"
    " which player then , ; : ( ) ' 's due compass just simply follow out enter come into"
    " situated found be reached"
)


def direction(text: str) -> str | None:
    """Return the direction of the compass that a text is, in any spelling; None if it is none."""
    found = _WAY.fullmatch(tidy(text))
    return _way(found) if found else None


def bearing(reply: str, asked: str, about: Sequence[str]) -> str | None:
    """Return the only direction that a reply gives, as seen from the room that is asked about."""
    return agreed(_bearing(unframed(text), asked, about) for text in answers_in(reply, asked))


def _bearing(text: str, asked: str, about: Sequence[str]) -> str | None:
    head, rest = parted(text)
    head = _ASIDE.sub(lambda aside: aside[0] if _WAY.search(aside[0]) else " ", head)
    for name in about:
        head = _room(asked, name).sub(" ", head)
    ways = {_way(found) for found in _WAY.finditer(head)}
    told = {_way(found) for found in _WAY.finditer(rest) if found["short"] is None}
    left = tokens(_WAY.sub(" ", head))
    if len(ways) != 1 or TAKEN_BACK.search(rest) or told - ways or len(left) >= _WORDS:
        return None
    return ways.pop() if all(word in _GOING for word in left) else None


def _room(asked: str, name: str) -> re.Pattern[str]:
    """Return how a room may be spoken of beside a direction: as left, or as gone to."""
    plain, told = re.escape(name), asked.lower()
    if re.search(rf"\b(?:from|leave) the {plain}\b", told):
        return re.compile(
            rf"\b(?:of|from|leave|leaving|exit|exiting|out of|in) (?:the )?{plain}\b"
            rf"|\bthe {plain}'s\b"
        )
    return re.compile(
        rf"(?<!of the )(?<!from the )(?<!of )(?<!from )(?<!leave the )\b{plain}\b(?!')"
    )


def _way(found: re.Match[str]) -> str:
    if found["short"]:
        return "-".join(_LETTERS[each] for each in found["short"] if each in _LETTERS)
    return "-".join(part for part in (found["ns"], found["ew"], found["side"]) if part)


# --- Categories ---------------------------------------------------------------------------------

_LABEL = re.compile(
    r"(?:the )?(?:objects?|items?|things?|contents|types?|kinds?|categor(?:y|ies))"
    r"(?: (?:types?|kinds?|categor(?:y|ies)|of things|of objects|found|present|were|are|is"
    r"|there)){0,2}+"
    r" ?: ?(?=\w)"
)
_KINDS = {form: one for one in CATEGORIES for form in (one, f"{one}s")}
_KINDS |= {"nothing": "", "none": "", "empty": ""}
_KIND = re.compile(rf"\b(?:{'|'.join(_KINDS)}|no|not)\b|n't\b")
_KIND_PHRASES = {"food item": "food", "food items": "food"}
_KIND_PHRASES |= {f"no {each}s": "nothing" for each in ("object", "item", "thing")}
_KIND_PHRASES |= {f"no {each}": "nothing" for each in ("object", "item", "thing")}
_AMOUNT = word_set(
    "and & + / some one two three four five six several many various only just multiple few other"
    " another type types kind kinds category categories item items things contained contains held"
    " holds had has them following include includes included including are s [ ] also at all"
    " , ; : ( ) - . 's could may"
)


def categories(
    reply: str, asked: str, about: Sequence[str], kinds: Mapping[str, str]
) -> frozenset[str] | None:
    """Return the set of categories named, None if anything else is; "nothing" names none.

    A thing's name among `kinds` counts as its kind, but for what the question is `about`.
    """
    if tidy(reply) in ("[]", "{}"):
        return frozenset()
    named = {normal(name): kind for name, kind in kinds.items() if kind in CATEGORIES}
    named |= {**dict.fromkeys(map(normal, about), " "), **_KIND_PHRASES}
    longest = sorted(named, key=len, reverse=True)
    phrases = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b")
    return agreed(
        _categories(phrases.sub(lambda found: named[found[0]], text))
        for text in answers_in(reply, asked)
    )


def _categories(text: str) -> frozenset[str] | None:
    said = unframed(text)
    label = _LABEL.match(said)
    said = said[label.end() :] if label else said
    lines = said.split("\n")
    while len(lines) > 1 and not (_KIND.search(lines[-1]) or TAKEN_BACK.search(lines[-1])):
        del lines[-1]  # it explains
    head, rest = WHY.split("\n".join(lines), maxsplit=1)[0].partition(". ")[::2]
    asides = _ASIDE.findall(head)
    against = any(re.search(r"\b(?:no|not|or|wrong|right)\b", aside) for aside in asides)
    if against or TAKEN_BACK.search(rest) or re.match(r"\W*no\b", rest):
        return None
    plain = re.sub(r"\b\d{1,2}\b", " ", _ASIDE.sub(" ", head))
    words = [word for word in tokens(plain) if word in _KINDS or word not in _BARE | _AMOUNT]
    if len(words) > _WORDS or not all(word in _KINDS for word in words):
        return None
    found = frozenset(_KINDS[word] for word in words)
    told = {_KINDS[word] for word in tokens(rest) if word in _KINDS} - {""}
    if not found or (found > {""}) or told - found:
        return None
    return found - {""}
