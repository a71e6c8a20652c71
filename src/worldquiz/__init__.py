"""worldquiz finds out what an agent knows about its world, as opposed to what it can do in it.

    import worldquiz as wq

    suite = wq.t2q.build("easy", worlds=3, seed=7, out="suite")
    run = suite.run(agent="explorer", answerer="worldgraph", out="runs/explorer")
    run.scores; run.frame(); run.report("report.html")

The three benchmarks are `worldquiz.t2q` (Task2Quiz), `worldquiz.mango` (MANGO) and `worldquiz.tea`
(TEA). `load` opens any folder that worldquiz wrote. Names outside `__all__` of this module or a
benchmark's module may change in any version. Importing worldquiz has no side effects and loads no
other library; `worldquiz.gym` registers the environments with Gymnasium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names
from worldquiz.version import __version__

if TYPE_CHECKING:
    from worldquiz import gym, mango, t2q, tea
    from worldquiz.errors import WorldquizError
    from worldquiz.facts.row import AnswerStatus, Row
    from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind
    from worldquiz.runs.ray_cluster import on
    from worldquiz.runs.run import Run, compare, load, report
    from worldquiz.runs.shard import merge

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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "": "gym mango t2q tea",
        "errors": "WorldquizError",
        "facts.row": "AnswerStatus Row",
        "runs.benchmark": "Benchmark DataKind RunKind",
        "runs.ray_cluster": "on",
        "runs.run": "Run compare load report",
        "runs.shard": "merge",
    },
    "__version__",
)
