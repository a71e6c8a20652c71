"""An episode as tools: a world's tasks in order, then its quiz, for a model that calls functions.

The script is that of `worldquiz serve`: the same `Remote` acts and answers, so budget, outcomes and
records are those of any agent. `ToolEpisode` is called with the tools of `serve`; `TypedTools` are
methods whose names and types say what can be done. A typed tool gives one command, and what holds
for the command holds for the tool: `go("north")` is `act("go north")`.
"""

from __future__ import annotations

from worldquiz.errors import KnobError
from worldquiz.facts.episode import Episode
from worldquiz.serve.kept_calls import ForgottenCalls
from worldquiz.serve.session import LOOK, Session
from worldquiz.t2q.agents.remote import ACT, ANSWER, DONE, TOOLS, Remote
from worldquiz.t2q.store import Played
from worldquiz.t2q.training.rewards import Rewards, Watched, played
from worldquiz.t2q.training.worlds import Worlds


class ToolEpisode:
    """Plays one world after the other; close it when done."""

    def __init__(self, worlds: Worlds, questions: int | None = None) -> None:
        """Play some worlds; their quizzes ask so many questions at most, None for all.

        Raises `KnobError` where `questions` is no whole number from 0 up.
        """
        if questions is not None and not (type(questions) is int and questions >= 0):
            raise KnobError(f"questions: {questions!r} cannot be asked; give 0 or more")
        self._worlds, self._questions = worlds, questions
        self._watched: Watched | None = None
        self._session: Session | None = None
        self._in_quiz = False
        self.calls = 0
        self.played: Played | None = None  # what is recorded of an episode that is over

    def begin(self, number: int) -> None:
        """Begin world `number`. The agent has to look before it does anything else."""
        self._leave()
        self.calls, self._in_quiz, self.played = 0, False, None
        watched, remote = self._worlds.opened(number), Remote()
        self._watched, self._farewell = watched, remote.farewell
        self._session = Session(
            lambda: self._script(watched, remote), TOOLS, ForgottenCalls(), seat="trainer"
        )

    def look(self) -> str:
        """Return what is before the agent; that is no call, and never refused."""
        return self._farewell() if self.over else self._open.call(LOOK.name, {}).text

    async def _script(self, watched: Watched, remote: Remote) -> str:
        def quizzed(episodes: tuple[Episode, ...]) -> Remote:
            self._in_quiz = True
            return remote

        self.played = await played(
            watched, remote, quizzed,
            name="trainer", budget=self._worlds.budget, questions=self._questions,
        )  # fmt: skip
        return remote.farewell()

    def call(self, tool: str, /, **arguments: object) -> str:
        """Call a tool; return what the agent is told.

        Raises `ToolError`, which says what to do instead, for a call that cannot be carried out.
        """
        if tool == LOOK.name:
            return self.look()
        told = self._open.call(tool, arguments).text
        self.calls += 1
        return told

    def say(self, text: str) -> str:
        """Give a command while tasks are played, and an answer in the quiz. Raises `ToolError`."""
        if self._in_quiz:
            return self.call(ANSWER.name, answer=text)
        return self.call(ACT.name, command=text)

    @property
    def over(self) -> bool:
        """Whether the quiz is over."""
        return self._open.over

    @property
    def watched(self) -> Watched:
        """The world under way, its answers included: keep it from the agent."""
        if self._watched is None:
            raise ValueError("no episode has begun: begin one, with reset()")
        return self._watched

    @property
    def rewards(self) -> Rewards:
        """What the episode has earned so far."""
        return self.watched.rewards

    @property
    def _open(self) -> Session:
        if self._session is None:
            raise ValueError("no episode has begun: begin one, with reset()")
        return self._session

    def close(self) -> None:
        """Free the game."""
        self._leave()

    def _leave(self) -> None:
        if self._session is not None:
            self._session.close()
        if self._watched is not None:
            self._watched.close()
        self._session = self._watched = None


class TypedTools:
    """The tools of an episode as methods. Docstrings are what models read."""

    def _call(self, tool: str, /, **arguments: object) -> str:
        """Call a tool of a `ToolEpisode`."""
        raise NotImplementedError

    def look(self) -> str:
        """Show again what is before you. It changes nothing and costs nothing.

        Returns:
            The last thing that the game said, or the question that is asked.
        """
        return self._call(LOOK.name)

    def go(self, direction: str) -> str:
        """Leave the room by an exit.

        Args:
            direction: Which exit. (choices: ["north", "south", "east", "west"])

        Returns:
            What the game says.
        """
        return self._act("go", direction)

    def inventory(self) -> str:
        """List what you carry.

        Returns:
            What the game says.
        """
        return self._act("inventory")

    def examine(self, thing: str) -> str:
        """Look at a thing closely; what stands open also shows what is in it.

        Args:
            thing: The thing's name, such as "wooden box".

        Returns:
            What the game says.
        """
        return self._act("examine", thing)

    def open(self, thing: str) -> str:
        """Open a door or a container. What is locked has to be unlocked first.

        Args:
            thing: The name of the door or container.

        Returns:
            What the game says.
        """
        return self._act("open", thing)

    def close(self, thing: str) -> str:
        """Close a door or a container.

        Args:
            thing: The name of the door or container.

        Returns:
            What the game says.
        """
        return self._act("close", thing)

    def unlock(self, thing: str, key: str) -> str:
        """Unlock a door or a container with a key that you carry.

        Args:
            thing: The name of the door or container.
            key: The name of the key.

        Returns:
            What the game says.
        """
        return self._act("unlock", thing, "with", key)

    def lock(self, thing: str, key: str) -> str:
        """Lock a door or a container with a key that you carry.

        Args:
            thing: The name of the door or container.
            key: The name of the key.

        Returns:
            What the game says.
        """
        return self._act("lock", thing, "with", key)

    def take(self, thing: str) -> str:
        """Take a thing that you see, wherever it lies.

        Args:
            thing: The thing's name.

        Returns:
            What the game says.
        """
        return self._act("take", thing)

    def put(self, thing: str, place: str) -> str:
        """Put a thing that you carry on or into something.

        Args:
            thing: The thing's name.
            place: What to put it on or into.

        Returns:
            What the game says.
        """
        return self._act("put", thing, "on", place)

    def drop(self, thing: str) -> str:
        """Put a thing that you carry on the floor.

        Args:
            thing: The thing's name.

        Returns:
            What the game says.
        """
        return self._act("drop", thing)

    def eat(self, thing: str) -> str:
        """Eat a thing that you carry.

        Args:
            thing: The thing's name.

        Returns:
            What the game says.
        """
        return self._act("eat", thing)

    def act(self, command: str) -> str:
        """Give the game one command in plain English.

        Args:
            command: The command, such as "go north", "open box" or "inventory".

        Returns:
            What the game says.
        """
        return self._call(ACT.name, command=command)

    def done(self, all_tasks: bool = False) -> str:
        """End the task that is under way, won or not. After the last task comes the quiz.

        Args:
            all_tasks: Whether to end all tasks of this world, and go to the quiz.

        Returns:
            The next task, or the first question of the quiz.
        """
        return self._call(DONE.name, all_tasks=all_tasks)

    def answer(self, answer: str) -> str:
        """Answer the question of the quiz that is before you; the next one follows.

        Args:
            answer: The answer, or "non-answerable" if you cannot know it.

        Returns:
            The next question.
        """
        return self._call(ANSWER.name, answer=answer)

    def _act(self, *words: object) -> str:
        return self.act(" ".join(map(str, words)))
