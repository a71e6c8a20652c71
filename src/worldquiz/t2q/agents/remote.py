"""Remote agents, which play and answer by calling tools.

A session sends the agent a text and names the tools that it may call next. The agent gets no
transcript and remembers what it chooses to. It is never shown more than any other agent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.row import ABSTAIN
from worldquiz.serve.session import Offer, Parameter, Tool, ToolCall, ToolReply, offered
from worldquiz.t2q.prompts import question_text
from worldquiz.t2q.question import Answer, Prompt

ACT = Tool(
    "act",
    "Gives the game one command, such as `go north`, `open box` or `inventory`.",
    (Parameter("command", "One command, in plain English."),),
)
DONE = Tool(
    "done",
    "Ends the task that is under way, won or not. After the last task comes the quiz.",
    (Parameter("all_tasks", "End all tasks of this world, and go to the quiz.", bool, False),),
)
ANSWER = Tool(
    "answer",
    "Answers the question of the quiz that is before you; the next one follows.",
    (Parameter("answer", f"The answer, or {ABSTAIN} if you cannot know it."),),
)
TOOLS = (ACT, DONE, ANSWER)
INSTRUCTIONS = (
    "You are a player in a text game. `look` shows what is before you, and `act` gives the game a "
    "command. You get a few tasks in the same world, one after the other; with each, the world is "
    "as at the start again, unless its objective says otherwise. A task ends when it is won, when "
    "its commands are used up, or when you call `done`. Every command counts, also one that the "
    "game refuses. Then a quiz asks, one question at a time, how the world was at its start, or at "
    "another time that the question names: where things were, what was locked, which way leads "
    "where. Learn what you can of the world while you play; you cannot go back to it once the quiz "
    "begins."
)
_QUIZ = (
    "All tasks are over. Now the quiz, about this world as it was at its start, or at another time "
    "that a question names. Answer from what you have seen; if you cannot know an answer from "
    f"that, answer “{ABSTAIN}”. Answers cannot be changed."
)


class Remote:
    """Agent and answerer in one world, driven by the tool calls of a remote agent."""

    def __init__(self, tasks: int, left: Callable[[int, int], int]) -> None:
        """Set up the agent for `tasks` tasks; `left` returns how many commands a task may use.

        `left` is called with the task's number, from 0, and the number of commands used before it.
        """
        self._tasks, self._limit = tasks, left
        self._news: list[str] = []  # texts to show before the next one
        self._begun = 0
        self._given = self._left = 0  # commands
        self._offered: Observation | None = None  # the last one that the agent was shown
        self._gives_up = self._gives_all_up = False

    async def begin(self, observation: Observation) -> None:
        """Announce a new task."""
        self._left = self._limit(self._begun, self._given)
        self._begun, self._gives_up = self._begun + 1, False
        shown = observation.objective in observation.text
        self._news.append(self._heading + ("" if shown else f": {observation.objective}"))

    @property
    def _heading(self) -> str:
        return f"Task {self._begun} of {self._tasks}"

    async def act(self, observation: Observation) -> str | None:
        """Return the command that the agent gives, None if it ends the task."""
        if self._gives_all_up:
            return None
        now = f"{told(observation)}\nCommands left: {self._left}"
        reply = ToolReply(self._with_news(now))
        if self._offered is None:
            again = ToolReply(f"{INSTRUCTIONS}\n\n{reply.text}")
        else:
            again = ToolReply(f"{self._heading}: {observation.objective}\n\n{now}")
        self._offered = observation
        call = await offered(Offer(reply, (ACT.name, DONE.name), again))
        if call.tool == DONE.name:
            self._gives_up, self._gives_all_up = True, call.arguments["all_tasks"]
            return None
        self._given, self._left = self._given + 1, self._left - 1
        return str(call.arguments["command"])

    async def end(self, observation: Observation) -> None:
        """Announce how a task ended, with the last observation if the agent has not seen it."""
        if observation is not self._offered:
            self._news.append(told(observation))
        why = "given up" if self._gives_up or self._gives_all_up else "no commands are left"
        won = "is won" if observation.done else f"is over, and not won: {why}"
        self._news.append(f"{self._heading} {won}.")

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Announce the quiz; the agent answers from its own memory, without transcripts."""
        self._news.append(_QUIZ)

    async def answers(self, prompts: Sequence[Prompt]) -> list[Answer]:
        """Return the agent's answers: it sees one question at a time."""
        replies = []
        for number, prompt in enumerate(prompts, start=1):
            asked = f"Question {number} of {len(prompts)}\n\n{question_text(prompt)}"
            call = await offered(Offer(ToolReply(self._with_news(asked)), (ANSWER.name,)))
            replies.append(Answer(str(call.arguments["answer"])))
        return replies

    def farewell(self) -> str:
        """Return the closing message to the agent."""
        return self._with_news("This world is finished, and your answers are kept.")

    def _with_news(self, text: str) -> str:
        said, self._news = [*self._news, text], []
        return "\n\n".join(said)


def leaves(tools: Sequence[str]) -> ToolCall:
    """Return the tool call to make for an agent that left early: end all tasks, or answer "".

    An empty answer is wrong and does not count as abstaining, so leaving gains nothing.
    """
    if DONE.name in tools:
        return ToolCall(DONE.name, {"all_tasks": True})
    return ToolCall(ANSWER.name, {"answer": ""})


def told(observation: Observation) -> str:
    """Return an observation as the text that remote agents are shown."""
    return f"{observation.text}\n\nInventory: {observation.inventory}\nScore: {observation.score}"
