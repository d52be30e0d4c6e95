"""Runs the engine's tests against the build in PYTHONPATH instead of the editable install. Used by `make sanitize`."""

import sys

sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]

import pytest  # noqa: E402  (the finder has to go first)

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests/test_engine.py", "tests/test_backends.py"]))
