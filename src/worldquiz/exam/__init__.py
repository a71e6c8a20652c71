"""Framework for a benchmark that consists of questions and a function that grades replies."""
