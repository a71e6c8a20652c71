"""TEA-Test on a folder of generated tasks: tasks to answer and to walk. `run` has them answered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from worldquiz.errors import KnobError
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.sample import TASKS, TRIPS, families, matched, sample
from worldquiz.tea.exam.show import choices, pictures, prompt
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.scoring.table import Scored
from worldquiz.tea.taskgraph import Instance
from worldquiz_scenes.view import Camera

KIND = "tea-run"


@dataclass(frozen=True, slots=True)
class ExamSettings:
    """Size and seed of a test. Equal values select the same tasks of a folder."""

    tasks: int = TASKS
    trips: int = TRIPS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.tasks < 0 or self.trips < 0 or not self.tasks + self.trips:
            raise KnobError(f"{self.tasks} tasks and {self.trips} walks: give numbers from 1")


@dataclass(frozen=True)
class Exam:
    """A test drawn from a folder of generated tasks."""

    data: Path
    asked: ExamSettings

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The scenes by name."""
        return {folder.path.name: folder for folder in folders(self.data)}

    @cached_property
    def every(self) -> tuple[Instance, ...]:
        """All tasks that there are."""
        return tuple(task for folder in self.folders.values() for task in folder.tasks)

    @cached_property
    def tasks(self) -> tuple[Instance, ...]:
        """The tasks that are answered."""
        return sample(self.every, self.asked.tasks, self.asked.seed)

    @cached_property
    def walks(self) -> tuple[Instance, ...]:
        """The tasks that are walked."""
        return walk.chosen(list(self.folders.values()), self.asked.trips, self.asked.seed)

    def camera(self, task: Instance) -> Camera:
        """Return the camera that took the picture of a task."""
        return self.folders[task.scene].view[task.view].camera

    def shown(self, task: Instance) -> tuple[str, list[bytes]]:
        """Return a task that is answered as it is shown: its words, and its pictures as PNG."""
        return prompt(task, self.camera(task)), pictures(self.folders[task.scene], task)

    def there(self) -> dict[str, dict[str, int]]:
        """Return how many tasks each type has, and how many of them have a match."""
        types = families(self.every)
        return {
            name: {"tasks": len(types[name]), "matched": sum(forms.values())}
            for name, forms in matched(self.every, self.asked.seed).items()
        }


def scored(task: Instance, reply: str) -> Scored:
    """Return the score of a reply to a task."""
    found = grade(task, reply, choices=choices(task))
    return Scored(task.id, task.type, task.scene, found.score, found.form)
