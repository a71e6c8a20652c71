"""Access to language models: client, prompts, replies and usage."""
