"""Registration of MANGO as a `Benchmark`; the modules it names are imported only when needed."""

from __future__ import annotations

from worldquiz.plugins import Hook
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind

MAZES = DataKind(
    kind="mazes",
    noun="folder of mazes",
    open=Hook("worldquiz.mango.maze_set:MazeSet"),
    holds=Hook("worldquiz.mango.published:holds"),
    check=Hook("worldquiz.mango.published:check_folder"),
    tables=Hook("worldquiz.mango.cli:maze_tables"),
)
QUIZ = RunKind(
    kind="mango",
    noun="MANGO run",
    score=Hook("worldquiz.mango.maze_set:score_run"),
    grader=Hook("worldquiz.mango.maze_set:grader"),
    drawings=Hook("worldquiz.mango.drawing:drawings"),
    paper={
        "DF success": ("df.all.success.macro", "df.all.success.interval"),
        "RF success": ("rf.all.success.macro", "rf.all.success.interval"),
        "right triplets": ("triplets.accuracy.macro", "triplets.accuracy.interval"),
        "minigames w/o map": ("minigames.plain.share", "minigames.plain.interval"),
        "w/ map": ("minigames.map.share", "minigames.map.interval"),
    },
    about="DF, RF success: share of right destinations and of right routes, averaged over mazes.",
    bounds=Hook("worldquiz.mango.run:BASELINES").resolved,
    sheet=Hook("worldquiz.mango.human:MazesQuiz"),
)
BENCHMARK = Benchmark(
    name="mango",
    title="MANGO",
    world="maze",
    summary="MANGO: read a walkthrough, then find destinations and routes (arXiv 2403.19913).",
    data=(MAZES,),
    runs=(QUIZ,),
    commands=Hook("worldquiz.mango.cli:commands").resolved,
    demo=Hook("worldquiz.mango.cli:demo"),
)
