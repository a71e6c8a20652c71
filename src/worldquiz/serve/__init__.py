"""The world as tools: whoever calls tools takes a benchmark, without a line of Python."""
