"""Loads Spot before any test: its module warns when first imported, and crashes where a warning is an error."""

from __future__ import annotations

import signal
import warnings

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import spot  # noqa: F401

# Started in the background of a shell, a process ignores interrupts, and so do its children: tests send them.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _nothing_is_left_running():
    yield
    from runner import end_all

    end_all()


@pytest.fixture
def counter(tmp_path):
    """A model whose search takes seconds."""
    from runner import COUNTER

    path = tmp_path / "counter.dve"
    path.write_text(COUNTER)
    return path
