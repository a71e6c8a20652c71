"""Questions about an apartment that an agent has walked, and the evidence of its views."""
