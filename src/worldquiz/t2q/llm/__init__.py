"""Language models on Task2Quiz, through inspect_ai: one sample is one world, played and quizzed."""
