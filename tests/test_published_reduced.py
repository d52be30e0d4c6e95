"""Published answers again, by searches of a part of the model: all that the properties allow.

A property is refused only where it is not stutter-invariant: a formula that is refused has an X.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from data import FOLDER, needs_data, published_verdicts
from test_published import CHECKERS, artifact_rows, cases

from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.pipeline.check import check
from buchi.pipeline.options import CheckOptions, Reduce
from buchi.schemas.result import CheckResult

pytestmark = [needs_data, pytest.mark.slow]
MOST = dict.fromkeys(CHECKERS, 0) | dict.fromkeys(("tgba", "ltl3tela", "finless"), 2_000_000)


def reduced(model: Path, automaton: Path | None = None, checker: str = "auto") -> CheckResult | None:
    """Return the result; None where the property is not stutter-invariant."""
    try:
        result = check(model, automaton=automaton, options=CheckOptions(checker=checker, reduce=Reduce.ON))
    except InputError as error:
        if "not stutter-invariant" not in str(error):
            raise
        return None
    assert result.reduced
    return result


@pytest.mark.parametrize(("path", "holds"), cases(published_verdicts(0, 3_000_000)))
def test_answers_by_property_process(path: Path, holds: bool) -> None:
    result = reduced(path)
    assert result is None or result.verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)


@pytest.mark.parametrize("row", [*artifact_rows("holds", MOST), *artifact_rows("violated", MOST)])
def test_answers_of_the_artifact(row: dict[str, str]) -> None:
    folder = FOLDER / "sttt-beem" / row["model"]
    name = f"{row['model']}_{row['formula']}"
    automaton = folder / f"{name}_{row['automaton']}.hoa"
    result = reduced(folder / f"{row['model']}.dve", automaton, CHECKERS[row["automaton"]])
    if result is None:
        assert re.search(r"\bX\b", (folder / f"{name}.ltl").read_text(encoding="utf-8"))
    else:
        assert result.verdict.value == row["verdict"]
