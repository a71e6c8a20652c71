"""``worldquiz t2q attribute``: ask a run's model again where the records leave a cause open."""

from __future__ import annotations

from typing import Any

from worldquiz.cli.model_options import AtOnce, BaseUrl, Retries
from worldquiz.cli.shell import Json, RunFolder, tell, warn, working
from worldquiz.llm.client import AT_ONCE, RETRIES
from worldquiz.llm.tokens import ESTIMATE, counter
from worldquiz.records import read_json
from worldquiz.runs.folder import SCORES, own_name
from worldquiz.t2q.front import attribute_by
from worldquiz.t2q.llm.attribute import attribution
from worldquiz.t2q.report.tables import attribution_table, row_of
from worldquiz.t2q.store import ATTRIBUTION
from worldquiz.t2q.suites import counted


def attribute(
    run_folder: RunFolder,
    base_url: BaseUrl = None,
    connections: AtOnce = AT_ONCE,
    retries: Retries = RETRIES,
    json: Json = False,
) -> None:
    """Find out why answers of a finished run were wrong, by asking its model again.

    Only questions are asked that the records leave undecided, one call each: after a wrong answer
    with the verbatim turns that settle the question, after a right one without any context.
    Nothing is played. A command that was stopped goes on where it was.
    """
    work = attribution(run_folder, base_url=base_url, connections=connections, retries=retries)
    total = len(work.units)
    tokens = sum(counter(ESTIMATE)(each.text) for each in work.prompts.values())
    model = own_name(work.reach.model)
    if total:
        warn(f"{model}: {counted(total, 'question')} to ask, about {tokens:,} tokens of prompts")
    with working(f"asking {model}", total, "what was replied is kept") as done:
        found = attribute_by(work, done)
    shown: list[Any] = [attribution_table([row_of(work.run, found.scores)])]
    if not total:
        tell({"attribution": found.scores["attribution"], "usage": None}, shown, json=json)
        return
    document = read_json(run_folder / ATTRIBUTION / SCORES)
    tell(document, [*shown, _took(document["usage"])], json=json)


def _took(usage: dict[str, Any]) -> str:
    """Say what asking again took."""
    cost = "" if usage["cost"] is None else f", {usage['cost']:,.2f} US dollars"
    return (
        f"asked again: {usage['calls']:,} calls, {usage['input']:,} tokens of prompts, "
        f"{usage['output']:,} of replies{cost}"
    )
