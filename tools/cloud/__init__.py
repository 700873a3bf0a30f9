"""Implementations that another program on the network carries out."""
