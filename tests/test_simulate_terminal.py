"""`buchi simulate` driven through a real pseudo-terminal, as a person would."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest
from runner import PETERSON, buchi

pexpect = pytest.importorskip("pexpect")

PROGRAM = str(Path(sys.executable).parent / "buchi")
_STYLES = re.compile(r"\x1b\[[0-9;]*m")
ALWAYS = 10**9


class Terminal:
    """A simulation in a terminal; what is shown is read without its colours."""

    def __init__(self, *arguments: object, columns: int = 90) -> None:
        environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        self.child = pexpect.spawn(
            PROGRAM,
            ["simulate", *map(str, arguments)],
            env={**environment, "TERM": "xterm-256color"},
            encoding="utf-8",
            timeout=60,
            dimensions=(40, columns),
        )
        self.first = self.shown()

    def shown(self) -> str:
        """Return what is shown up to the next prompt."""
        self.child.expect(r"(?:^|\n)> $")
        return _STYLES.sub("", self.child.before).replace("\r", "")

    def __call__(self, line: str) -> str:
        """Type a line, and return what it leads to."""
        self.child.sendline(line)
        return self.shown().partition("\n")[2]

    def ends(self) -> tuple[int, str]:
        """Return the exit code, and the last that is shown."""
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus, _STYLES.sub("", self.child.before).replace("\r", "")


@pytest.fixture
def terminal():
    opened = []

    def open_one(*arguments, columns=90):
        opened.append(Terminal(*arguments, columns=columns))
        return opened[-1]

    yield open_one
    for one in opened:
        one.child.close(force=True)


def test_choose_undo_and_replay(terminal):
    at = terminal(PETERSON)
    assert "1:  A: thinking -> hungry   line 19   A = hungry" in at.first
    assert at("2").splitlines()[0] == "  1  B: thinking -> hungry   line 30   B = hungry"
    assert at("2").splitlines()[0] == "  2  B: hungry -> polite   line 31   announced[1] = 1  B = polite"
    before = at("s")
    assert at("undo").startswith("  1  state (1 step can be done again)")
    assert at("u").startswith("  0  initial state (2 steps can be done again)")
    assert at("redo 2") == before
    taken = at("run").splitlines()
    assert [text.split()[0] for text in taken] == ["1", "2"]
    at.child.sendline("q")
    assert at.ends()[0] == 0


def test_the_states_of_a_trace(terminal, tmp_path):
    trace = tmp_path / "t.json"
    assert buchi("check", PETERSON, "--ltl", "G (A.hungry -> F A.critical)", "--trace", trace).code == 1
    at = terminal(PETERSON, "--trace", trace)
    assert "initial state (9 steps can be done again)" in at.first
    assert "B = critical" in at("jump 5")
    assert "A: hungry -> polite" in at("1")
    assert "B = critical" in at("jump 5"), "the trace is there still"
    assert "there is no state 10" in at("j 10")


def test_a_mistake_is_told_and_it_goes_on(terminal):
    at = terminal(PETERSON)
    assert at("7").startswith("error: there is no step 7 here")
    assert at("wacth A").startswith("error: there is no command wacth\ndid you mean watch")
    assert at("watch A.critica").startswith("error: proposition:1:1: the model has no A.critica")
    assert "A.critical = false" in at("watch A.critical")
    assert at("1").splitlines()[1] == "     A.critical = false"


def test_walks_stop_at_breakpoints(terminal):
    at = terminal(PETERSON, "--seed", 1)
    assert "break where A.critical holds" in at("b A.critical")
    assert "     A.critical holds" in at("w 1000")
    assert "A = critical" in at("s")


def test_ctrl_c_stops_a_walk_and_then_ends_it(terminal):
    at = terminal(PETERSON, "--seed", 1)
    at.child.sendline(f"w {ALWAYS}")
    at.child.expect(r"\d\r\n")
    time.sleep(0.5)  # a walk that has not begun stops, too
    at.child.sendintr()
    shown = at.shown()
    assert "interrupted" in shown
    assert "not shown" in shown or "  1 " in shown
    time.sleep(1.2)  # one that does not heed an interrupt is ended after 0.8 s
    assert "state" in at("s")
    at.child.sendintr()
    code, shown = at.ends()
    assert code == 3
    assert "Traceback" not in shown


def test_ctrl_d_ends_it(terminal):
    at = terminal(PETERSON)
    at("1")
    at.child.sendeof()
    assert at.ends() == (0, "\n")


@pytest.mark.parametrize("columns", [1, 12, 30])
def test_a_narrow_terminal(terminal, columns):
    at = terminal(PETERSON, columns=columns)
    assert "announced[0] = 0" in at.first
    shown = at("1")
    if columns == 30:
        assert max(map(len, at.first.splitlines())) <= columns
        assert shown.splitlines()[:2] == ["  1  A: thinking -> hungry", "       line 19  A = hungry"]
    at.child.sendline("q")
    assert at.ends()[0] == 0


def test_input_that_is_no_text(terminal):
    at = terminal(PETERSON)
    at.child.send(b"\xff\xfe1\n".decode("latin-1"))
    assert "error: there is no command" in at.shown()
    assert at("x" * 3000).startswith("error: there is no command")
