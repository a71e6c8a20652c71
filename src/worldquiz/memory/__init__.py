"""What an agent keeps of what it saw, and how it answers from it."""
