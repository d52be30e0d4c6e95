"""What a run gives back: verdicts, counterexamples, counters; fields in the order of the JSON contract."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from pydantic import Field, model_validator
from typing_extensions import Self

from buchi.common.ends import Reason, Verdict
from buchi.common.frames import Record, Tabular
from buchi.common.words import counted, negated
from buchi.schemas.cautions import Caution
from buchi.schemas.certificate import Certified
from buchi.schemas.contest import Contest
from buchi.schemas.counted import Count, Counted, Seconds
from buchi.schemas.coverage import Coverage
from buchi.schemas.steps import PackedSteps, Step, Steps, Value, json_of, record_of
from buchi.schemas.told import Known, Told, stuck_from


def truth_of(verdict: Verdict, why: str) -> bool:
    """Return whether a property holds, for results that are used as conditions; `why` says why it is unknown."""
    if verdict is Verdict.UNKNOWN:
        raise TypeError(f"the verdict is unknown ({why}), which is neither true nor false: look at .verdict")
    return verdict is Verdict.HOLDS


class FailedAssertion(Value):
    """An assertion of the model that does not hold: where it belongs, what it says, and its line in the source."""

    name: str
    expression: str
    line: Count | None

    def words(self) -> str:
        """Return what fails, and where that is written."""
        where = self.name if self.line is None else f"{self.name}, line {self.line}"
        what = f"{self.expression} ({where})" if self.expression else where
        return f"the assertion {what} does not hold"


class Violation(Value):
    """What is wrong in the last state of a run that ends: the property is violated, or an assertion of the model is.

    `propositions` are those of the property, with their values in that state.
    """

    propositions: dict[str, bool] = Field(default_factory=dict)
    assertion: FailedAssertion | None = None

    def words(self) -> str:
        """Return what holds in the state and what does not."""
        if self.assertion is not None:
            return self.assertion.words()
        values = (name if value else negated(name) for name, value in self.propositions.items())
        return f"the property is violated here: {', '.join(values)}".removesuffix(": ")


class Counterexample(Tabular, Value):
    """A run of the model: `prefix` once, then `cycle` again and again; or it ends, with a `violation`.

    The command of each step leads to the state of the next one; that of the last back into the cycle. A run that ends
    has no cycle and, in its last state, no command: whatever follows, the property is violated.
    """

    prefix: Steps
    cycle: Steps
    violation: Violation | None = None

    @model_validator(mode="after")
    def _ends_or_never_ends(self) -> Self:
        if not self.prefix and not self.cycle:
            raise ValueError("a counterexample has a state")
        if bool(self.cycle) == (self.violation is not None):
            raise ValueError("a counterexample has a cycle, or a violation in its last state")
        return self

    @property
    def ends(self) -> bool:
        """Does the run end, in a state where something is violated?"""
        return self.violation is not None

    @property
    def length(self) -> int:
        """The number of steps of prefix and cycle together."""
        return len(self.prefix) + len(self.cycle) - self.ends

    @property
    def deadlock(self) -> int | None:
        """The number of the state in which no command is enabled, which the run never leaves; None if it goes on."""
        return stuck_from(self.prefix, self.cycle)

    def summary(self) -> str:
        """Return its size in words; that a deadlock lasts for ever is no step."""
        if self.violation is not None:
            what = "property" if self.violation.assertion is None else "assertion"
            return f"{counted(self.length, 'step')} to a state that violates the {what}"
        if self.deadlock is not None:
            return f"{counted(self.deadlock, 'step')}, then a deadlock"
        return f"{counted(len(self.prefix), 'step')}, then a cycle of {counted(len(self.cycle), 'step')}"

    def at(self, number: int) -> Step:
        """Return the step in the state with this number, in the prefix or in any round of a cycle."""
        start = len(self.prefix)
        return self.prefix[number] if number < start else self.cycle[(number - start) % len(self.cycle)]

    def told(self, number: int) -> Told:
        """Return what happens in the step that leaves the state with this number, as far as that is known."""
        before, after = self.at(number), self.at(number + 1)
        told = Told(before.command, after.changes(before))
        steps, index = self._noted(number)
        if steps is None or steps.notes is None:
            return told
        notes, command = steps.notes, steps.taken[index]
        old, new = self.holding(number), self.holding(number + 1)
        facts = notes.commands[command] if command >= 0 else Known()
        return replace(
            told,
            processes=facts.processes,
            lines=facts.lines,
            message=notes.message(index, command) if command >= 0 else None,
            propositions={name: value for name, value in new.items() if old.get(name) != value},
            automaton=self.automaton_at(number + 1),
        )

    def holding(self, number: int) -> dict[str, bool]:
        """Return the values of the propositions in the state with this number, as far as they are known."""
        steps, index = self._noted(number)
        return {} if steps is None or steps.notes is None else steps.notes.holding(index)

    def automaton_at(self, number: int) -> int | None:
        """Return the state in which the automaton was found to be there; None where that is not known."""
        steps, index = self._noted(number)
        states = steps.notes.automaton if steps is not None and steps.notes is not None else ()
        return states[index] if index < len(states) else None

    def _noted(self, number: int) -> tuple[PackedSteps | None, int]:
        """Return the packed steps that a state is in, and its place among them."""
        start = len(self.prefix)
        steps = self.prefix if number < start else self.cycle
        index = number if number < start else (number - start) % len(self.cycle)
        return (steps if isinstance(steps, PackedSteps) else None), index

    def json_chunks(self, between: str = "") -> Iterator[str]:
        """Yield what `model_dump_json` gives, piece by piece; `between` comes before each step."""
        yield f'{{"prefix":[{between}'
        yield from json_of(self.prefix, between)
        yield f'],"cycle":[{between}'
        yield from json_of(self.cycle, between)
        violation = "null" if self.violation is None else self.violation.model_dump_json()
        yield f'],"violation":{violation}}}'

    def records(self) -> list[Record]:
        """Return a row for each state: the command taken in it, whether it is in the cycle, and its values."""
        parts = ((self.prefix, False), (self.cycle, True))
        return [record_of(step, cycle=in_cycle) for steps, in_cycle in parts for step in steps]

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.counterexample_text(self)

    def _repr_html_(self) -> str:
        from buchi.common import notebook

        return notebook.counterexample_html(self)


class AutomatonSize(Value):
    """The size of the automaton that was checked. `pairs` are the clauses of its acceptance (1 for Büchi)."""

    states: Count
    edges: Count
    sets: Count
    pairs: Count


class ExploreResult(Value):
    """The size of a model's state space; a lower bound where `reason` says that the search did not finish.

    It ends, too, where an assertion of the model fails: the `counterexample` is a shortest way there.
    """

    states: Count
    transitions: Count
    deadlocks: Count
    seconds: Seconds
    bytes: Count
    reason: Reason | None = None
    coverage: Coverage | None = None
    reduced: bool = False
    """Were only the commands of stubborn sets taken? Then there may be more states, but no more deadlocks."""
    deadlock: dict[str, str] | None = None
    """A state without successors, if there are some."""
    counterexample: Counterexample | None = None

    def __bool__(self) -> bool:
        raise TypeError("an exploration has no truth value: look at .reason, .states or .deadlocks")

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.explore_text(self)

    def _repr_html_(self) -> str:
        from buchi.common import notebook

        return notebook.explore_html(self)


class Checked(Value):
    """How a verdict was reached."""

    verdict: Verdict
    kind: str
    checker: str | None
    workers: Annotated[int, Field(ge=1)]
    automaton: AutomatonSize | None


class CheckResult(Counted, Checked):
    """A verdict, how it was reached, and what that took.

    As a condition it is true where the property holds and false where it is violated; where that is unknown it
    raises TypeError, so that `assert check(…)` never passes or fails by accident.

    `automaton` and `checker` are None when a limit was reached before there was an automaton to check. `why`
    tells why this checker was chosen, where the user did not, `not_reduced` why all of the model was searched, where it
    was to be reduced; they are for people and no part of the JSON. `contest` tells
    of the searches in other processes that worked for the verdict, if any did. `coverage` is there where it was asked
    for. `reduced` says that only a part of the model was searched, by stubborn sets, which is enough for the property.
    `certified` tells who certified a `holds`, where that was asked for.
    """

    reduced: bool = False
    contest: Contest | None = None
    warnings: tuple[Caution, ...] = ()
    coverage: Coverage | None = None
    certified: Certified | None = None
    reason: Reason | None
    counterexample: Counterexample | None
    why: str | None = Field(default=None, exclude=True)
    not_reduced: str | None = Field(default=None, exclude=True)

    @model_validator(mode="after")
    def _says_what_it_must(self) -> Self:
        if (self.verdict is Verdict.VIOLATED) != (self.counterexample is not None):
            raise ValueError("a counterexample belongs to the verdict violated, and only to it")
        if (self.verdict is Verdict.UNKNOWN) != (self.reason is not None):
            raise ValueError("a reason belongs to the verdict unknown, and only to it")
        return self

    def __bool__(self) -> bool:
        return truth_of(self.verdict, self.reason.value if self.reason else "")

    def json_chunks(self) -> Iterator[str]:
        """Yield what `model_dump_json` gives, piece by piece: a counterexample may be long."""
        if self.counterexample is None:
            yield self.model_dump_json()
            return
        yield self.model_dump_json(exclude={"counterexample"}).removesuffix("}")
        yield ',"counterexample":'
        yield from self.counterexample.json_chunks()
        yield "}"

    def __str__(self) -> str:
        from buchi.common import plain

        return plain.check_text(self)

    def _repr_html_(self) -> str:
        from buchi.common import notebook

        return notebook.check_html(self)
