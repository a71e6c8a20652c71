"""A quiz on an apartment that an agent has walked: text questions after the walk's pictures."""
