"""Documents and tables: PDFs made and taken apart, tables reckoned with and drawn as charts."""
