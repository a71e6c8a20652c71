"""The same games as TextWorld compiles them, in a Z-machine: the proof, and files for others."""
