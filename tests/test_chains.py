"""Chains of translators in one child: each stage within its own limits, and none takes the others with it."""

from __future__ import annotations

import os
import time
from contextlib import closing
from typing import Any, ClassVar

import pytest

from buchi.common.ends import Limits
from buchi.common.errors import InputError, InternalError, LimitReached
from buchi.pipeline.chains import Translations
from buchi.pipeline.isolation import descendants
from buchi.pipeline.routes import Chain, Link
from buchi.schemas.kinds import Kind
from buchi.translators.translator import Options


class _Stage:
    """Adds its name to a text, or does what its name says."""

    source: ClassVar[Kind] = Kind.LTL
    target: ClassVar[Kind] = Kind.LTL
    summary: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    options: ClassVar[type[Options]] = Options

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, value: Any, options: Any) -> Any:
        if self.name == "sleep":
            time.sleep(60)
        if self.name == "die":
            os._exit(3)
        if self.name == "fill":
            bytearray(1 << 34)
        if self.name == "refuse":
            raise InputError("not this one")
        return f"{value} {self.name}@{os.getpid()}"


def chain(*names: str) -> Chain:
    return tuple(Link(_Stages[name], Options()) for name in names)


_Stages = {name: _Stage(name) for name in ("a", "b", "c", "sleep", "die", "fill", "refuse")}


def children(text: str) -> set[str]:
    return {word.partition("@")[2] for word in text.split() if "@" in word}


def test_one_child_translates_all_stages_each_once() -> None:
    one, other = chain("a", "b"), chain("a", "c")
    with closing(Translations("x", Limits(), [one, other])) as made:
        texts = [made.of(one), made.of(other), made.of(one)]
    assert texts[0] == texts[2]
    assert len(children(" ".join(texts))) == 1
    assert str(os.getpid()) not in children(texts[0])
    assert descendants(os.getpid()) == []


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        ("sleep", LimitReached, "time"),
        ("fill", LimitReached, "memory"),
        ("die", InternalError, "crashed"),
        ("refuse", InputError, "not this one"),
    ],
)
def test_a_stage_that_fails_does_not_take_the_others_with_it(bad: str, error: type, message: str) -> None:
    before, broken, beyond, after = chain("a"), chain("a", bad), chain("a", bad, "b"), chain("a", "c")
    limits = Limits(seconds=1, bytes=1 << 30)
    with closing(Translations("x", limits, [before, broken, beyond, after])) as made:
        first = made.of(before)
        with pytest.raises(error, match=message):
            made.of(broken)
        if error is not InternalError:
            with pytest.raises(error, match=message):
                made.of(beyond)
        assert made.of(after).startswith(f"{first} c@")
    assert descendants(os.getpid()) == []


def test_the_time_of_a_stage_begins_when_it_is_asked_for() -> None:
    limits = Limits(seconds=0.5)
    with closing(Translations("x", limits, [chain("a"), chain("b")])) as made:
        made.of(chain("a"))
        time.sleep(1.5)
        assert made.of(chain("b")).startswith("x b@")
