"""Loads Spot before any test: its module warns when first imported, and crashes where a warning is an error."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import spot  # noqa: F401
