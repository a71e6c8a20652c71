"""Text worlds: drawn from knobs and a seed, compiled by TextWorld, played in a Z-machine."""
