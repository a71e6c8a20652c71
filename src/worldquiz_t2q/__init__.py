"""Task2Quiz under a name by which verifiers finds it: ``vf-eval worldquiz-t2q``."""

from worldquiz.t2q.training.verifiers import T2QTaskset

__all__ = ["T2QTaskset"]
