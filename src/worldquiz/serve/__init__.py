"""The world as tools: any agent that calls tools takes a benchmark, without a line of Python."""
