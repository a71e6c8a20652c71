"""Prompts for a model: the part of the walkthrough that is read, and a question behind it.

The text that all questions about a maze share comes first, so that providers can cache it. By the
paper's template (arXiv 2403.19913, Examples 7 and 8) the lists name what the steps read show, in
order of name. By the release's, as its programs for chat models send it, they name all that the
maze has, as Python lists (places as in their file, actions in order of name, theirs having none);
for other models those programs use other words and begin the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from worldquiz.llm.model import Message, user
from worldquiz.mango.asking.ask import Template
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import published, released
from worldquiz.mango.prompts import filled, template
from worldquiz.mango.scoring.grade import Question, Task

_FORMS = {
    Template.PAPER: {Task.DF: "mango_df", Task.RF: "mango_rf"},
    Template.RELEASE: {Task.DF: "mango_release_df", Task.RF: "mango_release_rf"},
}


class PromptItem(Protocol):
    """Something that is asked: a question, a minigame, a part of a walkthrough."""

    @property
    def game(self) -> str:
        """The maze that it is about."""
        ...


I = TypeVar("I", bound=PromptItem)  # noqa: E741


def _none(item: Any) -> None:
    return None


@dataclass(frozen=True)
class Prompts(Generic[I]):
    """The items that an answerer is asked, in order, with the functions that make their prompts."""

    items: Mapping[str, I]  # by an id
    about: Callable[[I], Mapping[str, Any]]  # what the line of a reply says of its item
    text: Callable[[I], str]
    system: Callable[[I], str | None] = _none  # what a model is told before, if anything
    form: Callable[[I], dict[str, Any] | None] = _none  # the JSON Schema of its reply, if any

    def messages(self, item: I) -> list[Message]:
        """Return the messages of an item."""
        system = self.system(item)
        before = [{"role": "system", "content": system}] if system else []
        return [*before, user(self.text(item))]

    def whole(self, item: I) -> str:
        """Return all that an answerer reads of an item, in one text."""
        return "\n\n".join(part for part in (self.system(item), self.text(item)) if part)


class Reading:
    """So many steps of a maze's walkthrough, and the words around each question about it."""

    def __init__(self, maze: Maze, steps: int, words: Template = Template.PAPER) -> None:
        """Read so many steps. Raises `KnobError` for a maze without its walkthrough's text."""
        shown = maze.prefix(steps)
        self.steps, self.walkthrough, self.places = steps, shown.text, shown.places
        self.actions = sorted((shown if words is Template.PAPER else maze).actions)
        self._words = words
        if words is Template.PAPER:
            self._common = {
                "walkthrough": published(shown.walkthrough),
                "actions": ", ".join(self.actions),
                "places": ", ".join(sorted(shown.places)),
            }
        else:
            self._common = {
                "walkthrough": released(shown.walkthrough, last=maze.steps),
                "actions": str(self.actions),
                "places": str(list(maze.places)),
            }

    @property
    def system(self) -> str | None:
        """The system message before all prompts, None if there is none."""
        return template("mango_release_system") if self._words is Template.RELEASE else None

    @property
    def form(self) -> dict[str, Any]:
        """The form of a trajectory as a JSON Schema: of the places and actions that are listed."""
        place = {"type": "string", "enum": sorted(self.places)}
        step = {
            "prev_node": place,
            "node": place,
            "action": {"type": "string", "enum": self.actions},
        }
        one = {
            "type": "object",
            "properties": step,
            "required": list(step),
            "additionalProperties": False,
        }
        return {"type": "array", "items": one}

    def prompt(self, question: Question) -> str:
        """Return a prompt: the part of the walkthrough that is read, then the question."""
        return self._filled(question.task, question.source, self._asked(question), question.target)

    def question(self, question: Question) -> str:
        """Return a question as its prompt words it, without the text before it."""
        nothing = dict.fromkeys(self._common, "")
        asked = self._asked(question)
        text = filled(
            _FORMS[self._words][question.task],
            **nothing, source=question.source, moves=asked, target=question.target,
        )  # fmt: skip
        return text.partition("\nThe list of ")[2].partition("\n")[2]

    def bare(self, task: Task) -> str:
        """Return a prompt that names no places and no moves."""
        return self._filled(task, "", "", "")

    def size(self, question: Question) -> str:
        """Return the words that a prompt has beyond a bare one."""
        asked = self._asked(question) if question.task is Task.DF else question.target
        return f"{question.source} {asked}"

    def _asked(self, question: Question) -> str:
        paper = self._words is Template.PAPER
        return ", ".join(question.actions) if paper else str(list(question.actions))

    def _filled(self, task: Task, source: str, moves: str, target: str) -> str:
        form = _FORMS[self._words][task]
        return filled(form, **self._common, source=source, moves=moves, target=target)
