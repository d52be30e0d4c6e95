from __future__ import annotations

import io
import struct
from array import array
from dataclasses import replace

import pytest
from rich.console import Console

from buchi.common.ends import Reason, Verdict
from buchi.pipeline.cli.render import render_check, render_explore
from buchi.pipeline.cli.trace_text import LONG, SHOWN_CHANGES, SHOWN_STEPS, Shown, render_counterexample
from buchi.pipeline.ended import Ended
from buchi.schemas.counters import Counters
from buchi.schemas.result import CheckResult, Counterexample, Violation
from buchi.schemas.steps import Layout, PackedSteps, Step
from buchi.schemas.told import Known, Notes


def printed(lines, *, terminal=False):
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=80, soft_wrap=True, highlight=False)
    for line in lines:
        console.print(line.styled())
    return file.getvalue()


def lasso(prefix, cycle):
    steps = [Step(command=f"P: go {i}", state={"x": str(i), "y": "0"}) for i in range(prefix + cycle)]
    return Counterexample(prefix=tuple(steps[:prefix]), cycle=tuple(steps[prefix:]))


def result(verdict, reason=None, counterexample=None, automaton=True):
    return CheckResult(
        verdict=verdict,
        kind="tgba",
        checker="ascc" if automaton else None,
        workers=1,
        automaton={"states": 2, "edges": 4, "sets": 1, "pairs": 1} if automaton else None,
        states=1234567,
        transitions=2345678,
        post_calls=1,
        max_depth=99,
        max_stack=9,
        components=0,
        passes=1,
        seconds=0.5,
        bytes=3 << 20,
        reason=reason,
        counterexample=counterexample,
    )


def test_a_lasso_shows_the_first_state_the_changes_and_where_the_cycle_begins():
    assert printed(render_counterexample(lasso(1, 2))) == (
        "counterexample: 1 step, then a cycle of 2 steps\n"
        "0  initial state\n"
        "     x = 0  y = 0\n"
        "1  P: go 0   x = 1\n"
        "   ── the cycle begins in state 1 ──\n"
        "2  P: go 1   x = 2\n"
        "3  P: go 2   x = 1\n"
        "   ── back in state 1 ──\n"
    )


def test_a_cycle_from_the_start():
    text = printed(render_counterexample(lasso(0, 1)))
    assert "     x = 0  y = 0\n   ── the cycle begins in state 0 ──\n1  P: go 0" in text


STUCK = Step(command=None, state={"x": "1", "y": "0"})


@pytest.mark.parametrize(("before", "cycle"), [(0, 1), (1, 1), (0, 3), (2, 2)])
def test_a_deadlock_is_no_step(before, cycle):
    """However long the automaton takes to accept what lasts for ever."""
    found = Counterexample(prefix=(*lasso(1, 1).prefix, *[STUCK] * before), cycle=[STUCK] * cycle)
    assert printed(render_counterexample(found)) == (
        "counterexample: 1 step, then a deadlock\n"
        "0  initial state\n"
        "     x = 0  y = 0\n"
        "1  P: go 0   x = 1\n"
        "   no command is enabled: the model stays in this state for ever\n"
    )


def test_a_deadlock_at_the_start():
    text = printed(render_counterexample(Counterexample(prefix=(), cycle=(STUCK,))))
    assert text.startswith("counterexample: 0 steps, then a deadlock\n")
    assert text.endswith(
        "     x = 1  y = 0\n   no command is enabled: the model stays in this state for ever\n"
    )


@pytest.mark.parametrize(
    ("trace", "hint"), [(None, "--trace FILE.html shows all steps"), ("t.json", "all steps are in t.json")]
)
def test_a_long_lasso_is_elided_in_the_middle(trace, hint):
    text = printed(render_counterexample(lasso(1000, 500), Shown(trace)))
    assert f"… {1000 - SHOWN_STEPS} steps not shown\n" in text
    assert f"… {500 - SHOWN_STEPS} steps not shown\n" in text
    assert text.splitlines()[-1].strip() == hint
    assert len(text.splitlines()) == 2 * SHOWN_STEPS + 8
    assert "1000  P: go 999 " in text


def noted(length, letters, *, lines=()):
    """Return a lasso with one step in its cycle, and the values of one proposition, `p`."""
    layout = Layout("<i", (("x", ()),))
    vectors = struct.pack(f"<{length}i", *range(length))
    known = Known(("P",), lines, "c", "sent")
    notes = Notes([known], [(7,), (1, 2)], array("i", [0, 1] * length), ("p",), array("B", letters))
    taken, names, cut = array("i", [0]) * length, ("P: go",), length - 1
    prefix = PackedSteps(layout, names, taken[:cut], vectors[: 4 * cut], notes.part(slice(cut)))
    cycle = PackedSteps(layout, names, taken[cut:], vectors[4 * cut :], notes.part(slice(cut, length)))
    return Counterexample(prefix=prefix, cycle=cycle)


def test_messages_lines_and_propositions_are_told():
    text = printed(render_counterexample(noted(3, [0, 1, 1], lines=(4,))))
    assert text == (
        "counterexample: 2 steps, then a cycle of 1 step\n"
        "0  initial state\n"
        "     x = 0\n"
        "     ⊨ !p\n"
        "1  P: go   line 4   c!7  x = 1  ⊨ p\n"
        "2  P: go   line 4   c!{1, 2}  x = 2\n"
        "   ── the cycle begins in state 2 ──\n"
        "3  P: go   line 4   c!7\n"
        "   ── back in state 2 ──\n"
    )


def test_what_changes_a_proposition_is_not_folded():
    letters = [0] * 1000
    letters[500:510] = [1] * 10
    text = printed(render_counterexample(noted(1000, letters)))
    assert " 500  P: go   c!{1, 2}  x = 500  ⊨ p\n" in text
    assert " 510  P: go   c!{1, 2}  x = 510  ⊨ !p\n" in text
    assert "… 469 steps not shown\n" in text
    assert "… 9 steps not shown\n" in text


def test_not_all_changes_are_shown():
    text = printed(render_counterexample(noted(1000, [0, 1] * 500)))
    assert len(text.splitlines()) < SHOWN_STEPS + SHOWN_CHANGES + 15


@pytest.mark.parametrize("width", [30, 40, 60, 90])
def test_no_line_is_wider_than_the_terminal(width):
    state = {f"variable{i}": "0" for i in range(20)}
    after = {f"variable{i}": "1" for i in range(20)}
    steps = (Step("P: somewhere -> elsewhere", state), Step("P: b -> a", after))
    found = Counterexample(prefix=(), cycle=steps)
    lines = [line.plain for line in render_counterexample(found, Shown(width=width))]
    assert all(len(line) <= width for line in lines[1:] if "──" not in line)
    assert sum(line.count("variable") for line in lines) == 60


@pytest.mark.parametrize(
    ("length", "checker", "hinted"),
    [(LONG + 1, "sd", True), (LONG, "sd", False), (LONG + 1, "shortest", False), (LONG + 1, None, False)],
)
def test_a_long_run_ends_with_a_hint(length, checker, hinted):
    text = printed(render_counterexample(lasso(length - 1, 1), Shown(checker=checker)))
    assert text.rstrip().endswith("--shortest looks for a shorter run") == hinted


def test_the_violating_state_is_marked():
    steps = lasso(2, 1).prefix
    found = Counterexample(prefix=steps, cycle=(), violation=Violation(propositions={"x == 0": False}))
    assert printed(render_counterexample(found)).endswith(
        "1  P: go 0   x = 1\n   ✗ the property is violated here: !(x == 0)\n"
    )
    assert "\x1b[1;31m1\x1b[0m" in printed(render_counterexample(found), terminal=True)


def test_a_lasso_that_just_fits_is_whole():
    assert "not shown" not in printed(render_counterexample(lasso(SHOWN_STEPS, SHOWN_STEPS)))


def test_many_variables_are_wrapped_between_variables():
    step = Step(command="P: a -> a", state={f"variable[{i}]": "12345" for i in range(20)})
    lines = printed(render_counterexample(Counterexample(prefix=(), cycle=(step,)))).splitlines()
    assert all(len(line) <= 100 for line in lines)
    assert sum(line.count(" = 12345") for line in lines) == 20


def test_names_that_look_like_markup_are_kept():
    step = Step(command="P: [red] -> [/red]", state={"a[0]": "[bold]"})
    text = printed(render_counterexample(Counterexample(prefix=(), cycle=(step,))))
    assert "a[0] = [bold]" in text
    assert "P: [red] -> [/red]" in text


def test_colours_only_in_a_terminal():
    assert "\x1b[" in printed(render_check(result(Verdict.HOLDS)), terminal=True)
    assert "\x1b[" not in printed(render_check(result(Verdict.HOLDS)))


def test_a_verdict_comes_first():
    assert printed(render_check(result(Verdict.HOLDS))) == (
        "holds\n"
        "1,234,567 states, 2,345,678 transitions, depth 99 (ascc on a tgba of 2 states)\n"
        "0.50 s, 2,469,134 states/s, 3.0 MiB\n"
    )
    text = printed(render_check(result(Verdict.VIOLATED, counterexample=lasso(1, 1))))
    assert text.startswith("violated\n")
    assert "counterexample: 1 step" in text


@pytest.mark.parametrize("reason", list(Reason))
def test_unknown_says_why(reason):
    assert printed(render_check(result(Verdict.UNKNOWN, reason))).startswith("unknown: the ")
    early = printed(render_check(result(Verdict.UNKNOWN, reason, automaton=False)))
    assert early.endswith("before there was an automaton to check\n")


@pytest.mark.parametrize(
    ("verdict", "reason", "found"),
    [
        (Verdict.HOLDS, None, lasso(0, 1)),
        (Verdict.VIOLATED, None, None),
        (Verdict.UNKNOWN, None, None),
        (Verdict.HOLDS, Reason.TIME, None),
    ],
)
def test_a_result_cannot_contradict_itself(verdict, reason, found):
    with pytest.raises(ValueError, match="belongs to the verdict"):
        result(verdict, reason, found)


def test_exploration():
    complete = Ended(None, None, Counters(states=10, transitions=20, bytes=100), deadlocks=1)
    assert printed(render_explore(complete)) == "10 states, 20 transitions, 1 deadlock\n< 0.1 ms, 100 B\n"
    single = Ended(None, None, Counters(states=1, transitions=1, seconds=0.0004, bytes=100))
    assert printed(render_explore(single)) == "1 state, 1 transition, 0 deadlocks\n0.4 ms, 100 B\n"
    partial = replace(complete, reason=Reason.MEMORY)
    assert printed(render_explore(partial)).startswith("incomplete: the memory limit was reached\n")
