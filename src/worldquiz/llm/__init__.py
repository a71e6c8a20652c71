"""Reaching a language model: client, prompts, replies, usage and price."""
