"""Worlds of Task2Quiz as an environment of OpenEnv, in its layout. All of it is in worldquiz."""

from worldquiz.t2q.training.openenv import T2QAction, T2QClient, T2QObservation

__all__ = ["T2QAction", "T2QClient", "T2QObservation"]
