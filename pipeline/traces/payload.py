"""A run as the page of a trace reads it: names are written once, and a step has the places of what it changes."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from typing import Any

from buchi.pipeline.pages.texts import Texts
from buchi.schemas.story import Story
from buchi.schemas.told import Told


def payload(story: Story, source: tuple[str, str] | None = None) -> dict[str, Any]:
    """Return a run; `source` is the name of the model's file, and its text."""
    steps = _steps(story)
    commands, variables, propositions = Texts(), Texts(), Texts()
    variables.column(story.first)
    propositions.column(story.propositions)
    told = [_step(step, commands, variables, propositions) for step in steps]
    first, unknown = list(story.first.values()), len(propositions.all) - len(story.propositions)
    return {
        "commands": commands.all,
        "variables": variables.all,
        "first": first + ["?"] * (len(variables.all) - len(first)),
        "propositions": propositions.all,
        "holding": [*story.propositions.values(), *[None] * unknown],
        "processes": list(dict.fromkeys(chain.from_iterable(step.processes for step in steps))),
        "channels": list(dict.fromkeys(filter(None, map(_buffer, steps)))),
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


def _step(told: Told, commands: Texts, variables: Texts, propositions: Texts) -> dict[str, Any]:
    return {
        "command": commands(told.command or "no command is enabled"),
        "lines": told.lines,
        "processes": told.processes,
        "message": None if told.message is None else asdict(told.message),
        "changes": [(variables(name), value) for name, value in told.changes.items()],
        "holding": [(propositions(name), value) for name, value in told.propositions.items()],
        "automaton": told.automaton,
    }


def _buffer(told: Told) -> str | None:
    """Return the channel that a message goes into or comes out of, if it is not passed at once."""
    message = told.message
    return message.channel if message and None in (message.sender, message.receiver) else None
