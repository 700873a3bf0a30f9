"""What a person is told: results in words, their names, what they rest on, and refusals."""
