"""Agents and answerers. None sees a fact, except for privileged references."""
