"""Reports of runs: tables for a terminal, and one self-contained page with drawings of worlds."""
