"""The compiled engine: executes models, builds products, runs emptiness checks. It knows no Python package."""

from collections.abc import Callable, Sequence
from enum import Enum

_ValueTest = tuple[int, int, int]
_Label = Sequence[tuple[int, int]]

class ModelError(Exception):
    """A step of a model failed. args: (kind, part, index, state).

    kind: "division by zero", "index out of bounds", "overflow" or "assertion"; part: "command", "shared",
    "assertion" or "proposition", and index which of them; state: the packed state vector.
    """

class Model:
    """A model that can be executed, by the interpreter or by compiled code."""

    @staticmethod
    def interpreted(
        initial: bytes,
        code: Sequence[int],
        tables: Sequence[int],
        shared: Sequence[int],
        assertions: Sequence[tuple[Sequence[_ValueTest], int]],
        commands: Sequence[tuple[Sequence[_ValueTest], Sequence[_ValueTest], int, int, bool]],
    ) -> Model:
        """Tests are (type, offset, value); every other number is where a program starts in `code`, or -1.

        A command is its tests, those of variables that need at least a value, its guard, its assignments, and
        whether these begin with the values before all of them.
        """
    @staticmethod
    def compiled(initial: bytes, path: str, commands: int) -> Model: ...
    @property
    def width(self) -> int: ...
    @property
    def initial(self) -> bytes: ...
    def reduced(
        self,
        conjuncts: Sequence[Sequence[int]],
        tables: Sequence[int],
        tests: Sequence[Sequence[int]],
        enablers: Sequence[Sequence[int]],
        conflicts: Sequence[Sequence[int]],
        leaving: Sequence[tuple[int, int, int, int]],
        leavers: Sequence[Sequence[int]],
        visible: Sequence[int] = (),
        breaking: Sequence[int] = (),
    ) -> Model:
        """Return a model that gives of each state the successors by a stubborn set of commands.

        Where some commands are visible, and every cycle has one of them or of the breaking ones, it has the same runs
        but for how often a state is repeated.
        """
    def successors(self, state: bytes) -> list[tuple[int, bytes]]:
        """Return the successors of a state, each with the number of the command that leads there."""

class Automaton:
    """An automaton as a decision diagram per state over the propositions, which are programs over the model's state.

    letter: 0 source, 1 destination, 2 change. Labels are lists of (true, false) masks; edges are (source, label, marks,
    destination).
    """

    def __init__(
        self,
        letter: int,
        tables: Sequence[int],
        propositions: Sequence[Sequence[int]],
        states: int,
        initial: Sequence[tuple[_Label, int]],
        edges: Sequence[tuple[int, _Label, int, int]],
        steps: Sequence[tuple[int, bool, bool, Sequence[bool]]] = (),
    ) -> None:
        """`steps` are propositions about steps: number, of the command taken or of those enabled, negated, commands."""

class Product:
    """Model × automaton, with the table of the states met so far."""

    def __init__(
        self,
        model: Model,
        automaton: Automaton,
        stutter_deadlocks: bool,
        seed: int | None = None,
        step_marks: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """`step_marks` are for each command the marks of steps where it is taken, where enabled, where disabled."""
    def initial(self) -> list[tuple[int, int]]:
        """Return the initial (state, marks)."""
    def post(self, state: int) -> list[tuple[int, int]]:
        """Return the successors of a state with the marks of the edges."""
    def commands(self, state: int) -> list[int]:
        """Return for each successor that `post` gives the command of the model, -1 where none is enabled."""
    def model_state(self, state: int) -> bytes: ...
    def automaton_state(self, state: int) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def bytes(self) -> int: ...

class Control:
    """The limits of a search, its stop flag and its progress. Safe to use from another thread. Limits: 0 is none."""

    def __init__(self, seconds: float = 0.0, states: int = 0, bytes: int = 0) -> None: ...
    def stop(self) -> None: ...
    def ask_at(self, states: int, is_to_end: Callable[[], bool]) -> None:
        """Let a search ask, from its own thread, once it has met so many states, whether it is to end."""
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def bytes(self) -> int: ...

class Counters:
    states: int
    transitions: int
    post_calls: int
    reduced_posts: int
    left_out: int
    max_depth: int
    max_stack: int
    """Most roots (c99) or states of open components (gv, ascc, tarjan) that were stacked beside the path."""
    passes: int
    deadlocks: int
    bytes: int
    seconds: float

class End(Enum):
    """How a search ended: there is no accepting run, there is one, or the user or a limit ended it."""

    DONE = 0
    FOUND = 1
    INTERRUPTED = 2
    TIME = 3
    STATES = 4
    MEMORY = 5

class Outcome:
    """What came of a search. A run beside the end by a limit is one for which a shorter one was looked for."""

    end: End
    accepting: bool
    """Is the end FOUND?"""
    counters: Counters
    prefix: list[int]
    cycle: list[int]
    largest: list[int]
    """The largest values of what an exploration measured, in any state that it expanded, and that of their sum."""
    seen: list[list[int]]
    levels: list[int]
    """Of an exploration by one worker: how many states are met within 0, 1, … steps."""
    """Where variables were watched: 1 for each command that occurred; then for each variable, for each value."""
    path: list[bytes]
    """The states of the model to what was searched for without a product; of an exploration one deadlock, if any."""

def find_failed_assertion(model: Model, control: Control) -> Outcome:
    """Search a model for a state in which an assertion fails; `path` is a shortest way to it."""

def explore(
    model: Model,
    control: Control,
    workers: int = 1,
    measured: Sequence[Sequence[int]] = (),
    tables: Sequence[int] = (),
    watched: Sequence[tuple[int, int, int]] | None = None,
) -> Outcome:
    """Visit every state. `watched` are variables as (type, offset, number of values); all other values are the last."""

def kernels() -> list[str]: ...
def check(
    kernel: str,
    product: Product,
    clauses: Sequence[tuple[int, int]],
    control: Control,
    workers: int = 1,
    pairs_together: bool = False,
    further: Sequence[Sequence[tuple[int, int]]] = (),
    numbered: bool = False,
) -> Outcome:
    """Run an emptiness check without holding the GIL. `clauses` are the (fin, inf) masks of the acceptance.

    A run must satisfy one clause of each of `further`, too, which not every kernel takes. With `pairs_together`,
    workers that search one clause after the other begin with different ones. With `numbered`, a kernel that tells
    components apart numbers them; `numbers` does nothing else.
    """

class CertificateRows:
    """The states of a product whose components are numbered, piece by piece (docs/certificates.md)."""

    def __init__(self, product: Product) -> None: ...
    @property
    def numberings(self) -> list[tuple[int, int]]:
        """The Fin marks of each numbering, and how many numbers it has."""
    def next(self) -> tuple[int, bytes]:
        """Return how many states the next piece has, and the piece; at the end none."""
    def reasons(self, numbering: int, begin: int, wanted: Sequence[int]) -> bytes:
        """Return for the next numbers, and for each set of marks, one that the number does not have, or 255."""

class Problem:
    """What is wrong with a certificate: in which row, with an edge to which other one, by which numbering."""

    what: str
    row: int | None
    other: bytes
    numbering: int

class CertifiedProduct:
    """The product that a certificate is about."""

    def set_propositions(
        self,
        tables: Sequence[int],
        programs: Sequence[Sequence[int]],
        steps: Sequence[tuple[int, bool, bool, Sequence[bool]]],
    ) -> None:
        """Expressions in postfix form, empty for a proposition about steps: number, of the one taken, negated."""
    def set_automaton(
        self,
        states: int,
        initial: Sequence[tuple[int, int, int]],
        edges: Sequence[tuple[int, int, int, int, int]],
    ) -> None:
        """Initial are (true, false, state), edges (source, true, false, marks, target)."""
    def set_fairness(self, conditions: Sequence[tuple[bool, int, Sequence[bool]]]) -> None:
        """Conditions are (strong, first mark, commands)."""

class Certifier:
    """Checks a certificate, and shares nothing with a search but the model that it is given."""

    def __init__(self, model: Model, rows: int, automaton_bytes: int, letter: int, stutter: bool) -> None: ...
    @property
    def product(self) -> CertifiedProduct: ...
    def set_stubborn(
        self,
        tests: Sequence[Sequence[int]],
        conflicts: Sequence[Sequence[int]],
        conjuncts: Sequence[tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[Sequence[int]]]],
        visible: Sequence[int],
        careful: Sequence[int],
    ) -> None:
        """From here on commands may be left out. Conjuncts are (program, enablers, program of a variable, leavers)."""
    def add_numbering(self, fin: int, clauses: Sequence[int], numbers: int, rows: int) -> None: ...
    def read(self, piece: bytes, count: int) -> None: ...
    def read_reasons(self, numbering: int, piece: bytes) -> None: ...
    def check_start(self) -> Problem | None: ...
    def check(self, begin: int, end: int) -> Problem | None:
        """Check the edges of some rows; several threads may do so."""
    def row(self, number: int) -> bytes: ...
    @property
    def count(self) -> int: ...
