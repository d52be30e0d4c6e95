"""Certificates of what the published tables say: every row that holds is certified by the fast checker."""

from __future__ import annotations

from pathlib import Path

import pytest
from data import needs_data, published_verdicts
from test_published import CHECKERS, OVERFLOWS, artifact_rows, check_artifact

from buchi.common.ends import Verdict
from buchi.pipeline.check import check
from buchi.pipeline.options import CheckOptions

pytestmark = [needs_data, pytest.mark.slow]
MOST = 2_000_000


@pytest.mark.parametrize("row", artifact_rows("holds", dict.fromkeys(CHECKERS, MOST)))
def test_artifact_rows_are_certified(row: dict[str, str]) -> None:
    result = check_artifact(row, certified=True)
    assert result.verdict is Verdict.HOLDS
    assert result.certified is not None
    assert result.certified.trusted == ()


def answers() -> list[object]:
    return [
        pytest.param(path, id=path.stem)
        for path, holds in published_verdicts(0, 3_000_000)
        if holds and not path.stem.startswith(OVERFLOWS)
    ]


@pytest.mark.parametrize("path", answers())
def test_answers_are_certified(path: Path) -> None:
    result = check(path, options=CheckOptions(certified=True))
    assert result.certified is not None
    assert result.certified.trusted == ()
