"""Task2Quiz for verifiers, which finds a taskset by the name of a module on Python's path.

PYTHONPATH=examples/training vf-eval worldquiz-t2q -n 5 -m MODEL
"""

from worldquiz.t2q.training.verifiers import T2QTaskset

__all__ = ["T2QTaskset"]
