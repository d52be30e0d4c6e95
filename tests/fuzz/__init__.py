"""Fuzzing: readers get texts that nobody would write, and answer with a result or one of the errors that are told."""
