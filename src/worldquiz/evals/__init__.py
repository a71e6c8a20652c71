"""The benchmarks, each a contents page of its paper, and their runs on disk."""
