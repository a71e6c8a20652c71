"""The life of a run: its folder, its journal, its work spread over processes."""
