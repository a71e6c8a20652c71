"""MANGO's further tasks for models: minigames, and maps drawn step by step."""
