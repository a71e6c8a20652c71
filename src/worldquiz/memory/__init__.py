"""Memories of agents, and answers from them."""
