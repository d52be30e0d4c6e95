"""A run as the page of a trace reads it: names are written once, and a step has the places of what it changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from buchi.pipeline.pages.texts import Texts
from buchi.schemas.story import Story
from buchi.schemas.told import Message, Told


def payload(story: Story, source: tuple[str, str] | None = None) -> dict[str, Any]:
    """Return a run; `source` is the name of the model's file, and its text."""
    steps = _steps(story)
    commands, variables, propositions = Texts(), Texts(), Texts()
    variables.column(story.first)
    propositions.column(story.propositions)
    told = [
        _step(step, message, commands, variables, propositions)
        for step, message in zip(steps, _passages(steps), strict=True)
    ]
    first, unknown = list(story.first.values()), len(propositions.all) - len(story.propositions)
    return {
        "commands": commands.all,
        "variables": variables.all,
        "first": first + ["?"] * (len(variables.all) - len(first)),
        "propositions": propositions.all,
        "holding": [*story.propositions.values(), *[None] * unknown],
        "processes": list(dict.fromkeys(chain.from_iterable(map(_processes, steps)))),
        "automaton": story.automaton,
        "edges": story.edges,
        "cycle": len(story.prefix) if story.cycle and story.deadlock is None else None,
        "ending": ending(story),
        "steps": told,
        "source": None
        if source is None
        else {"name": source[0], "lines": source[1].rstrip("\n").split("\n")},
    }


def ending(story: Story) -> dict[str, str]:
    """Return how a run ends, or that it does not: of which kind that is, in full, and in short."""
    if story.violation is not None:
        what = "property" if story.violation.assertion is None else "assertion"
        return {
            "kind": "violation",
            "text": f"state {len(story.prefix)}: {story.violation.words()}",
            "short": f"the {what} is violated here",
        }
    if story.deadlock is not None:
        text = "no command is enabled"
        return {"kind": "deadlock", "text": f"{text}: the model stays in this state for ever", "short": text}
    start = len(story.prefix)
    return {
        "kind": "cycle",
        "text": f"the cycle begins in state {start} and is repeated for ever",
        "short": "",
    }


def _steps(story: Story) -> tuple[Told, ...]:
    """Return the steps that are shown: that a deadlock lasts for ever is none."""
    return (story.prefix + story.cycle)[: story.deadlock]


def _step(
    told: Told, message: dict[str, Any] | None, commands: Texts, variables: Texts, propositions: Texts
) -> dict[str, Any]:
    return {
        "command": commands(told.command or "no command is enabled"),
        "lines": told.lines,
        "processes": told.processes,
        "message": message,
        "changes": [(variables(name), value) for name, value in told.changes.items()],
        "holding": [(propositions(name), value) for name, value in told.propositions.items()],
        "automaton": told.automaton,
    }


def _processes(told: Told) -> Iterator[str]:
    """Yield the processes that take part in a step; in a file of others a message may name further ones."""
    yield from told.processes
    if told.message is not None:
        yield from filter(None, (told.message.sender, told.message.receiver))


def _passages(steps: Sequence[Told]) -> list[dict[str, Any] | None]:
    """Return the message of each step, if it has one, with both who sends and who receives it, as far as that is known.

    What goes into a buffer comes out of it in the same order.
    """
    messages = [None if step.message is None else _message(step.message) for step in steps]
    waiting: dict[str, deque[dict[str, Any]]] = {}
    for message in filter(None, messages):
        queue = waiting.setdefault(message["channel"], deque())
        if message["way"] == "sent":
            queue.append(message)
        elif message["way"] == "received" and queue and queue[0]["values"] == message["values"]:
            sent = queue.popleft()
            sent["receiver"], message["sender"] = message["receiver"], sent["sender"]
    return messages


def _message(message: Message) -> dict[str, Any]:
    way = "received" if message.sender is None else "sent" if message.receiver is None else "passed"
    return {**asdict(message), "way": way}
