"""A person in the browser: answers the quiz of any run, and becomes a run like any other."""
