"""The roles of agents without a language model: search over the tools from the present state, and
rules on types, codes and what observations say."""
