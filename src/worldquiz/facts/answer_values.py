"""Values of answers: yes or no, or names from a closed set.

Nothing is evaluated or guessed. A value is read from a clause that contains nothing else. The other
clauses, called remarks, must not cast doubt on the value or contain another one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from worldquiz.facts.answer_text import (
    DENIAL,
    DOUBT,
    FRAME,
    HEDGE,
    PLAIN,
    Clause,
    agreed,
    answers_in,
    clauses,
    tidy,
    tokens,
    word_set,
)

_COUNT = re.findall(r"\w+", "zero one two three four five six seven eight nine ten eleven twelve")
NUMERALS = {word: str(number) for number, word in enumerate(_COUNT)}
"""Digits for numbers written as words."""
_YES_NO: dict[tuple[str, ...], str] = {
    **{(word,): "yes" for word in ("yes", "yeah", "yep", "yup", "true", "indeed")},
    **{(word,): "no" for word in ("no", "nope", "nah", "false")},
    ("not", "true"): "no",
}
_ALONE = dict.fromkeys(("y", "correct", "right", "affirmative"), True)
_ALONE |= dict.fromkeys(("n", "incorrect", "wrong", "negative", "not correct"), False)
_TOLD = re.compile(r"\b(yes|yeah|yep|yup|true|no|nope|nah|false)(?= (?:it|there|they|the)\b)")
_TALK = word_set(
    "help assist happy glad understand question information need read answer answered let silent"
    " unseen untested unexplored unvisited"
)
"""Words of a remark about the question or about what was seen, rather than about the world."""
_SPEAKER = word_set("i i've we you one nobody agent player context transcript text picture")
_AFFIRMED = re.compile(r"(?:it|there|they|that|this) (?:was|is|does|do|did|are|were|has|had)")
_STATE = re.compile(r"\b(?:unlocked|locked|open|closed|shut|fit|lead)\b")
_OTHER = {"locked": ("unlocked", "open"), "open": ("closed", "shut", "locked")}


def yes_no(reply: str, asked: str) -> bool | None:
    """Return True for yes, False for no, None for anything else, such as both."""
    return agreed(_yes_no(text, asked.lower()) for text in answers_in(reply, asked))


def _yes_no(text: str, asked: str) -> bool | None:
    alone = " ".join(word for word in tokens(text) if word not in FRAME - {"correct", "right"})
    if alone in _ALONE:
        return _ALONE[alone]
    parts = clauses(_TOLD.sub(r"\1,", text), _YES_NO)
    told = {name for each in parts for name in each.names}
    at = next((n for n, each in enumerate(parts) if each.names), len(parts))
    lead, head, remarks = parts[:at], (*parts, Clause((), ()))[at], parts[at + 1 :]
    several = len(told) != 1 or (len(head.names) > 1 and head.words)
    if several or any(each.has(DOUBT) for each in lead) or not head.plain(FRAME):
        return None
    truth = told == {"yes"}
    return None if any(_against(truth, each, asked) for each in remarks) else truth


def _against(truth: bool, remark: Clause, asked: str) -> bool:
    """Return whether a remark casts doubt on a yes or no, contradicts it, or is off the topic."""
    words, state = set(remark.words), _STATE.search(asked)
    denied = remark.has(DENIAL) or "no" in remark.names
    if remark.has(HEDGE) or words & _TALK or (denied and words & _SPEAKER):
        return True
    if state and words & {state[0], f"{state[0]}s"}:
        return denied is truth
    if state and words & set(_OTHER.get(state[0], ())):
        return denied is not truth
    affirmed = not truth and _AFFIRMED.fullmatch(" ".join(remark.words)) is not None
    return truth if denied else affirmed


# --- Names --------------------------------------------------------------------------------------

_NEGATED = re.compile(r"\bnot\b|n't\b")


def named(reply: str, asked: str, names: Mapping[str, str]) -> frozenset[str] | None:
    """Return the names from a closed set that a reply gives as its answer, None if it gives none.

    `names` maps each form of a name to the name, or to "" if it cannot be an answer. A name is read
    from a clause with only names and filler words, if no clause casts doubt on it or has another
    name. Several names, as in "in the heavy chest in the nursery", are read if all clauses with
    names are like this; the caller decides whether they can be one answer.
    """
    units = {tokens(form): name for form, name in names.items()}
    plain = PLAIN if _NEGATED.search(asked) else PLAIN | (set(tokens(tidy(asked))) - {"and"})
    return agreed(_named(clauses(text, units), plain) for text in answers_in(reply, asked))


def _named(parts: list[Clause], plain: frozenset[str]) -> frozenset[str] | None:
    at = [n for n, each in enumerate(parts) if each.names]
    told = [name for n in at for name in parts[n].names]
    bare = [parts[n].plain(plain) for n in at]
    if len(set(told)) > 1:  # each is said once, side by side in one sentence
        bare = [all(bare) and len(set(told)) == len(told) and at[-1] - at[0] == len(at) - 1]
    return frozenset(told) if any(bare) and not any(each.has(DOUBT) for each in parts) else None
