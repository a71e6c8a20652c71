"""Export of a run's records to the formats of other tools."""
