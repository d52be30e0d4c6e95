"""Experiments: a file says what to run; the runs are planned, executed in processes of their own, and stored."""
