"""Texts: written, rewritten, summarised, sorted, translated, asked about."""
