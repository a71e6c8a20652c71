"""Scenes: furnished apartments generated, settled by physics, drawn and walked on a CPU."""
