"""What replies to tasks in scenes are worth, and what walks to a goal are like."""
