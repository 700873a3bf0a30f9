"""Looking at pictures: what is in them, where, in which words, and answers about them."""
