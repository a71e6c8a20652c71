"""The recall quiz: text questions about an apartment, after pictures of a walk through it."""
