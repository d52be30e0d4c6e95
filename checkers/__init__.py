"""Emptiness checks: one file for the declaration of each, beside its kernel."""
