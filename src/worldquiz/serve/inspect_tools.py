"""A world as tools of inspect: any solver or agent that calls tools plays it and takes its quiz.

    inspect eval worldquiz/t2q -T suite=suite --solver worldquiz/react
    inspect eval worldquiz/t2q -T suite=suite --solver my_agent.py@mine

`seated` is a task's setup. It gives each sample's state the tools of a session, which begins at the
first call. Solvers that use the state's tools (``generate``, ``basic_agent``) need nothing else. An
agent that takes its tools as an argument takes ``world()``, which stands for the tools of whatever
sample is under way. The scorer ends what the solver left (`ended`): an agent that stops early, or
that a limit stops, has stopped there, and its calls up to then count.

A world that is finished ends its sample: the state is completed, and ``react`` goes on no more. Any
other agent is told so, and its second call after the end is its last.
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
"""Text for an agent after the instructions of a benchmark."""
MOST_AFTER = 2
"""Calls that an agent may make in a finished world before its messages are used up."""
NO_SESSION = "no world is under way here: these tools work in the tasks of worldquiz"


class SampleSession:
    """Session of an agent in the world of a sample. It begins at the first call."""

    def __init__(
        self,
        tools: Sequence[Tool],
        begin: Callable[[SampleSession], Script],
        leaves: Callable[[Sequence[str]], ToolCall],
    ) -> None:
        """`leaves` returns the calls of an agent that has left, given the tools that are open."""
        self.result: Any = None  # what the script makes of it, once it is over
        self._own, self._begin, self._leaves = tools, begin, leaves
        self.state: TaskState | None = None  # of the sample, once it is seated
        self._after = 0  # calls since it was over

    @cached_property
    def _session(self) -> Session:
        return Session(lambda: self._begin(self), self._own)

    @property
    def tools(self) -> list[InspectTool]:
        """The tools as inspect's, with their schemas."""
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

        # Nothing is cut off: what an agent is told counts as seen.
        schema = ToolParams.model_validate(told.schema())
        return ToolDef(execute, told.name, told.about, schema, max_output=0).as_tool()

    @property
    def over(self) -> bool:
        """Tell whether the agent has finished it."""
        return "_session" in vars(self) and self._session.over

    def finish(self) -> list[str]:
        """Finish the rest without the agent; return the tools that this took."""
        called: list[str] = []
        if not self._session.over:
            self._session.call(LOOK.name, {})
        while not self._session.over:
            call = self._leaves(self._session.tools_now)
            self._session.call(call.tool, call.arguments)
            called.append(call.tool)
        return called

    def close(self) -> None:
        """Free what the world holds."""
        if "_session" in vars(self):
            self._session.close()


_sessions: dict[str, SampleSession] = {}
"""The sessions of the samples that are under way, by the samples' ids."""
_here: ContextVar[SampleSession | None] = ContextVar("session", default=None)
"""The session of the sample that is under way in this context."""


@solver
def seated(opened: Callable[[TaskState], SampleSession | None]) -> Solver:
    """Give a sample's solver the tools of its world; none where `opened` returns no session."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = opened(state)
        if session is not None:
            _sessions[state.uuid], session.state = session, state
            _here.set(session)
            state.tools = [*state.tools, *session.tools]
        return state

    return solve


def ended(state: TaskState) -> SampleSession | None:
    """Return the session that a sample's solver was given, and forget it.

    None where the solver plays by itself (it called this at its start), or the sample is from a
    log.
    """
    return _sessions.pop(state.uuid, None)


async def left(state: TaskState) -> None:
    """Free a sample's session, however the sample ended: a task's cleanup."""
    session = ended(state)
    if session is not None:
        session.close()


class _ToolsHere:
    """The tools of the sample that is under way, asked for anew at every turn: a `ToolSource`."""

    async def __call__(self) -> str:
        """Raise an error: this object stands for tools and is not one itself."""
        raise InspectToolError(NO_SESSION)

    async def tools(self) -> list[InspectTool]:
        """Return the tools of the sample's session."""
        session = _here.get()
        if session is None:
            raise RuntimeError(NO_SESSION)
        return session.tools


@tool
def world() -> InspectTool:
    """Return the tools of the world of whatever sample is under way, for an agent's ``tools``."""
    return _ToolsHere()


@agent
def react(**options: Any) -> Agent:
    """Return inspect's own ``react`` agent with the world's tools, beside those in its options."""
    more = options.pop("tools", None) or ()
    return react_of_inspect(tools=[world(), *more], **{"on_continue": _until_over, **options})


async def _until_over(state: AgentState) -> bool:
    session = _here.get()
    return session is None or not session.over
