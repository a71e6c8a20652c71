"""A row with a real model over MCP: a LangGraph agent plays worlds from `worldquiz serve`.

    pip install langgraph langchain-openai langchain-mcp-adapters
    worldquiz serve runs/real/data/easy --agent-name langgraph --out runs/real/mcp --http 8765
    python benchmarks/real_agent.py http://127.0.0.1:8765/TOKEN/mcp http://127.0.0.1:7613/v1

Each seat is a separate agent and plays one world. With its template's own tool calls, the 1.5B
model of `real_model.py` calls a tool twice and then falls silent. So the server forces each reply
into a JSON Schema of the calls, the conversation shows calls and results as plain messages, and the
first call, `look`, is made for the model.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI
from langgraph.graph import MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from pydantic import SecretStr

TOLD = (
    "Play the game of the server worldquiz. Call `look` first, and follow what it says until it "
    "says that you may stop.\n\nYou have these tools. Reply with one call, as JSON.\n"
)  # the first half is from docs/how-to/serve-agents.md
FINISHED = "This world is finished"
REPLIES = 200
"""Most replies of an agent."""


def form(tools: list[Any]) -> dict[str, Any]:
    """Return a JSON Schema for a call of any tool."""
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": tool.name}, "arguments": tool.args_schema},
            "required": ["name", "arguments"],
        }
        for tool in tools
    ]
    schema = {"name": "call", "schema": {"anyOf": calls}}
    return {"type": "json_schema", "json_schema": schema}


def plain(message: AnyMessage) -> AnyMessage:
    """Return a message with calls and results as plain text."""
    if isinstance(message, AIMessage):
        return AIMessage(message.content)
    return message if isinstance(message, SystemMessage) else HumanMessage(message.text)


async def play(server: str, url: str, model: str) -> int:
    """Play one world; return the number of replies."""
    client = MultiServerMCPClient({"worldquiz": {"transport": "streamable_http", "url": server}})
    tools = [tool for tool in await client.get_tools() if tool.name != "next"]
    key = SecretStr("none")
    chat = ChatOpenAI(
        model=model, base_url=url, api_key=key, temperature=0, max_completion_tokens=300
    )

    def called(text: str) -> AIMessage:
        try:
            told = json.loads(text)
        except ValueError:  # cut off
            told = {"name": "look", "arguments": {}}
        call = {"name": told["name"], "args": told["arguments"], "id": uuid4().hex}
        return AIMessage(text, tool_calls=[call])

    async def ask(state: MessagesState) -> dict[str, Any]:
        told = [plain(message) for message in state["messages"]]
        reply = await chat.ainvoke(told, response_format=form(tools))
        return {"messages": [called(reply.text)]}

    def after(state: MessagesState) -> str:
        ended = FINISHED in state["messages"][-1].text or len(state["messages"]) > 2 * REPLIES
        return "__end__" if ended else "ask"

    graph = StateGraph(MessagesState).add_node(ask).set_entry_point("tools")
    graph.add_node("tools", ToolNode(tools, handle_tool_errors=True)).add_edge("ask", "tools")
    agent = graph.add_conditional_edges("tools", after, ["ask", "__end__"]).compile()
    about = "".join(f"{each.name} {json.dumps(each.args)}: {each.description}\n" for each in tools)
    look = called('{"name": "look", "arguments": {}}')
    begin: list[AnyMessage] = [SystemMessage(TOLD + about), HumanMessage("Begin."), look]
    limit = RunnableConfig(recursion_limit=2 * REPLIES + 9)
    state = await agent.ainvoke(MessagesState(messages=begin), limit)
    return sum(isinstance(each, AIMessage) for each in state["messages"])


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("server", help="address that `worldquiz serve --http` prints, without SEAT")
    parser.add_argument("url", help="address of the model's server")
    parser.add_argument("--model", default="qwen-1.5b")
    parser.add_argument("--seats", type=int, default=20)
    told = parser.parse_args()
    seats = (play(f"{told.server}/{seat}", told.url, told.model) for seat in range(told.seats))
    print(await asyncio.gather(*seats, return_exceptions=True))


if __name__ == "__main__":
    asyncio.run(main())
