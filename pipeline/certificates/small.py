"""The small checker of certificates, in plain Python: made to be read, for products of some thousand states.

It executes the model by `models/evaluate.py` and shares no code with the engine. What it checks is the theorem of
docs/certificates.md: the set of rows contains the initial states and is closed under edges; no edge increases a
number; and within a number, no edge carries the mark that is given as the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import NamedTuple

from buchi.common.errors import InputError, ModelRuntimeError
from buchi.models.evaluate import Evaluator, State
from buchi.models.guarded import Meaning, StepTest
from buchi.models.stubborn import StubbornSets
from buchi.pipeline.certificates.container import Reader
from buchi.pipeline.certificates.hoa_table import Clause, Cube, Edge, Table
from buchi.pipeline.certificates.refusing import refusal, shown
from buchi.pipeline.certificates.stubborn import may_leave_out
from buchi.schemas.automaton import Letter

NO_EDGE = 255
"""The reason of a number within which there is no edge at all."""
STAYS = -1
"""In place of a command: none is enabled."""


class Fair(NamedTuple):
    """A fairness condition: its strength, the commands that it speaks of, and its first mark."""

    strong: bool
    commands: frozenset[int]
    mark: int

    def marks(self, enabled: frozenset[int], taken: int) -> int:
        """Return the marks of a step: weak "moved or disabled", strong "enabled" and "moved"."""
        moved, waits = taken in self.commands, bool(enabled & self.commands)
        if self.strong:
            return (waits << self.mark) | (moved << self.mark + 1)
        return (moved or not waits) << self.mark

    def clauses(self) -> tuple[Clause, ...]:
        """Return what a fair run satisfies: one of these."""
        if self.strong:
            return Clause(1 << self.mark, 0), Clause(0, 2 << self.mark)
        return (Clause(0, 1 << self.mark),)


class Subject(NamedTuple):
    """What a certificate is about, as it was read again from its texts."""

    evaluator: Evaluator
    meanings: Mapping[str, Meaning]
    table: Table
    fair: tuple[Fair, ...]
    stutter: bool
    sets: StubbornSets | None = None
    """Where commands may be left out."""

    def acceptance(self) -> list[Clause]:
        """Return what a fair run that is accepted satisfies: a clause of the automaton, and one of each condition."""
        joined = []
        for choice in product(self.table.clauses, *(one.clauses() for one in self.fair)):
            fin = inf = 0
            for clause in choice:
                fin, inf = fin | clause.fin, inf | clause.inf
            if not fin & inf:
                joined.append(Clause(fin, inf))
        return list(dict.fromkeys(joined))


class ProductEdge(NamedTuple):
    """An edge of the product: where it leads, its marks, the command of its step."""

    target: tuple[State, int]
    marks: int
    command: int


class Numbering(NamedTuple):
    """The numbers of the rows, over edges without Fin marks; for each number, a mark for each clause."""

    fin: int
    clauses: list[Clause]
    numbers: list[int]
    reasons: list[bytes]


def check(reader: Reader, subject: Subject, source: str, look: Callable[[], object] = int) -> int:
    """Check a certificate; return how many states it has. Raises InputError, which names the row.

    `look` is called for each row: it may raise where there is no more time.
    """
    return _Check(reader, subject, source).run(look)


class _Check:
    def __init__(self, reader: Reader, subject: Subject, source: str) -> None:
        self.head, self.reader, self.source = reader.head, reader, source
        self.subject, self.table, self.evaluator = subject, subject.table, subject.evaluator
        self.vector = self.evaluator.model.width
        self.rows: list[tuple[State, int]] = []
        acceptance = subject.acceptance()
        self.numberings = [
            Numbering(one.fin, [clause for clause in acceptance if clause.fin == one.fin], [], [])
            for one in self.head.numberings
        ]
        known = {one.fin for one in self.head.numberings}
        for clause in acceptance:
            if self.head.states and clause.fin not in known:
                raise self._refused(f"there is no numbering for a clause with the Fin marks {clause.fin:b}")
        self.nothing_is_accepted = not acceptance
        read = (subject.meanings[name] for name in self.table.propositions)
        about_steps = any(isinstance(meaning, StepTest) for meaning in read)
        self.letters_are_of_sources = self.table.letter is Letter.SOURCE and not about_steps
        self.left_out: dict[State, dict[int, InputError]] = {}
        self.outgoing: dict[int, list[Edge]] = {}
        for edge in self.table.edges:
            self.outgoing.setdefault(edge.source, []).append(edge)

    def run(self, look: Callable[[], object]) -> int:
        for piece in self.reader.pieces():
            look()
            if piece.is_states:
                self._read_states(piece.content, piece.number)
            else:
                self._read_reasons(self.numberings[piece.number], piece.content)
        self.number = {row: i for i, row in enumerate(self.rows)}
        if len(self.number) < len(self.rows):
            raise self._refused(
                "a state is there twice", next(i for i, r in enumerate(self.rows) if self.number[r] != i)
            )
        if self.nothing_is_accepted:
            return len(self.rows)
        for start in self._starts():
            if start not in self.number:
                raise self._refused(f"an initial state is missing: {shown(self.evaluator, *start)}")
        for row, state in enumerate(self.rows):
            look()
            self._check_row(row, state)
        for model_state, refusals in self.left_out.items():
            look()
            sets = self.subject.sets
            if sets is None or not may_leave_out(sets, self.evaluator, model_state, refusals.keys()):
                raise next(iter(refusals.values()))
        return len(self.rows)

    # What is read

    def _read_states(self, content: bytes, count: int) -> None:
        first, before, at = len(self.rows), bytearray(self.head.width), 0
        for row in range(first, first + count):
            place = 0
            while True:
                distance, at = self._varint(content, at, row)
                if distance == 0:
                    break
                place += distance
                if place > len(before) or at >= len(content):
                    raise self._refused("it is too long", row)
                before[place - 1] = content[at]
                at += 1
            state = int.from_bytes(before[self.vector :], "little")
            if state >= self.table.states:
                raise self._refused(f"the automaton has no state {state}", row)
            self.rows.append((self.evaluator.unpack(bytes(before[: self.vector])), state))
        for one, announced in zip(self.numberings, self.head.numberings, strict=True):
            number = 0
            for row in range(first, first + count):
                change, at = self._varint(content, at, row)
                number += change >> 1 ^ -(change & 1)
                if not 0 <= number < announced.numbers:
                    raise self._refused("its number is none of those announced", row)
                one.numbers.append(number)
        if at != len(content):
            raise self._refused("there is more than its rows", first)

    def _varint(self, content: bytes, at: int, row: int) -> tuple[int, int]:
        value = shift = 0
        while shift < 42 and at < len(content):
            value |= (content[at] & 127) << shift
            at += 1
            if content[at - 1] < 128:
                return value, at
            shift += 7
        raise self._refused("it ends too early, or a number is too large", row)

    def _read_reasons(self, one: Numbering, content: bytes) -> None:
        size = len(one.clauses)
        if not size or len(content) % size:
            raise self._refused("reasons that do not go with the clauses")
        for at in range(0, len(content), size):
            reason = content[at : at + size]
            for mark, clause in zip(reason, one.clauses, strict=True):
                if mark != NO_EDGE and not clause.inf >> mark & 1:
                    raise self._refused(
                        f"number {len(one.reasons)}: mark {mark} is none that the acceptance asks for"
                    )
            one.reasons.append(reason)

    # The product, by its definition

    def _letter(self, state: State, cubes: list[Cube]) -> int:
        """Return the propositions that are true in a state, of those that are read, but for those about steps."""
        letter = read = 0
        for cube in cubes:
            read |= cube.yes | cube.no
        for bit, name in enumerate(self.table.propositions):
            meaning = self.subject.meanings[name]
            if (
                read >> bit & 1
                and not isinstance(meaning, StepTest)
                and self.evaluator.evaluate(meaning, state)
            ):
                letter |= 1 << bit
        return letter

    def _letter_of_step(self, enabled: frozenset[int], taken: int) -> int:
        letter = 0
        for bit, name in enumerate(self.table.propositions):
            meaning = self.subject.meanings[name]
            if isinstance(meaning, StepTest) and meaning.holds(enabled, taken):
                letter |= 1 << bit
        return letter

    def _starts(self) -> Iterator[tuple[State, int]]:
        first = self.evaluator.initial()
        letter = self._letter(first, [cube for cube, _ in self.table.initial])
        return ((first, state) for cube, state in self.table.initial if cube.holds(letter))

    def _edges(self, state: State, automaton_state: int) -> Iterator[ProductEdge]:
        outgoing = self.outgoing.get(automaton_state, [])
        cubes = [edge.cube for edge in outgoing]
        here = self._letter(state, cubes)
        if self.letters_are_of_sources:
            outgoing = [edge for edge in outgoing if edge.cube.holds(here)]
        if not outgoing:  # whether the model could go on does not matter
            return
        steps = self.evaluator.successors(state)
        enabled = frozenset(command for command, _ in steps)
        if not steps and self.subject.stutter:
            steps = [(STAYS, state)]
        for taken, after in steps:
            letter = here if self.table.letter is Letter.SOURCE else self._letter(after, cubes)
            if self.table.letter is Letter.CHANGE:
                letter ^= here
            letter |= self._letter_of_step(enabled, taken)
            marks = sum(one.marks(enabled, taken) for one in self.subject.fair)
            for edge in outgoing:
                if edge.cube.holds(letter):
                    yield ProductEdge((after, edge.target), edge.marks | marks, taken)

    # The theorem

    def _check_row(self, row: int, state: tuple[State, int]) -> None:
        try:
            for edge in self._edges(*state):
                what = self._wrong(row, edge)
                if what is not None:
                    self._leave_out(edge.command, state[0], self._refused(what, row, edge))
        except ModelRuntimeError as error:
            raise self._refused(f"a step of the model fails in this state ({error.message})", row) from None

    def _wrong(self, row: int, edge: ProductEdge) -> str | None:
        target = self.number.get(edge.target)
        if target is None:
            return "a successor is missing"
        known = (one for one in self.numberings if one.clauses and not edge.marks & one.fin)
        return next(filter(None, (self._wrong_number(one, row, target, edge.marks) for one in known)), None)

    def _wrong_number(self, one: Numbering, row: int, target: int, marks: int) -> str | None:
        before, after = one.numbers[row], one.numbers[target]
        if after > before:
            return "an edge increases the number"
        if after < before:
            return None
        if before >= len(one.reasons):
            return "its number has no reason"
        for mark in one.reasons[before]:
            if mark == NO_EDGE:
                return "there is an edge within its number"
            if marks >> mark & 1:
                return "an edge within its number carries the mark"
        return None

    def _leave_out(self, command: int, state: State, refusal: InputError) -> None:
        """Note a command that must be left out of a state of the model, whatever the automaton is in."""
        if self.subject.sets is None or command == STAYS:
            raise refusal
        self.left_out.setdefault(state, {}).setdefault(command, refusal)

    # What is said

    def _refused(self, what: str, row: int | None = None, edge: ProductEdge | None = None) -> InputError:
        state = None if row is None or row >= len(self.rows) else self.rows[row]
        return refusal(self.source, what, self.evaluator, row, state, edge and edge.target)
