"""Looks over HOA text before Spot sees it: strict, in linear time, and nothing in the text is run or built.

Spot crashes, hangs or takes any memory on some texts: state numbers of 2^31, `t | Fin(!0)`, aliases before the
propositions, implicit labels over 30 propositions. Those are refused here, with their place. What has no meaning
(comments, names, claims such as `properties: weak`) is replaced by blanks, so that Spot cannot believe it. What is
left are tokens of HOA v1, which Spot parses; it knows better whether they make an automaton.

Differs from HOA v1: one automaton a text, no alternation, `Alias:` after `AP:`, line ends LF or CR LF.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from buchi.common.errors import InputError, Place
from buchi.readers.hoa_tokens import CONTROL, UNPRINTED, Tokens, place_in
from buchi.schemas.automaton import MAX_SETS, MAX_STATES

AnyScanner = TypeVar("AnyScanner", bound="_Scanner")
MAX_DECLARED = 1_000
"""Propositions that may be declared; fewer may be tested."""
MAX_IMPLICIT = 16
"""Propositions of an automaton without labels, whose states have an edge for every letter."""
MAX_NESTING = 200
MAX_ATOMS = 4_096
"""Atoms of an acceptance condition: Spot's time is quadratic in them."""


class Scanned(NamedTuple):
    """Text for Spot, and the different initial states, of which Spot is told the first."""

    text: str
    starts: list[int]


def scan_hoa(text: str, source: str) -> Scanned:
    """Return the text with blanks for what Spot is not to see; lines and columns stay. Raises InputError."""
    scanner = _scanned(_Scanner, text, source)
    return Scanned(scanner.plain(), list(dict.fromkeys(state for _, state in scanner.starts)))


def scan_kripke(text: str, source: str) -> str:
    """Return the text of a structure likewise, with the one claim that Spot asks for, which is then true."""
    scanner = _scanned(_KripkeScanner, text, source)
    plain = scanner.plain()
    return f"{plain[: scanner.body_start]}properties: state-labels {plain[scanner.body_start :]}"


def _scanned(kind: type[AnyScanner], text: str, source: str) -> AnyScanner:
    text = text.replace("\r\n", "\n")
    strange = CONTROL.search(text)
    if strange:
        shown = "a bare carriage return" if strange.group() == "\r" else f"the character {strange.group()!a}"
        raise InputError(f"{shown} has no place in HOA", place_in(text, source, strange.start()))
    if not text.lstrip().startswith(("HOA:", "/*")):
        raise InputError(
            "this is not an automaton in the HOA format", Place(source, 1, 1), "it begins with `HOA: v1`"
        )
    scanner = kind(text, source)
    scanner.header()
    scanner.body()
    scanner.end()
    return scanner


class _Scanner(Tokens):
    """Goes over an automaton, from its header to its end."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text, source)
        self.states: int | None = None
        self.sets: int | None = None
        self.propositions: int | None = None
        self.aliases: set[str] = set()
        self.labels: set[str] = set()
        self.starts: list[tuple[int, int]] = []
        self.body_start = 0

    def header(self) -> None:
        """Go over the header, up to the body."""
        items: dict[str, Callable[[], None]] = {
            "States:": self._states,
            "Start:": self._start,
            "AP:": self._propositions,
            "Alias:": self._alias,
            "Acceptance:": self._acceptance,
        }
        self.take("HOA:")
        if self.kind != "word":
            raise self.expected("the version of the format")
        self.next()
        while not self.at("--BODY--"):
            if self.kind != "header":
                raise self.expected("a line of the header or --BODY--")
            if self.token[0].islower():
                self._claim()
            elif self.token in items:
                items[self.token]()
            else:
                raise self.error(
                    f"the header {self.token[:40]} is not known, and its capital says it matters"
                )
        self.body_start = self.start
        self.next()
        for position, state in self.starts:
            if self.states is not None and state >= self.states:
                raise self.error(f"there is no state {state} among {self.states} states", position)

    def _claim(self) -> None:
        """Drop a header that has no meaning: what it claims is found out again, or not needed."""
        start = self.start
        self.next()
        while self.kind in ("word", "number", "string", "alias") or self.at("!"):
            self.next()
        self.dropped.append((start, self.start))

    def _states(self) -> None:
        self._once(self.states)
        self.next()
        self.states = self.number("the number of states", MAX_STATES + 1)

    def _start(self) -> None:
        """Spot is told of one initial state: it loses edges where it joins several."""
        start = self.start
        self.next()
        position = self.start
        self.starts.append((position, self._state()))
        if len(self.starts) > 1:
            self.dropped.append((start, self.start))

    def _propositions(self) -> None:
        self._once(self.propositions)
        self.next()
        self.propositions = self.number("the number of propositions", MAX_DECLARED + 1)
        for _ in range(self.propositions):
            if self.kind != "string":
                raise self.expected("the name of a proposition in double quotes")
            if UNPRINTED.search(self.token):
                raise self.error("the name of a proposition has a character that cannot be printed")
            self.next()

    def _alias(self) -> None:
        if self.propositions is None:
            raise self.error("AP: has to come before Alias:")
        self.next()
        if self.kind != "alias" or self.token in self.aliases:
            raise self.expected("a new name such as @a")
        name = self.token
        self.next()
        self._label()
        self.aliases.add(name)

    def _acceptance(self) -> None:
        """Constants beside negated sets, which nobody needs, make Spot crash."""
        self._once(self.sets)
        self.next()
        self.sets = self.number("the number of acceptance sets", MAX_SETS + 1)
        start, seen = self.start, set[str]()
        self._expression(lambda: seen.add(self._acceptance_atom()), may_negate=False, limit=MAX_ATOMS)
        if {"!", "t"} <= seen:
            raise self.error("a negated set beside t or f is not supported: leave out the constant", start)

    def _acceptance_atom(self) -> str:
        """Go over an atom and return its character: a constant, a set, or a negated one."""
        if self.token in ("t", "f"):
            self.next()
            return "t"
        if self.token not in ("Inf", "Fin"):
            raise self.expected("Inf, Fin, t or f")
        self.next()
        self.take("(")
        negated = self.at("!")
        if negated:
            self.next()
        self.number("the acceptance set", self.sets or 0)
        self.take(")")
        return "!" if negated else ""

    def _once(self, known: int | None) -> None:
        if known is not None:
            raise self.error(f"{self.token} comes twice")

    def body(self) -> None:
        """Go over the states and their edges."""
        while self.at("State:"):
            self.next()
            labelled = self._state_label()
            self._state()
            self._name()
            self._marks()
            while self.kind == "number" or self.at("["):
                self._edge(labelled)

    def _state_label(self) -> bool:
        return self._optional_label()

    def _edge(self, state_is_labelled: bool) -> None:
        implicit = not self._optional_label() and not state_is_labelled
        if implicit and (self.propositions or 0) > MAX_IMPLICIT:
            raise self.error(f"an edge needs a label where there are more than {MAX_IMPLICIT} propositions")
        self._state()
        self._marks()

    def _state(self) -> int:
        limit = MAX_STATES if self.states is None else self.states
        state = self.number("state", limit)
        if self.at("&"):
            raise self.error(
                "this automaton is alternating", None, "make it non-alternating first, as `autfilt` does"
            )
        return state

    def _name(self) -> None:
        if self.kind == "string":
            self.dropped.append((self.start, self.stop))
            self.next()

    def _marks(self) -> None:
        if not self.at("{"):
            return
        self.next()
        while not self.at("}"):
            self.number("the acceptance set", self.sets or 0)
        self.next()

    def _optional_label(self) -> bool:
        """Go over a label; most come many times, and are looked at once."""
        if not self.at("["):
            return False
        start = self.start
        stop = self.text.find("]", start) + 1
        if self.text[start:stop] in self.labels:
            self.stop = stop
            self.next()
            return True
        self.next()
        self._label()
        if self.at("]") and "/" not in self.text[start : self.stop]:
            self.labels.add(self.text[start : self.stop])
        self.take("]")
        return True

    def _label(self) -> None:
        self._expression(self._label_atom, may_negate=True)

    def _label_atom(self) -> None:
        if self.kind == "number":
            self.number("AP number", self.propositions or 0)
        elif self.token in ("t", "f") or self.token in self.aliases:
            self.next()
        else:
            raise self.expected("a proposition's number, an alias, t or f")

    def _expression(self, atom: Callable[[], None], may_negate: bool, limit: int | None = None) -> None:
        """Go over atoms joined by & and |, in parentheses and perhaps negated."""
        opened = atoms = 0
        while True:
            opened += self._openings(may_negate, opened)
            atom()
            atoms += 1
            if limit is not None and atoms > limit:
                raise self.error(f"this condition has more than {limit} atoms")
            while opened and self.at(")"):
                opened -= 1
                self.next()
            if self.token not in ("&", "|"):
                break
            self.next()
        if opened:
            raise self.expected(")")

    def _openings(self, may_negate: bool, opened: int) -> int:
        """Go over parentheses and negations; return how many parentheses there are."""
        count = negations = 0
        while self.at("(") or (may_negate and self.at("!")):
            if self.at("("):
                count += 1
            else:
                negations += 1
            if opened + count + negations > MAX_NESTING:
                raise self.error("this is nested too deeply")
            self.next()
        return count

    def end(self) -> None:
        """Nothing may follow the automaton."""
        if self.at("--ABORT--"):
            raise self.error("the automaton was given up by the tool that wrote it (--ABORT--)")
        if not self.at("--END--"):
            raise self.expected("a state, an edge or --END--")
        self.next()
        if self.at("HOA:"):
            raise self.error("a second automaton begins here", None, "give each automaton a file of its own")
        if self.kind:
            raise self.expected("the end of the text")


class _KripkeScanner(_Scanner):
    """Goes over a structure: one initial state, a label on every state and on no edge."""

    def header(self) -> None:
        """Go over the header, up to the body."""
        super().header()
        if len(self.starts) != 1:
            raise InputError(f"a structure has one initial state, not {len(self.starts)}", Place(self.source))

    def _state_label(self) -> bool:
        if not self._optional_label():
            raise self.error("a state of a structure has a label before its number", None, "State: [0&!1] 0")
        return True

    def _edge(self, state_is_labelled: bool) -> None:
        if self.at("["):
            raise self.error("an edge of a structure has no label: states have them")
        super()._edge(state_is_labelled)
