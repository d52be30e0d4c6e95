"""Conversions between automaton kinds, one file each, and what they share with Spot."""
