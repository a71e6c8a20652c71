"""Tasks of a world: a planner finds walkthroughs, and a greedy cover chooses the tasks."""
