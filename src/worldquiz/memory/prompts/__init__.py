"""Prompts of memories that call a model."""
