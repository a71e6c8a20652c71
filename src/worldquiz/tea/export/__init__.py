"""Tasks in scenes in the formats of other tools: Parquet and VLMEvalKit's TSV."""
