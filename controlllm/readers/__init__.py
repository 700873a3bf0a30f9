"""The trained readers of requests: `phrasings` of clauses and words, `wishes` of meanings."""
