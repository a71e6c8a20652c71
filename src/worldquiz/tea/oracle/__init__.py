"""An oracle for generated tasks: their answers once more, by rays and school geometry alone.

It reads `scene.json`, `views.jsonl` and `tasks.parquet` as they lie on disk and shares no code with
what generates tasks: neither the engine nor the renderer, the scene model, nor the kinds of task.
What the two must agree on is written down twice: the sizes of the agent's figure, and what counts
as clear and as hidden.
"""
