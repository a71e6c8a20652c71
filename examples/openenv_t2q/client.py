"""The client: a connection is a session with a world of its own."""

from worldquiz.t2q.training.openenv import T2QClient

__all__ = ["T2QClient"]
