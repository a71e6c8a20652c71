"""Having a model answer, and the folder of a run."""
