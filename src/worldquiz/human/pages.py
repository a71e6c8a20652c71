"""The pages of a quiz as HTML: welcome, one question at a time beside its text, handing in.

Addresses are relative, so that links need not contain the server's random token:

    ""   question-4   review

The pages work with links and forms alone. ``page.js`` adds keys, the time for which a question was
visible, and boxes that are drawn over a picture.
"""

from __future__ import annotations

from html import escape
from typing import Any

from worldquiz.human.quiz import Asked, Sitting
from worldquiz.page.html import many

_KEYS = (
    "<kbd>1</kbd>–<kbd>9</kbd> choose, <kbd>0</kbd> or <kbd>Ctrl Enter</kbd> “{passing}”, "
    "<kbd>Enter</kbd> goes on, <kbd>Shift Enter</kbd> goes back."
)


def onward(sitting: Sitting, place: int = -1, *, again: bool = False) -> str:
    """Return the address of the next unanswered question; with `again`, of any next question."""
    if again and place + 1 < len(sitting.asked):
        return f"question-{place + 1}"
    left = [n for n, each in enumerate(sitting.asked) if each.key not in sitting.lines]
    later = [n for n in left if n > place] or left
    return f"question-{later[0]}" if later else "review"


def welcome(sitting: Sitting) -> str:
    """Return the first page."""
    quiz, every = sitting.quiz, [each.part for each in sitting.asked]
    done, count = len(sitting.lines), many(len(every), "question")
    heading = f"Welcome back: {done} of {count} are answered" if done else f"{count} for you"
    told = "" if done else "".join(f"<p>{escape(words)}</p>" for words in quiz.about)
    parts = "".join(
        f"<li>{escape(part)} <span class=soft>{many(every.count(part), 'question')}</span></li>"
        for part in dict.fromkeys(every)
    )
    return _framed(
        sitting,
        f"<h1>{heading}</h1>{told}<ul class=contents>{parts}</ul>"
        "<p>There is no hurry. Only the time in which a question is visible is counted. Each "
        "answer is kept at once, so you can stop whenever you like and go on later. You can also "
        "go back and change an answer until you hand in.</p>"
        f"<p class=soft>{_KEYS.format(passing=escape(quiz.passing))}</p>"
        + _link(onward(sitting), "Go on" if done else "Begin"),
    )


def question(sitting: Sitting, place: int, note: str = "", typed: str | None = None) -> str:
    """Return a question with its answer, if any; a `note` says what is wrong with the typed answer.

    Raises `IndexError` if there is no question at that place.
    """
    asked, quiz = sitting.asked[place], sitting.quiz
    same = [n for n, each in enumerate(sitting.asked) if each.part == asked.part]
    kept = sitting.lines.get(asked.key)
    said = typed if typed is not None else kept["said"] if kept else None
    text = quiz.reading(asked.part)
    pictures = [_picture(asked, place, number) for number in range(asked.pictures)]
    beside = f'<div class=text tabindex=0 aria-label="Text to read">{_paragraphs(text)}</div>'
    beside, *others = [beside, *pictures] if text else pictures or [""]
    passed = "true" if kept and kept["said"] is None else "false"
    back = f'<a class="button back" href="question-{place - 1}">Back <kbd>Shift ⏎</kbd></a>'
    card = (
        f'<form class=card method=post action="question-{place}"><p class=where>'
        f"{escape(asked.part)} · {same.index(place) + 1} of {len(same)}</p>"
        f"<h1>{escape(asked.words)}</h1><div class=cuts>{''.join(others)}</div>"
        f"{_answer(asked, said)}<input type=hidden name=seconds value=0><div class=buttons>"
        "<button class=main>Next <kbd>Enter</kbd></button>"
        f"<button class=pass name=pass value=1 aria-pressed={passed}>{escape(quiz.passing)} "
        f"<kbd>{'0' if asked.choices else 'Ctrl ⏎'}</kbd></button>"
        f"{back if place else ''}</div></form>"
    )
    return _framed(sitting, beside + card, "beside" if beside else "", note)


def review(sitting: Sitting) -> str:
    """Return the page for handing in."""
    return _framed(
        sitting,
        "<h1>All questions are answered</h1><p>Hand them in, or go back to change some first. "
        "After that, nothing can be changed.</p><form method=post action=finish class=buttons>"
        "<button class=main>Hand in <kbd>Enter</kbd></button><a class='button back' "
        f"href='question-{len(sitting.asked) - 1}'>Back <kbd>Shift ⏎</kbd></a></form>",
    )


def thanks(sitting: Sitting) -> str:
    """Return the last page."""
    return _framed(
        sitting,
        "<h1>Thank you</h1><p>Everything is handed in and kept. You can close this page.</p>",
    )


def _framed(sitting: Sitting, body: str, kind: str = "", note: str = "") -> str:
    title, all_, done = escape(sitting.quiz.title), len(sitting.asked), len(sitting.lines)
    told = f"<p id=note role=alert>{escape(note)}</p>" if note else ""
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<title>{title}: worldquiz</title><link rel=icon href=icon.svg type=image/svg+xml>"
        "<link rel=stylesheet href=page.css></head><body><header id=top><p class=brand>worldquiz "
        f"<span class=soft>{title}</span></p><p class=soft>{done} of {all_} answered, "
        f"{all_ - done} left</p></header>{told}<main class='{kind}'>{body}</main>"
        "<script type=module src=page.js></script></body></html>"
    )


def _link(address: str, words: str) -> str:
    return f"<p><a class='button main' href={address}>{words} <kbd>Enter</kbd></a></p>"


def _paragraphs(text: str) -> str:
    """Return a text as HTML; in it, "# " marks headings and "> " marks actions."""
    found = []
    for words in filter(str.strip, text.split("\n\n")):
        tag = "h2" if words.startswith("# ") else "p"
        kind = "act" if words.startswith("> ") else "says"
        found.append(f"<{tag} class={kind}>{escape(words.removeprefix('# '))}</{tag}>")
    return "".join(found)


def _picture(asked: Asked, place: int, number: int) -> str:
    layer, kind = "", "cut" if asked.view else "cut alone"
    if asked.view and number == 0:
        wide, high, degrees = asked.view
        kind = "whole"
        layer = (f"<svg class=layer viewBox='0 0 {wide} {high}' data-draw='{asked.draw or ''}' "
                 f"data-degrees={degrees}><path class=drawn></path></svg>")  # fmt: skip
    caption = f"<figcaption>picture {number + 1}</figcaption>" if asked.pictures > 1 else ""
    return (
        f"<figure class='{kind}'><div class=canvas><img src=picture-{place}-{number} "
        f"alt='picture {number + 1}' draggable=false>{layer}</div>{caption}</figure>"
    )


def _answer(asked: Asked, said: Any) -> str:
    if asked.choices:
        labels = "".join(
            f'<label class=option><input type=radio name=said value="{escape(each)}"'
            f"{' checked' if each == said else ''}><kbd>{number}</kbd> {escape(each)}</label>"
            for number, each in enumerate(asked.choices, start=1)
        )
        return f"<fieldset><legend class=hidden>Answers</legend>{labels}</fieldset>"
    more = f"id=answer name=said maxlength={asked.longest} autofocus autocomplete=off"
    label = f"<label for=answer>Your answer: {escape(asked.hint)}</label>"
    field = f'<input type=text {more} spellcheck=false value="{escape(said or "")}">'
    if asked.longest > 500:
        field = f"<textarea {more} spellcheck=false rows=4>{escape(said or '')}</textarea>"
    return f"<p class=field>{label}{field}</p>"
