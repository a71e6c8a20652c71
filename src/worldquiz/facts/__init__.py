"""The theory of facts: what is true, what was shown, what a question requires, what is known."""
