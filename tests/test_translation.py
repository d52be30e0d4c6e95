"""A translation that blows up, crashes or is interrupted ends cleanly."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from buchi.common.errors import InputError, InternalError, LimitReached
from buchi.pipeline.translation import Limits, translate
from buchi.translators.ltl import parse_ltl
from buchi.translators.ltl_tgba import LtlToTgba
from buchi.translators.slba_ta import SlbaToTa
from buchi.translators.tlba_slba import TlbaToSlba

BLOW_UP = parse_ltl("&".join(f"(GFa{i} | FGb{i})" for i in range(12)))
SOON = Limits(seconds=10)


def failing(action):
    class Failing(LtlToTgba):
        def run(self, value, options):
            action()
            return super().run(value, options)

    return Failing()


def test_the_child_returns_the_same():
    formula = parse_ltl("G(a -> Fb)")
    assert translate(LtlToTgba(), formula, limits=SOON) == translate(LtlToTgba(), formula)


def test_time():
    start = time.monotonic()
    with pytest.raises(LimitReached, match="translation: time"):
        translate(LtlToTgba(), BLOW_UP, limits=Limits(seconds=0.3))
    assert time.monotonic() - start < 5


def test_memory():
    grab = failing(lambda: bytearray(2_000_000_000))
    with pytest.raises(LimitReached, match="translation: memory"):
        translate(grab, BLOW_UP, limits=Limits(seconds=10, bytes=100_000_000))


@pytest.mark.parametrize(
    ("number", "error"), [(signal.SIGSEGV, InternalError), (signal.SIGKILL, LimitReached)]
)
def test_a_crash(number, error):
    def crash():
        faulthandler.disable()  # pytest's would fill the screen
        os.kill(os.getpid(), number)

    with pytest.raises(error, match="translation"):
        translate(failing(crash), BLOW_UP, limits=SOON)


def test_an_unexpected_exception_is_a_bug():
    with pytest.raises(InternalError, match="ltl-tgba: ZeroDivisionError"):
        translate(failing(lambda: 1 / 0), BLOW_UP, limits=SOON)


def test_the_user_s_mistake_stays_one():
    from languages import run

    from buchi.translators.ltl_tlba import LtlToTlba

    slba = run(TlbaToSlba, run(LtlToTlba, parse_ltl("X a")))
    with pytest.raises(InputError, match="not stutter-invariant") as caught:
        translate(SlbaToTa(), slba, limits=SOON)
    assert caught.value.suggestion


def test_an_interrupt():
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        translate(LtlToTgba(), BLOW_UP, limits=Limits(seconds=30))
    assert time.monotonic() - start < 5


def test_programs_that_the_child_started_end_with_it(tmp_path):
    from buchi.translators.external import ExternalCommand, ExternalTranslator

    note = tmp_path / "pid"
    command = f"sh -c 'echo $$ > {note}; sleep 60; :' %f"
    tool = ExternalTranslator("slow", ExternalCommand(command=command, seconds=60))
    with pytest.raises(LimitReached):
        translate(tool, parse_ltl("F a"), limits=Limits(seconds=0.5))
    time.sleep(0.1)
    state = Path(f"/proc/{note.read_text().strip()}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"
