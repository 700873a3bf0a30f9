"""Sound edited, mixed, drawn and told apart."""
