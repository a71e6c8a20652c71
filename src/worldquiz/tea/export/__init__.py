"""Tasks in scenes in the formats of other tools: Parquet, VLMEvalKit's TSV, Habitat's episodes."""
