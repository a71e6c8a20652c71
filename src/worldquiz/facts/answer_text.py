"""Parsing of an answer's wording: its clauses, words that cast doubt on it, abstentions.

`replies` finds the answer in a reply, this module splits it into clauses, and `answer_values` reads
its value. ``docs/reference/replies.md`` states the rules. They are strict: an answer with any word
of `DOUBT` counts as unreadable, since it is better to leave an answer unread than to misread it.

Reading takes time linear in the text's length: all regex repetitions are bounded or possessive.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeVar

from worldquiz.facts.row import AnswerStatus

T = TypeVar("T")

LONGEST = 20_000
"""Most characters of an answer that are read, without thoughts; of a longer answer, the last."""
_PLAIN = str.maketrans(
    dict(
        zip(
            "“”„‟«»‹›「」『』‘’‚‛`´‐‑‒–—−→⇒\u00a0",
            [*'"' * 12, *"'" * 6, *"-" * 8, " "],
            strict=True,
        )
    )
    | dict.fromkeys("❌✗✘✖❎☒⛔🚫👎", " not ")
)
_MARKS = re.compile(
    r"~~[^~]{0,200}~~|</\w{1,10}>|<(?:b|i|p|br|s|em|strong)>|<\|\w{1,20}\|>|\\text(?:bf)?\b|\$"
    r"|\[(?:task|step|turn)\b[^\[\]]{0,40}\]|[*\"<>]++|(?<!\w)['_]++|['_]++(?!\w)"
    r"|\((?:s|es)\)|[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]"
)
"""Marks without meaning, struck-out text, headings of a transcript, and pictures."""
_BULLET = re.compile(r"^\s*+(?:[-•*+·]\s++|[-=]{1,2}>\s*+|#{1,6}\s++|\(?(?:\d{1,2}|[a-h])[.)]\s++)")
_LEADING = re.compile(r"^(?:(?:in|on|at|into|onto|to|inside|the|a|an|it was|it is)\s+)+")
_FLOOR = re.compile(r"^floor of (?:the )?")
TOKEN = re.compile(r"\w+(?:'\w+)?|[^\w\s]")


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
    """Return words and punctuation marks; hyphens and underscores separate words as spaces do."""
    found = TOKEN.findall(text.replace("_", " ").replace("-", " "))
    return tuple(
        part for each in found for part in ((each[:-2], "'s") if each[-2:] == "'s" else (each,))
    )


@lru_cache(maxsize=16)
def tidy(text: str) -> str:
    """Return a text's last `LONGEST` characters in lower case, without markup and end marks."""
    text = text[-LONGEST:]
    lines = (_BULLET.sub("", line) for line in text.translate(_PLAIN).lower().splitlines())
    marked = (" ".join(_MARKS.sub("", line).split()) for line in lines)
    return "\n".join(line for line in marked if line and not line.startswith("---")).strip(" .!…\n")


# --- Words that cast doubt, and words that add nothing ------------------------------------------

DENIALS = (
    "not no nope nah nor never neither none nothing nobody nowhere cannot without cant dont didnt"
    " doesnt isnt wasnt aint"
)
DOUBTS = (
    "or either otherwise versus vs alternatively maybe perhaps possibly might may but except unless"
    " until unlike although though however yet instead rather unlikely unknown unclear unsure non"
    " uncertain undetermined unanswerable hardly scarcely barely against impossible missing absent"
    " empty wrong* incorrect* false* lie opposite reverse hard_to difficult_to doubt* exclud*"
    " fail* lack* miss* mistak* refus* rule_out rules_out ruled_out ruling_out oops sorry edit"
    " actually wait hold_on scratch strike kidding joking mean meant correction* thought*"
    " reflection reconsider* recheck* recount* revise* ignore disregard check*_again let_me_re*"
    " retract* forget scrap eliminat* contradict*"
    " take_it_back take_that_back elsewhere mov* later afterward* now formerly previously used_to"
)
"""Words that deny an answer; and words that doubt it, weigh it, retract it, or report a move.

The lists are complete. A star stands for any ending.
"""


def _any(words: str) -> str:
    every = (word.replace("*", r"\w*").replace("_", " ") for word in words.split())
    return rf"\b(?:{'|'.join(every)})\b"


DENIAL = re.compile(rf"{_any(DENIALS)}|n't\b")
HEDGE = re.compile(
    rf"\?|{_any(DOUBTS)}|\bcould\b(?! be found)|\bif (?!i |you |correctly)\w"
    r"|^is (?:it|this|that)\b|^of (?:the |an? )?and\b"
)
DOUBT = re.compile(rf"{DENIAL.pattern}|{HEDGE.pattern}")
FRAME = word_set(
    "it its it's is at start was that that's this here a an the my final best answer guess would"
    " will should must has to be so correct right most very fairly quite likely probably presumably"
    " definitely certainly clearly surely absolutely simply option choice looks like ' 's"
)
"""Words around an answer that add nothing to it."""
PLAIN = FRAME | word_set(
    "in on inside within into onto of there were been located situated found placed seen standing"
    " stood sitting sat lying lay resting stored kept put hidden discovered observed initially"
    " initial originally original starting started began beginning room floor top place location"
    " position key lock fits unlocks opens could action game specifically exactly"
)
"""Words around an answer that is a name, which add nothing to it."""
REMARK = FRAME | word_set(
    "i i'd i'm we am have going choose pick think believe guess suppose say recall remember sure"
    " certain with you go okay ok well hmm good question let me read transcript twice based"
    " according context from in short thus far as tell if correctly saw response output assistant"
    " reply what notes task shown says reason confidence"
)
"""Words of remarks around an answer, which add nothing to it."""
I_SAY = re.compile(
    r"\b(?:i|we)(?:'d|'ll|'m| would| will| am| have|'ve)? (?:\w+ly )?(?:think|believe|guess|suppose"
    r"|say|answer|recall|remember|choose|pick|go with|going with|go|saw|found|(?:\w+ )?(?:sure"
    r"|certain|confident))\b|\b(?:let me know|i hope)\b[^.\n]{0,200}"
)
_COMMA = word_set(", ( ) [ ] { } because since as which when")
"""Marks and words that begin another clause of a sentence."""
_STOP = word_set(". ; : ! …")


class Clause(NamedTuple):
    """Part of a text: the names in it, and its other words."""

    names: tuple[str, ...]
    words: tuple[str, ...]

    def plain(self, words: Collection[str]) -> bool:
        """Return whether all words of the clause, not counting names, are among `words`."""
        return all(word in words for word in self.words)

    def has(self, words: re.Pattern[str]) -> bool:
        """Return whether a pattern matches in the clause's words, not counting names."""
        return words.search(" ".join(self.words)) is not None


def clauses(text: str, names: Mapping[tuple[str, ...], str]) -> list[Clause]:
    """Return the clauses of a text from `tidy`, with an empty clause between two sentences.

    `names` maps the tokens of each name to the name, or to "" for words to skip. Where several
    names match, the longest counts.
    """
    words = (*tokens(I_SAY.sub(" ", text).replace(" - ", " ; ").replace("\n", " ; ")), ";")
    lengths = sorted({len(each) for each in names}, reverse=True)
    found, place = list[Clause](), 0
    told, others = list[str](), list[str]()
    while place < len(words):
        size = next((n for n in lengths if n and words[place : place + n] in names), 0)
        if size:
            told += filter(None, [names[words[place : place + size]]])
        elif words[place] in _COMMA | _STOP:
            found += [Clause(tuple(told), tuple(others))] if told or others else []
            found += [Clause((), ())] if words[place] in _STOP else []
            told, others = [], []
        else:
            others.append(words[place])
        place += size or 1
    return found


_ANSWER = re.compile(
    r"\b(?:final )?ans(?:wer)?"
    r"(?: to (?:the|this|your) question| ?\([^()]{0,30}\)| #?\d{1,2}(?= ?:))?"
    r"(?: (?:is|was|would be|should be|must be)\b|\s?[:=]|\s-\s|(?=[\n\[]))[\s:]*+"
)
_FORM = re.compile(r"^(?:(?:the|my|final|short) ){0,3}answer ?[:=] ?(\S.*)$", re.MULTILINE)
_NEXT = re.compile(
    r"\n(?:(?:question|context|choices|q)\s?\d{0,3}\s?:|(?:is there|would you|do you)\b)"
)
_RESTATED = re.compile(r"(?:question|q)\s?\d{0,3}\s?:\s*+")
_SENTENCE = re.compile(r"[.!;?](?=\s|$)|\n")


@lru_cache(maxsize=16)  # a reply is read several times, as each kind of answer
def answers_in(reply: str, asked: str = "") -> tuple[str, ...]:
    """Return a reply's answers: the `tidy` text after each "the answer is ...", else all of it.

    A repetition of the question and further questions that a model asks are left out. () if the
    reply begins by abstaining, or casts doubt on the answer in the same sentence.
    """
    text, question = tidy(reply), tidy(asked)
    text = _RESTATED.sub("", text, count=1) if _RESTATED.match(text) else text
    if question and text.startswith(question):
        text = text[len(question) :].lstrip(" ?.:-\n")
    text = _NEXT.split(text, maxsplit=1)[0]
    lines = list(_FORM.finditer(text))
    if lines and lines[-1].end() == len(text):
        return () if _gives_up(text[: lines[0].start()]) else tuple(each[1] for each in lines)
    lead, *given = _ANSWER.split(text)
    if not given:
        return (text,)
    return () if _gives_up(lead) or DOUBT.search(_SENTENCE.split(lead)[-1]) else tuple(given)


# --- Abstaining and refusing --------------------------------------------------------------------

_PREFACE = re.compile(
    r"(?:no ?[,.:;!-] ?|[(\[]|(?:(?:i'm |i am )?(?:sorry|afraid)|unfortunately), (?:but |that )?"
    r"|(?:as an? (?:ai|language|assistant)|based on|from|in|given|according to)\b"
    r"[^.,;:()\n]{0,60}, )*+"
)
_TELL = (
    r"(?:know|say|tell|see|determine|inferr?|mention|state|specif(?:y|ie)|indicate|describe|deduce"
    r"|establish)(?:d|s|n|ed|able)?|known|shown|given|provided|told|said"
)
UNSURE = re.compile(
    r"(?:(?:the|this|that|these|it|its|i|we|there|there's|you|one|an?)\b[^.,;:?!()\n]{0,100}? )??"
    r"(?<!\bthe )(?<!\ban )(?<!\ba )"
    r"(?:(?:non|not|un)[\s_-]{0,3}answerable\b|(?:unknown|unclear|uncertain|unspecified|unsure"
    r"|undetermin(?:ed|able)|indeterminate|idk|dunno|nonanswerable|n/a|n\.a)\b"
    r"|(?:no|not enough|insufficient) (?:\w++ )?(?:information|context|data|evidence|details?"
    r"|mention|idea|clue|answer|way to)\b"
    rf"|(?:none|nothing) (?:is|was|can be|of|in)(?: \w++){{0,4}}? (?:{_TELL})\b"
    r"|(?:not|never|cannot|cant|dont|\w{2,6}n't|unable|impossible)(?: \w++){0,3}?"
    rf" (?:{_TELL}|answer(?:ed)?|sure|certain|clear|available|applicable|determinable"
    r"|in the context|information|data|evidence|idea|clue)\b)"
)
"""A clause that says there is no answer."""
_STILL = re.compile(
    r"\b(?:but|although|though|however|probably|perhaps|maybe|likely|guess|i would|i'd|answer is"
    r"|must be|should be|suggests?|implies|so (?:it|yes|no)|assum(?:e|ing)|best)\b|answer\s?:"
)
"""Words of a guess that undoes such a clause."""
_LAST = re.compile(r"\b(?:so|therefore|thus|hence),? (?=[^.\n]{0,80}$)")
_GROUND = re.compile(r"(?:since|as|because|given that)\b[^.;\n]{0,200}, ")
_REFUSED = re.compile(
    r"(?:i'm|i am|as) an? (?:ai|language model|large language)\b"
    r"|[^.\n]{0,60}?\b(?:cannot|can't|can not|won't|will not|unable|must|have to|refuse|prefer not"
    r"|not (?:able|comfortable|going)|don't)\b[^.\n]{0,20}?\b(?:help|assist|comply|participate"
    r"|do (?:that|this)|fulfil+|engage|play|continue|decline|discuss|support|respond|process"
    r"|have (?:access|personal|the ability))\b"
)


@lru_cache(maxsize=64)  # most replies in a quiz are short and recur
def abstains(reply: str) -> bool:
    """Return whether a reply says that the question cannot be answered, and gives no answer."""
    given = answers_in(reply)
    return _gives_up(tidy(reply)) or (bool(given) and all(map(_gives_up, given)))


def declined(reply: str) -> AnswerStatus | None:
    """Return the status of a reply that abstains or refuses, None for any other reply."""
    if abstains(reply):
        return AnswerStatus.ABSTAINED
    refused = _REFUSED.match(tidy(reply)) and not _ANSWER.search(tidy(reply))
    return AnswerStatus.REFUSED if refused else None


def _gives_up(text: str) -> bool:
    """Return whether the first or the last clause of a tidy text abstains, and no guess follows."""
    ends = (_LAST.search(text), _GROUND.match(text))
    for at in (0, *(each.end() for each in ends if each)):
        preface = _PREFACE.match(text, at)
        found = UNSURE.match(text, preface.end() if preface else at)
        if found and not _STILL.search(text, found.start()):
            return True
    return text in ("na", "not seen")


def agreed(read: Iterable[T]) -> T | None:
    """Return the value if all are equal; None if they differ, one is None, or there are none."""
    found = list(read)
    return found[0] if found and all(each == found[0] for each in found) else None
