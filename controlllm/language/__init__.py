"""Language models: any OpenAI-compatible endpoint, and the prompts."""
