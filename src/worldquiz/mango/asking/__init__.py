"""Questions about mazes: their choice, prompts, and the part of a walkthrough that is read."""
