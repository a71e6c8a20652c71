"""From facts to questions, and from replies to grades. Knows facts, never simulators."""
