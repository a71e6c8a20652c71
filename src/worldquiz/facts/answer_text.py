"""The words around an answer, as people and models write them, and the ways to give none.

`replies` finds the answer in a reply; this module finds what of it is said of the question, and the
value that it tells: yes or no, or exactly one name of a closed set, whatever else is said. Nothing
is evaluated and nothing is guessed. ``docs/reference/replies.md`` is this grammar in words.

Any text can be read, in time linear in its length: every repetition below is bounded or possessive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from worldquiz.facts.replies import LONGEST
from worldquiz.facts.row import AnswerStatus

T = TypeVar("T")

_PLAIN = str.maketrans("“”„‟«»‹›「」『』‘’‚‛`´‐‑‒–—−→⇒\u00a0", '"' * 12 + "'" * 6 + "-" * 8 + " ")
_MARKS = re.compile(
    r"~~[^~]{0,200}~~|</\w{1,10}>|<(?:b|i|p|br|s|em|strong)>|<\|\w{1,20}\|>|\\text(?:bf)?\b|\$"
    r"|\[(?:task|step|turn)\b[^\[\]]{0,40}\]|[*\"<>]++|(?<!\w)['_]++|['_]++(?!\w)"
    r"|\((?:s|es)\)|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
"""Marks that say nothing, what is struck out, places in a transcript, and pictures."""
_BULLET = re.compile(r"^\s*+(?:[-•*+·]\s++|[-=]{1,2}>\s*+|#{1,6}\s++|\(?(?:\d{1,2}|[a-h])[.)]\s++)")
_LEADING = re.compile(r"^(?:(?:in|on|at|into|onto|to|inside|the|a|an|it was|it is)\s+)+")
_FLOOR = re.compile(r"^floor of (?:the )?")
TOKEN = re.compile(r"\w+(?:'s\b)?|[^\w\s]")


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


@lru_cache(maxsize=4096)
def normal(reply: str) -> str:
    """Return a reply in lower case without quotes, end mark, leading prepositions and articles."""
    text = re.sub(r"\s+", " ", reply.strip().strip("\"'`*").lower()).rstrip(".! ")
    return _FLOOR.sub("", _LEADING.sub("", text))


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Return words and marks; a hyphen or an underscore parts words as a space does."""
    found = TOKEN.findall(text.replace("_", " ").replace("-", " "))
    return tuple(
        part for each in found for part in ((each[:-2], "'s") if each[-2:] == "'s" else (each,))
    )


@lru_cache(maxsize=16)
def tidy(text: str) -> str:
    """Return the end of a text in lower case without markup, bullets and end marks."""
    text = text[-LONGEST:]
    lines = (_BULLET.sub("", line) for line in text.translate(_PLAIN).lower().splitlines())
    marked = (" ".join(_MARKS.sub("", line).split()) for line in lines)
    return "\n".join(line for line in marked if line and not line.startswith("---")).strip(" .!…\n")


# --- What stands around an answer ---------------------------------------------------------------

_SOURCE = (
    r"(?:(?:the|this|my|all|what|provided|given|above|available|game|initial|game's) ){0,4}+"
    r"(?:context|information|observations?|game|text|transcript|descriptions?|walkthrough|history|notes"
    r"|memory|passage|state|logs?|i saw|was shown|we know|i know)"
    r"(?: (?:provided|given|above|alone|of the game|state|we have|i have)){0,3}+"
)
_LEAD = re.compile(
    r"(?:(?:let me|let's|i(?: have|'ve)? (?:read|look|check|walk|search)|good|great|thanks)"
    r"(?:(?!\b(?:that|was|is|were|not|no)\b|n't)[^.!?\n]){0,80}[.!\n](?!\w)"
    r"|(?:here you go|response|output|result|reply|assistant|solution|conclusion|in short|sure"
    r"|okay|ok|well|so|hmm|certainly|of course|therefore|thus|hence|alright|great|then"
    rf"|(?:based on|according to|from|given|per|as stated in|looking at) {_SOURCE}"
    r"|as far as i (?:can tell|know|remember|recall)|if i (?:remember|recall) (?:correctly|right)"
    r"|i(?: am|'m) going with|it (?:must|has to|should) be|looks like|final"
    r"|(?:the )?(?:correct )?(?:option|choice)(?: is)?"
    r"|from what i (?:saw|know|remember)|at the start|my (?:best )?guess(?: is)?"
    r"|i(?:'d|'ll| would| will)? (?:think|believe|guess|suppose|say|answer|recall|remember|know"
    r"|choose|pick|go with)(?: that)?"
    r"|i(?: am|'m) (?:(?:fairly|quite|pretty|almost) )?(?:sure|certain)(?: that)?"
    r"|absolutely|definitely|clearly"
    r"|probably|most likely|very likely|likely|presumably|maybe|perhaps|possibly|it seems(?: that)?"
    r"|(?:it|that|this)(?:'s| is| was| would be)|the question is|choices?(?= ?:)|a|q)\b"
    r"(?!-)[,:!.]?)\s*+"
)
_TRAIL = re.compile(
    r",? (?:(?:at|from|in) the (?:very )?(?:start|beginning|outset)(?: of the game)?"
    r"|(?:when|as|before) the game (?:began|begins|started|starts)|initially|originally"
    r"|i (?:think|believe|guess|suppose)|probably|(?:most |very )?likely"
    r"|(?:but )?i(?:'m| am) (?:not )?(?:\w+ )?(?:sure|certain)"
    r"|(?<!that )(?<!it )(?<!this )is (?:the answer|correct|right)|would be my answer"
    rf"|(?:based on|according to|from|given|in) {_SOURCE})$"
)
_ANSWER = re.compile(
    r"\b(?<!wrong )(?<!false )(?<!incorrect )"
    r"(?:(?:the|my|final|correct|right|short|best|so|therefore|thus) ){0,4}+ans(?:wer)?"
    r"(?: to (?:the|this|your) question| ?\([^()]{0,30}\)| #?\d{1,2}(?= ?:))?"
    r"(?: (?:is|was|would be|should be|must be)\b|\s?[:=]|\s-\s|(?=[\n\[]))[\s:]*+"
    r"|\b(?:so|therefore|thus|hence),? (?=(?:yes|no)\b)"
)
_FORM = re.compile(r"^(?:(?:the|my|final|short) ){0,3}answer ?[:=] ?(\S.*)$", re.MULTILINE)
_NEXT = re.compile(
    r"\n(?:(?:question|context|choices|q)\s?\d{0,3}\s?:|(?:is there|would you|do you)\b)"
)
_RESTATED = re.compile(r"(?:question|q)\s?\d{0,3}\s?:\s*+")
WHY = re.compile(
    r",? \b(?:because|since|given that|(?:when|where|which) (?:i|we|you)"
    r"|as (?:it|the|i|we|you|that|there|shown|stated|described|mentioned|seen)\b)"
    r"|[\n,;]+ ?(?:reason|explanation|note|why|confidence) ?[:=]|: (?=(?:that|this) is\b)"
    r"| - (?=(?:i|we|it|from|seen|shown|as|because|the|this|that|there|found)\b)"
)
_REST = re.compile(rf"[.!;](?=\s|$)|\n|{WHY.pattern}")
TAKEN_BACK = re.compile(
    r"\b(?:actually|wait|correction|scratch that|instead|rather|on second thoughts?|however|unless"
    r"|or|maybe|perhaps|possibly|alternatively|might|could also)\b|\?"
)
"""Words of an explanation that correct or doubt what stands before it."""


@lru_cache(maxsize=16)  # a reply is read once for each thing that it may be
def answers_in(reply: str, asked: str = "") -> tuple[str, ...]:
    """Return what a reply gives as its answer, tidied: each of its "the answer is ..." or itself.

    A question repeated before it is left out, and so are questions that a model goes on to ask.
    () where the reply abstains first and answers then.
    """
    text, question = tidy(reply), tidy(asked)
    text = _RESTATED.sub("", text, count=1) if _RESTATED.match(text) else text
    if question and text.startswith(question):
        text = text[len(question) :].lstrip(" ?.:-\n")
    text = _NEXT.split(text, maxsplit=1)[0]
    lines = list(_FORM.finditer(text))
    if lines and lines[-1].end() == len(text):
        return tuple(unframed(each[1]) for each in lines)
    lead, *given = _ANSWER.split(text)
    if not given:
        return (text,)
    told = tuple(unframed(each) for each in given)
    return told if len(told) <= 5 and not _gives_up(lead) else ()


_ENDS = " .,:!…\n[]{}"
"""Marks around an answer."""


def unframed(text: str) -> str:
    """Return a tidy text without "I think that", "at the start" and the like around it."""
    text = text.strip(_ENDS)
    for _ in range(8):
        lead, trail = _LEAD.match(text), _TRAIL.search(text[-150:])
        if lead is None and trail is None:
            break
        text = text[: len(text) - len(trail[0])] if trail else text
        text = text[lead.end() :] if lead else text
        text = text.strip(_ENDS)
    return text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text


def parted(text: str) -> tuple[str, str]:
    """Return the part of a text that has the answer, and the explanation that follows, if any."""
    found = _REST.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


# --- Abstaining and refusing --------------------------------------------------------------------

_KNOWABLE = (
    r"(?:known|sure|certain|clear|specified|mentioned|stated|given|provided|described|shown"
    r"|indicated|determinable|determined|available|applicable|possible to (?:answer|tell|know|say"
    r"|determine)|in the context|answerable|enough (?:information|context|data|evidence|details?))"
)
_TELL = r"(?:know|tell|say|determine|answer|be (?:sure|certain|determined|answered|known|inferred"
_TELL += r"|established|told|deduced|found in the context)|infer|find (?:the|an) answer)"
_NOT = r"(?:cannot|can't|can not|cant|could not|couldn't|do not|don't|dont|did not|didn't|does not"
_NOT += r"|doesn't|is not|isn't|was not|wasn't|are not|aren't|were not|weren't|not|never)"
_SORRY = r"(?:(?:i'm |i am )?(?:sorry|afraid|unfortunately)[, ]{1,2}(?:but |that )?)?"
_SORRY += r"(?:as an? (?:ai|language|assistant)[a-z ]{0,40}, )?"
UNSURE = re.compile(
    rf"{_SORRY}(?:(?:(?:in|based on|from) {_SOURCE},? )?(?:"
    rf"(?:{_SOURCE}|it|there) (?:simply |just )?{_NOT} (?:explicitly |clearly |actually )?"
    r"(?:say|mention|state|specify|tell|indicate|describe|establish)"
    rf"|{_SOURCE} (?:simply |just )?{_NOT} (?:explicitly |clearly |actually )?"
    r"(?:provide|contain|give|include|reveal|show|have|offer|answer)"
    rf"|(?:none|nothing) (?:of|in) {_SOURCE} (?:mention|say|state|tell|show|specif(?:y|ie))s?"
    r"|i (?:do not|don't) have (?:enough|any|the|sufficient) (?:information|context|data))\b"
    r"|(?P<of>(?:the|this|that|it|i|we|there|you|one|its)\b[^.,;:\n]{0,100}? )?"
    r"(?:(?:non|not|un)[\s_-]{0,3}answerable"
    rf"|{_NOT} (?:be )?(?:really |actually |yet |been |explicitly |possibly )?"
    rf"(?:{_KNOWABLE}|{_TELL})"
    r"|(?:not enough|insufficient|no) (?:information|context|data|evidence|details?|mention|idea"
    r"|answer|way (?:to|of))"
    r"|unknown|unclear|undetermined|indeterminate|undeterminable|uncertain|unspecified|unsure"
    r"|(?:unable|impossible|not able) to (?:determine|answer|tell|say|know|infer)"
    r"|n/a|n\.a|idk|dunno|nonanswerable)"
    r"(?=$|[.,;:!?()\n]| (?:-|because|since|as|based|from|given|with|without|due|in|for|to|by|at|on"
    r"|whether|where|which|what|how|that|if|this|it|the|about|of|here|is|was|any|anything|i|provided"
    r"|available|which|and)\b| -))"
)
"""Words at the start of a tidy text that say that there is no answer."""
_STILL = re.compile(
    r"\b(?:but|although|though|however|probably|perhaps|maybe|likely|guess|i would|i'd|answer is"
    r"|must be|should be|suggests?|implies|so (?:it|yes|no)|assume|assuming|best)\b|answer\s?:"
)
_SO = re.compile(r"\b(?:so|therefore|thus|hence),? (?=[^.\n]{0,80}$)")
_REFUSED = re.compile(
    r"(?:(?:i'm |i am )?(?:very )?sorry|i apologi[sz]e|unfortunately|apologies)?[,. ]{0,3}(?:but )?"
    r"(?:as an? (?:ai|language|assistant)\b[^.\n]{0,60}?[, ]+)?"
    r"(?:i(?:'m| am)? )?(?:cannot|can't|can not|won't|will not|unable to|not able to|must|have to"
    r"|refuse|would rather not|prefer not|do not|don't|not comfortable)(?: be able)? ?(?:to )?"
    r"(?:help|assist|comply|do (?:that|this)|fulfil+|participate|engage|continue|decline|refuse"
    r"|provide|discuss|support|respond|process|have access|have personal|have the ability|answer"
    r"|with|$)"
)
_AI = re.compile(r"(?:i'm|i am|as) an? (?:ai|language model|large language)\b")


@lru_cache(maxsize=64)  # most replies of a quiz are few words that come again
def abstains(reply: str) -> bool:
    """Tell whether a reply says that the question cannot be answered, and answers nothing."""
    given = answers_in(reply)
    return bool(given) and all(map(_gives_up, given))


def declined(reply: str) -> AnswerStatus | None:
    """Tell whether a reply abstains, or refuses, which says nothing of what the context tells."""
    if abstains(reply):
        return AnswerStatus.ABSTAINED
    text = tidy(reply)
    talks = _AI.match(text) and not _ANSWER.search(text)
    return AnswerStatus.REFUSED if _REFUSED.match(text) or talks else None


def _gives_up(text: str) -> bool:
    """Tell whether a tidy text abstains. Excuses follow; a guess that follows undoes it."""
    ends = _SO.search(text)
    said = (text, unframed(text), *((text[ends.end() :],) if ends else ()))
    for each in said:
        plain = each[1:-1] if each[:1] + each[-1:] == "()" else each
        found = UNSURE.match(plain)
        if found and not _STILL.search(plain, found.end()) and not _STILL.search(found["of"] or ""):
            return True
    return text in ("na", "not seen")


def agreed(read: Iterable[T]) -> T | None:
    """Return what every part of a reply says, None where one says nothing or they differ."""
    found = list(read)
    return found[0] if found and all(each == found[0] for each in found) else None


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

_NEAR = 300
"""Characters before and after a name that may deny it."""
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
