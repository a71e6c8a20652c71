"""The theory of facts: true facts, shown facts, requirements of questions, and knowledge."""
