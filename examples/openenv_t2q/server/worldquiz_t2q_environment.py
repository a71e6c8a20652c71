"""The environment."""

from worldquiz.t2q.training.openenv import T2QEnvironment

__all__ = ["T2QEnvironment"]
