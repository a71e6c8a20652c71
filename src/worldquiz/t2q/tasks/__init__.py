"""Tasks for a world: walkthroughs by planning, sets of tasks by covering."""
