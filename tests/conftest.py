"""Loads Spot before any test: its SWIG module warns when it is first imported, and crashes where that is an error."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import spot  # noqa: F401
