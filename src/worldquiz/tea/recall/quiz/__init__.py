"""Questions about a flat that an agent has walked, and what its views have shown of it."""
