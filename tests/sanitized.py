"""Runs the engine's tests against the build in PYTHONPATH instead of the editable install. Used by `make sanitize`."""

import os
import sys
from pathlib import Path

# A compiler that is started has limits that the sanitizer does not keep.
os.environ.pop("LD_PRELOAD", None)
sys.meta_path = [finder for finder in sys.meta_path if "ScikitBuild" not in type(finder).__name__]

import pytest  # noqa: E402  (the finder has to go first)

from buchi import _engine  # noqa: E402

built = Path("build/sanitized").resolve()
assert built in Path(_engine.__file__).resolve().parents, f"not the sanitized engine: {_engine.__file__}"
certificates = ("certificates", "certificates_refused", "certificates_reduced")
tests = [f"tests/test_{name}.py" for name in ("engine", "backends", "kernels", *certificates)]
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:], *tests]))
