"""The page of a trace in a real browser: stepped through by keyboard, and opened with 5 000 steps."""

from __future__ import annotations

from pathlib import Path

import browser as browsers
import pytest
from report_records import EVIL
from runner import PETERSON

import buchi as api
from buchi.pipeline.traces.page import page
from buchi.schemas.result import Counterexample
from buchi.schemas.story import Story
from buchi.schemas.told import Message, Told

pytestmark = [
    pytest.mark.skipif(browsers.PROGRAM is None, reason="there is no Chromium"),
    pytest.mark.xdist_group("browser"),
]

UNFAIR = "G (A.hungry -> F A.critical)"
OPENS_WITHIN = 2000
"""Milliseconds, of the quickest of several tries: what other processes take is not the page's."""
TRIES = 5


@pytest.fixture(scope="module")
def found() -> Counterexample:
    result = api.check(PETERSON, UNFAIR)
    assert result.counterexample is not None
    return result.counterexample


@pytest.fixture(scope="module")
def file(found, tmp_path_factory):
    path = tmp_path_factory.mktemp("trace") / "trace.html"
    source = ("peterson.dve", Path(PETERSON).read_text())
    path.write_text(page(Story.of(found), "peterson", UNFAIR, source), encoding="utf-8")
    return path


@pytest.fixture
def opened(chromium, file):
    with browsers.opened(chromium, file) as page:
        yield page


def state(chromium) -> int:
    return int(chromium.run("document.querySelector('.step.current').dataset.state"))


def values(chromium) -> dict[str, str]:
    """Return what the table of variables shows; of one that has changed, what it is now."""
    rows = chromium.run(
        "[...document.querySelectorAll('.values tr')].map(tr => [tr.firstChild.textContent,"
        " (tr.querySelector('b') ?? tr.lastChild).textContent])"
    )
    return dict(rows)


def propositions(chromium) -> dict[str, bool]:
    marks = chromium.run(
        "[...document.querySelectorAll('.propositions li')].map(li => [li.lastChild.textContent, li.title])"
    )
    return {name: title == "true" for name, title in marks}


def marked_lines(chromium, kind="now") -> list[int]:
    numbers = f"[...document.querySelectorAll('.line.{kind} .line-number')].map(n => n.textContent)"
    return [int(number) for number in chromium.run(numbers)]


def test_the_arrows_go_through_the_run(opened, found):
    for number in range(found.length + 1):
        assert state(opened) == number
        assert values(opened) == found.at(number).state
        assert propositions(opened) == found.holding(number)
        told = found.told(number - 1) if number else None
        assert marked_lines(opened) == (list(told.lines) if told else [])
        changed = opened.run("[...document.querySelectorAll('.values .changed th')].map(n => n.textContent)")
        assert changed == (list(told.changes) if told else [])
        assert f"in state {found.automaton_at(number)}" in opened.run(
            "document.querySelector('.automaton p').textContent"
        )
        opened.press("ArrowRight")
    assert state(opened) == len(found.prefix) + 1, "a cycle goes on"
    opened.press("ArrowLeft")
    assert state(opened) == len(found.prefix)


@pytest.mark.parametrize(
    ("keys", "goal"),
    [
        (["End"], 9),
        (["End", "Home"], 0),
        (["c"], 4),
        (["n"], 1),
        (["n", "n"], 1),
        (["PageDown"], 9),
        (["End", "ArrowUp", "ArrowUp"], 7),
        (["ArrowDown"], 1),
    ],
)
def test_keys(opened, keys, goal):
    for key in keys:
        opened.press(key)
    assert state(opened) == goal
    assert f"state {goal} of 9" in opened.run("document.querySelector('.position').textContent")


def test_the_cycle_is_marked(opened, found):
    start = len(found.prefix)
    inside = opened.run("[...document.querySelectorAll('.step.in-cycle')].map(s => Number(s.dataset.state))")
    assert inside == list(range(start, found.length + 1))
    text = opened.run("document.querySelector('.steps-body').textContent")
    assert "the cycle begins" in text
    assert f"back in state {start}" in text


def test_a_click_and_the_slider_choose_a_state(opened):
    opened.run("document.querySelector('[data-state=\"3\"]').click()")
    assert state(opened) == 3
    opened.run("document.querySelector('[type=range]').value = 7")
    opened.run("document.querySelector('[type=range]').dispatchEvent(new Event('input'))")
    assert state(opened) == 7


def test_the_edge_that_is_taken_is_marked(opened, found):
    opened.run("document.querySelector('[data-state=\"3\"]').click()")
    taken = opened.run("[...document.querySelectorAll('.automaton .taken')].map(n => n.textContent)")
    assert taken == [f"A.hungry & !A.critical → {found.automaton_at(4)}"]


def test_it_is_one_file(opened, file):
    assert set(opened.requests) == {file.resolve().as_uri()}


def test_narrow_and_dark(opened):
    light = opened.run("getComputedStyle(document.body).backgroundColor")
    opened.scheme("dark")
    opened.resize(400, 800)
    dark = opened.run("getComputedStyle(document.body).backgroundColor")
    wide = opened.run("document.documentElement.scrollWidth")
    opened.resize(1280, 900)
    opened.scheme("light")
    assert dark != light
    assert wide <= 400


def long_story(steps: int) -> Story:
    """Return a run in which two processes pass numbers through a buffer."""
    told = []
    for number in range(steps):
        sender = number % 2 == 0
        message = Message("c", "P" if sender else None, None if sender else "Q", (number // 2,))
        changes = {f"x[{number % 50}]": str(number), "P" if sender else "Q": f"l{number % 7}"}
        holds = {"p": number % 100 < 50} if number % 50 == 0 else {}
        told.append(Told(f"step {number % 9}", changes, ("P" if sender else "Q",), (1,), message, holds, 0))
    first = {**{f"x[{i}]": "0" for i in range(50)}, "P": "l0", "Q": "l0"}
    return Story(
        first=first, prefix=tuple(told[:-10]), cycle=tuple(told[-10:]), propositions={"p": False}, automaton=0
    )


def test_five_thousand_steps_open_in_time(chromium, tmp_path):
    path = tmp_path / "long.html"
    path.write_text(page(long_story(5000), "long", "G p", ("m.dve", "process P {}\n")), encoding="utf-8")
    loads = []
    for _ in range(TRIES):
        chromium.open(path)
        loads.append(chromium.wait_for("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        if loads[-1] < OPENS_WITHIN:
            break
    assert min(loads) < OPENS_WITHIN
    assert chromium.run("document.querySelectorAll('.step').length") < 100
    chromium.press("End")
    assert state(chromium) == 5000
    assert "c?2499" in chromium.run("document.querySelector('.step.current svg').textContent")
    assert values(chromium)["x[49]"] == "4999"
    chromium.press("ArrowLeft")
    assert state(chromium) == 4999
    assert chromium.problems == []


def test_hostile_names_are_shown_as_text(chromium, tmp_path):
    step = Told(EVIL, {EVIL: EVIL}, (EVIL,), (1,), Message(EVIL, EVIL, None, (1,)), {EVIL: True}, 0)
    story = Story(
        first={EVIL: "0", "__proto__": "1"},
        prefix=(step,),
        cycle=(
            Told("b", {"__proto__": "2"}, ("constructor",), (-3, 0, 10**9), Message("c", None, "nobody")),
        ),
        propositions={EVIL: False},
        automaton=0,
        edges=((0, EVIL, EVIL, 0),),
    )
    path = tmp_path / "evil.html"
    path.write_text(page(story, EVIL, EVIL, (EVIL, EVIL)), encoding="utf-8")
    chromium.problems.clear()
    chromium.open(path)
    chromium.press("ArrowRight")
    assert values(chromium) == {EVIL: EVIL, "__proto__": "1"}
    assert chromium.run("document.querySelector('.step.current .command').textContent") == EVIL
    chromium.press("ArrowRight")
    assert values(chromium) == {EVIL: EVIL, "__proto__": "2"}
    assert chromium.run("document.querySelectorAll('img').length") == 0
    assert chromium.problems == []
