"""What client and server send each other."""

from worldquiz.t2q.training.openenv import T2QAction, T2QObservation, T2QState

__all__ = ["T2QAction", "T2QObservation", "T2QState"]
