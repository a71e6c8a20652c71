"""worldquiz finds out what an agent knows about its world, as opposed to what it can do in it.

    import worldquiz as wq

    suite = wq.t2q.build("easy", worlds=3, seed=7, out="suite")
    run = suite.run(agent="explorer", answerer="worldgraph", out="runs/explorer")
    run.scores; run.frame(); run.report("report.html")

The three benchmarks are `worldquiz.t2q` (Task2Quiz), `worldquiz.mango` (MANGO) and `worldquiz.tea`
(TEA). `load` opens any folder that worldquiz wrote. Names that are not in `__all__` of this module
or of a benchmark's may change with any version. Importing does nothing and loads no other library;
`worldquiz.gym` names the environments to Gymnasium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names
from worldquiz.version import __version__

if TYPE_CHECKING:
    from worldquiz import gym as gym
    from worldquiz import mango as mango
    from worldquiz import t2q as t2q
    from worldquiz import tea as tea
    from worldquiz.errors import WorldquizError as WorldquizError
    from worldquiz.facts.row import AnswerStatus as AnswerStatus
    from worldquiz.facts.row import Row as Row
    from worldquiz.runs.benchmark import Benchmark as Benchmark
    from worldquiz.runs.benchmark import DataKind as DataKind
    from worldquiz.runs.benchmark import RunKind as RunKind
    from worldquiz.runs.executor import on as on
    from worldquiz.runs.run import Run as Run
    from worldquiz.runs.run import compare as compare
    from worldquiz.runs.run import load as load
    from worldquiz.runs.run import report as report
    from worldquiz.runs.shard import merge as merge

_HOMES = {
    "gym": "worldquiz.gym",
    "t2q": "worldquiz.t2q",
    "mango": "worldquiz.mango",
    "tea": "worldquiz.tea",
    "load": "worldquiz.runs.run:load",
    "compare": "worldquiz.runs.run:compare",
    "report": "worldquiz.runs.run:report",
    "on": "worldquiz.runs.executor:on",
    "merge": "worldquiz.runs.shard:merge",
    "Run": "worldquiz.runs.run:Run",
    "Row": "worldquiz.facts.row:Row",
    "AnswerStatus": "worldquiz.facts.row:AnswerStatus",
    "Benchmark": "worldquiz.runs.benchmark:Benchmark",
    "DataKind": "worldquiz.runs.benchmark:DataKind",
    "RunKind": "worldquiz.runs.benchmark:RunKind",
    "WorldquizError": "worldquiz.errors:WorldquizError",
}
"""Where each public name is: a module, or ``module:attribute``."""

__all__ = [
    "AnswerStatus",
    "Benchmark",
    "DataKind",
    "Row",
    "Run",
    "RunKind",
    "WorldquizError",
    "__version__",
    "compare",
    "gym",
    "load",
    "mango",
    "merge",
    "on",
    "report",
    "t2q",
    "tea",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES, "__version__")
