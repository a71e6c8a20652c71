"""A world as inspect tools: any solver or agent that calls tools can play and take the quiz.

    inspect eval worldquiz/t2q -T suite=suite --solver worldquiz/react
    inspect eval worldquiz/t2q -T suite=suite --solver my_agent.py@mine

`seated` is a task's setup: it adds the tools of a session to each sample's state. The session
begins at the first call. Solvers that use the state's tools (``generate``, ``basic_agent``) need
nothing else. An agent that gets its tools as an argument is given ``world()``, which represents the
tools of the current sample. If an agent stops early, or a limit stops it, its calls so far count,
and the scorer finishes the session without it (`ended`).

A finished world ends its sample: the state is marked as completed, and ``react`` stops. Any other
agent is told that the world is finished; its second call after that is its last.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from functools import cached_property
from typing import Any

from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.agent import react as react_of_inspect
from inspect_ai.model import Content, ContentImage, ContentText
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool as InspectTool
from inspect_ai.tool import ToolDef, ToolParams, tool
from inspect_ai.tool import ToolError as InspectToolError

from worldquiz.serve.session import LOOK, Script, Session, Tool, ToolCall, ToolError

BEGIN = (
    f"Begin with `{LOOK.name}`, and make one call at a time: each changes what is before you. When "
    "you are told that all is finished, stop."
)
"""Text for an agent, after the benchmark's instructions."""
MOST_AFTER = 2
"""Calls in a finished world after which an agent's message limit is used up."""
NO_SESSION = "no world is being played here: these tools work only in worldquiz's tasks"


class SampleSession:
    """Session of an agent in a sample's world. It begins at the first call."""

    def __init__(
        self,
        tools: Sequence[Tool],
        begin: Callable[[SampleSession], Script],
        leaves: Callable[[Sequence[str]], ToolCall],
    ) -> None:
        """`leaves` gets the usable tools, and returns a call in place of an agent that has left."""
        self.result: Any = None  # set by the script at its end
        self._own, self._begin, self._leaves = tools, begin, leaves
        self.state: TaskState | None = None  # the sample's state, once `seated`
        self._after = 0  # calls since the session was over

    @cached_property
    def _session(self) -> Session:
        return Session(lambda: self._begin(self), self._own)

    @property
    def tools(self) -> list[InspectTool]:
        """The tools in inspect's form, with their schemas."""
        return [self._tool(each) for each in (LOOK, *self._own)]

    def _tool(self, told: Tool) -> InspectTool:
        async def execute(**kwargs: Any) -> list[Content]:
            self._after += self.over
            if self._after == MOST_AFTER and self.state is not None:
                self.state.message_limit = 1
            try:
                reply = self._session.call(told.name, kwargs)
            except ToolError as error:
                raise InspectToolError(str(error)) from error
            if self.over and self.state is not None:
                self.state.completed = True
            pictures = (base64.b64encode(each).decode() for each in reply.pictures)
            return [
                ContentText(text=reply.text),
                *(ContentImage(image=f"data:image/png;base64,{each}") for each in pictures),
            ]

        # Replies are not cut off, since all that an agent is told counts as seen.
        schema = ToolParams.model_validate(told.schema())
        return ToolDef(execute, told.name, told.about, schema, max_output=0).as_tool()

    @property
    def over(self) -> bool:
        """True if the agent has finished the session."""
        return "_session" in vars(self) and self._session.over

    def finish(self) -> list[str]:
        """Finish the session without the agent; return the tools that were called in its place."""
        called: list[str] = []
        if not self._session.over:
            self._session.call(LOOK.name, {})
        while not self._session.over:
            call = self._leaves(self._session.tools_now)
            self._session.call(call.tool, call.arguments)
            called.append(call.tool)
        return called

    def close(self) -> None:
        """Free the world's resources."""
        if "_session" in vars(self):
            self._session.close()


_sessions: dict[str, SampleSession] = {}
"""The sessions of running samples, by sample id."""
_here: ContextVar[SampleSession | None] = ContextVar("session", default=None)
"""The session of the sample that runs in this context."""


@solver
def seated(opened: Callable[[TaskState], SampleSession | None]) -> Solver:
    """Return a solver that adds the tools of a sample's world, unless `opened` returns None."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = opened(state)
        if session is not None:
            _sessions[state.uuid], session.state = session, state
            _here.set(session)
            state.tools = [*state.tools, *session.tools]
        return state

    return solve


def ended(state: TaskState) -> SampleSession | None:
    """Return the session that `seated` gave to a sample, and remove it from the sessions.

    Returns None if there is none: a solver that plays without tools has removed it at its start,
    or the sample is from a log.
    """
    return _sessions.pop(state.uuid, None)


async def left(state: TaskState) -> None:
    """Free a sample's session, however the sample ended. It is the cleanup of a task."""
    session = ended(state)
    if session is not None:
        session.close()


class _ToolsHere:
    """A `ToolSource` of the running sample's tools, which are looked up again at every turn."""

    async def __call__(self) -> str:
        """Raise an error: this object represents tools and is not itself a tool."""
        raise InspectToolError(NO_SESSION)

    async def tools(self) -> list[InspectTool]:
        """Return the tools of the sample's session."""
        session = _here.get()
        if session is None:
            raise RuntimeError(NO_SESSION)
        return session.tools


@tool
def world() -> InspectTool:
    """Return the tools of the running sample's world, for an agent's ``tools``."""
    return _ToolsHere()


@agent
def react(**options: Any) -> Agent:
    """Return inspect's own ``react`` agent with the world's tools and any tools in `options`."""
    more = options.pop("tools", None) or ()
    return react_of_inspect(tools=[world(), *more], **{"on_continue": _until_over, **options})


async def _until_over(state: AgentState) -> bool:
    session = _here.get()
    return session is None or not session.over
