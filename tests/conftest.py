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


@pytest.fixture(autouse=True, scope="session")
def _every_holds_is_certified():
    """Whatever a test is about; forks do as this process does, new interpreters do not."""
    from unittest import mock

    from certificates import with_a_certificate

    from buchi.pipeline import answer

    with mock.patch.object(answer, "_evidence", with_a_certificate(answer._evidence)):
        yield


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


@pytest.fixture(scope="module")
def chromium():
    """A real browser."""
    import tempfile
    from pathlib import Path

    import browser as browsers

    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        browsers.browser(Path(profile)) as made,
    ):
        made.resize(1280, 900)
        made.scheme("light")
        yield made


PLUGIN = """
import os, signal, sys, time
from buchi.checkers.declaration import Accepts


class Evil:
    name = "evil"
    summary = "does what no plugin should"
    paper = ""
    accepts = Accepts()

    def find(self, product, acceptance):
        {action}
"""


@pytest.fixture
def plugin(tmp_path):
    """Install a checker that does something bad; returns the environment in which it is there."""

    def install(action: str) -> dict[str, str]:
        (tmp_path / "evil.py").write_text(PLUGIN.format(action=action))
        info = tmp_path / "evil-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[buchi.checkers]\nevil = evil:Evil\n")
        return {"PYTHONPATH": str(tmp_path)}

    return install
