"""The way to the network for what is not trusted: addresses are judged at every connection."""
