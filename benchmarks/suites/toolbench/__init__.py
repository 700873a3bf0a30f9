"""ToolBench's answer files: read as they were published, judged as ToolEval does."""
