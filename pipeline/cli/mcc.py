"""What the Model Checking Contest wants to read: a line for each formula, or the sizes of a state space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from json import dumps
from typing import TYPE_CHECKING

from buchi.common.ends import Verdict
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import Line, line
from buchi.pipeline.explore import explored

if TYPE_CHECKING:
    from buchi.pipeline.ended import Ended
    from buchi.pipeline.mcc import Answered, Examination

_VALUES = {Verdict.HOLDS: "TRUE", Verdict.VIOLATED: "FALSE"}
_SIZES = {
    "STATES": "states",
    "TRANSITIONS": "transitions",
    "MAX_TOKEN_IN_PLACE": "tokens_in_place",
    "MAX_TOKEN_PER_MARKING": "tokens_in_marking",
}
_ALONE, _SIDE_BY_SIDE = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING", "TECHNIQUES EXPLICIT PARALLEL_PROCESSING"


def told(examination: Examination, jobs: int, *, as_json: bool) -> int:
    """Print the answers, each when it is known, or all as one JSON object; return the exit code."""
    answers = []
    for answer in examination.answers(jobs):
        answers.append(answer)
        if not as_json:
            output.print_lines([_formula(answer, _ALONE if jobs == 1 else _SIDE_BY_SIDE)])
    if as_json:
        output.print_json(dumps({"formulas": [asdict(answer) for answer in answers]}))
    known = all(answer.verdict is not Verdict.UNKNOWN for answer in answers)
    return output.HOLDS if known and len(answers) == len(examination.asked.questions) else output.UNKNOWN


def _formula(answer: Answered, techniques: str) -> Line:
    value = _VALUES.get(answer.verdict)
    return line(f"FORMULA {answer.id} {f'{value} {techniques}' if value else 'CANNOT_COMPUTE'}")


def state_space(ended: Ended, workers: int) -> Iterator[Line]:
    """Yield the lines of an exploration that measured tokens."""
    if ended.reason is not None:
        yield line("CANNOT_COMPUTE")
        return
    found = explored(ended)
    for name, key in _SIZES.items():
        yield line(f"STATE_SPACE {name} {found[key]} {_ALONE if workers == 1 else _SIDE_BY_SIDE}")
