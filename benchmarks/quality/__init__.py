"""How good the embedded tools are on real media: measuring, references, contact sheets."""
