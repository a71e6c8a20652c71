"""The words around an answer, as people and models write them, and the ways to give none.

`replies` finds the answer in a reply, this module what of it is said of the question, and
`answer_values` the value that it tells. ``docs/reference/replies.md`` is this grammar in words.

Any text can be read, in time linear in its length: every repetition below is bounded or possessive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
