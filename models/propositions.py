"""Propositions: expressions over the variables of any guarded model.

`P.wait`, `P == wait`, `P == "wait"` and `P != 'wait'` speak of the location of a process, a variable
whose values have names. Where values are called by numbers, a number means the value of that name, not its
position. A backslash before a bracket, a dot or a dash, as formulas for LTSmin have it, is ignored.

`tokens(p, q)` is the sum of variables, `fireable(t, u)` whether one of these commands is enabled. What is said of steps
(`enabled(P)`, `moved(P)`, `deadlock`) stands alone: `step_propositions` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial, reduce

from lark import Lark, Token, UnexpectedInput

from buchi.common.errors import InputError, Place, nearest
from buchi.models.arithmetic import COMPARISONS, binary, conjunction
from buchi.models.expressions import (
    GRAMMAR,
    Call,
    ExpressionBuilder,
    Leaf,
    Lowering,
    Member,
    Name,
    Postfix,
    token_of,
)
from buchi.models.guarded import Binary, Command, Const, Element, Expr, Lookup, Meaning, Model, Read, Variable
from buchi.models.odd_names import hidden, shown
from buchi.models.parsers import make_parser
from buchi.models.source import Source
from buchi.models.step_propositions import parse_step_proposition

_QUOTED = r"""
%extend _atom: STRING | call
call: CALL _name (_COMMA _name)* _CLOSE
_name: NAME | member | STRING
CALL.3: /(?:fireable|tokens)\s*\(/
_COMMA: ","
_CLOSE: ")"
STRING: /"[^"\n]*"|'[^'\n]*'/
"""
_ESCAPE = re.compile(r"\\(?=[\[\].-])")
_NESTING = re.compile(r"""[(\[]|[)\]]|"[^"\n]*"|'[^'\n]*'|(?:[!~-]|\bnot\b)(?:\s|[!~-]|\bnot\b)*""")
_NUMERAL = re.compile(r"-?\d+")
MAX_DEPTH = 1000
"""Parentheses, indices and prefixes within each other."""


def parse_meaning(text: str, model: Model) -> Meaning:
    """Return what a proposition of a formula means in a model, whose names win. Raises InputError."""
    is_name = text.strip() in model.constants or text.strip() in model.index
    of_steps = None if is_name else parse_step_proposition(text, model)
    return parse_proposition(text, model) if of_steps is None else of_steps


def parse_proposition(text: str, model: Model) -> Expr:
    """Return the expression that `text` stands for. Raises InputError."""
    source = Source("proposition", hidden(text, model.odd_names))
    if not text.strip():
        raise InputError("the proposition is empty", Place(source.name))
    meaning = _Meaning(source, model)
    if text.strip() in model.constants or text.strip() in model.index:  # whatever word of the grammar it is
        return meaning.scalar(Token("NAME", text.strip(), line=1, column=1))
    _check_depth(source)
    return meaning.lower(_parse(source))


def _check_depth(source: Source) -> None:
    """Refuse what is nested so deeply that reading it would take more than linear time. Raises InputError."""
    depth = 0
    for found in _NESTING.finditer(source.text):
        sign = found.group()
        depth += sign in ("(", "[")
        depth -= sign in (")", "]")
        prefixes = 0 if sign[0] in "()[]\"'" else len(sign)
        if depth + prefixes > MAX_DEPTH:
            raise InputError(f"the proposition is nested more than {MAX_DEPTH} deep", Place(source.name))


def _parse(source: Source) -> Postfix:
    parser, text = _parser(), _ESCAPE.sub(" ", source.text)
    try:
        return parser.parse(text)  # type: ignore[return-value]
    except UnexpectedInput as error:
        raise Source(source.name, text).syntax_error(parser, error) from None


@lru_cache(maxsize=1)
def _parser() -> Lark:
    grammar = GRAMMAR + _QUOTED
    return make_parser("propositions", grammar, ExpressionBuilder(), start="expression")


class _Meaning(Lowering):
    """What names mean in a model."""

    def __init__(self, source: Source, model: Model) -> None:
        super().__init__(source)
        self.model = model

    def value(self, operand: Expr | Leaf) -> Expr:
        """Return what an operand stands for; a constant of the model called `true` is that constant."""
        if isinstance(operand, Token) and operand.value in self.model.constants:
            return self.scalar(operand)
        return super().value(operand)

    def scalar(self, leaf: Name) -> Expr:
        """Return the value of a name, or whether a process is in a location."""
        if isinstance(leaf, Token) and leaf.type == "STRING":
            raise self._error(f"{leaf} is not compared with a process", leaf, f"write P == {leaf}")
        if isinstance(leaf, Member):
            location = self._location(leaf)
            if location is not None:
                return location
        name = shown(str(leaf))
        if name in self.model.constants:
            return self._constant(leaf)
        variable = self.model.variables[self._index(leaf)]
        if variable.length is not None:
            raise self._error(f"{name} is an array and needs an index", leaf, f"write {name}[0]")
        if variable.values:
            example = f"{name} == {variable.values[0]}"
            raise self._error(f"{name} is a process and has no truth value", leaf, f"write {example}")
        return Read(self.model.index[name])

    def call(self, call: Call) -> Expr:
        """Return a sum of variables, or whether a command is enabled."""
        return self._tokens(call) if call.function.startswith("tokens") else self._fireable(call)

    def _tokens(self, call: Call) -> Expr:
        """Return the sum of variables."""
        return reduce(partial(binary, "+"), map(self.value, call.names))

    def _fireable(self, call: Call) -> Expr:
        """Return whether one of the commands that are called so is enabled."""
        if self.model.shared:
            raise self._error("fireable(…) is not for models with committed locations", call)
        return reduce(
            partial(binary, "or"), (enabled(c) for name in call.names for c in self._commands(name))
        )

    def _commands(self, leaf: Name) -> list[Command]:
        name = _value_name(leaf) if isinstance(leaf, Token) else str(leaf)
        found = self.model.named_commands.get(shown(name or ""))
        if found is None:
            hint = nearest(shown(str(leaf)), self.model.named_commands)
            raise self._error(f"the model has no transition {leaf}", leaf, hint)
        return found

    def element(self, array: Name, index: Expr) -> Expr:
        """Return the value of an element of an array."""
        constant = self.model.constants.get(str(array))
        if isinstance(constant, Lookup):
            return Lookup(constant.table, index)
        number = self._index(array)
        if self.model.variables[number].length is None:
            raise self._error(f"{array} is not an array", array)
        return Element(number, index)

    def binary(self, operator: Token, left: Expr | Leaf, right: Expr | Leaf) -> Expr:
        """Compare with locations by name; leave the other operators to the language of expressions."""
        if operator.value in COMPARISONS:
            self._check_order(operator, left, right)
            left, right = self._side(left, right), self._side(right, left)
        return super().binary(operator, left, right)

    def _check_order(self, operator: Token, left: Expr | Leaf, right: Expr | Leaf) -> None:
        """Refuse `state < 2` where 2 is a name: the order of such states is that of the file."""
        numbered = any(p and _has_numerals(p) for p in (self._process(left), self._process(right)))
        if numbered and operator.value not in ("==", "!="):
            raise self.source.error(
                "states that are called by numbers have no order", operator, "compare by == or !="
            )

    def _side(self, operand: Expr | Leaf, other: Expr | Leaf) -> Expr | Leaf:
        """Return one side of a comparison, read as a location if the other side is a process."""
        if self._process(operand) is not None:
            return Read(self.model.index[str(operand)])
        process = self._process(other)
        name = None if process is None else _value_name(operand)
        if process is None:
            return operand
        if name is None:
            self._check_computed(process)
            return operand
        if name in process.values:
            return Const(process.values.index(name))
        if not self._must_be_location(operand, name, process):
            return operand
        complaint, hint = f"process {process.name} has no location {name}", nearest(name, process.values)
        if isinstance(operand, Token):
            raise self._error(complaint, operand, hint)
        raise InputError(complaint, Place(self.source.name), hint)

    def _check_computed(self, process: Variable) -> None:
        """Refuse to compare states that are called by numbers with a number that is computed."""
        if _has_numerals(process):
            raise InputError(
                f"{process.name} is compared with the names of its states only", Place(self.source.name)
            )

    def _must_be_location(self, operand: Expr | Leaf, name: str, process: Variable) -> bool:
        """Can what is compared with a process be nothing but the name of a location?"""
        if not isinstance(operand, Token) or operand.type == "NUMBER":
            return _has_numerals(process)
        return operand.type == "STRING" or not (name in self.model.index or name in self.model.constants)

    def _process(self, operand: Expr | Leaf) -> Variable | None:
        """Return the program counter that a name stands for, if it does."""
        if not isinstance(operand, Token | Member) or str(operand) not in self.model.index:
            return None
        variable = self.model.variables[self.model.index[str(operand)]]
        return variable if variable.values and variable.length is None else None

    def _location(self, member: Member) -> Expr | None:
        """Return the test of `P.loc`; None where it is a variable, a constant or nothing."""
        process = self._process(member.process)
        if process is None or member.name.value not in process.values:
            return None
        number = process.values.index(member.name.value)
        return Binary("==", Read(self.model.index[process.name]), Const(number))

    def _constant(self, leaf: Name) -> Expr:
        constant = self.model.constants[shown(str(leaf))]
        if isinstance(constant, Lookup):
            raise self._error(f"{leaf} is a constant array and needs an index", leaf, f"write {leaf}[0]")
        return constant

    def _index(self, leaf: Name) -> int:
        """Return the number of a variable."""
        number = self.model.index.get(shown(str(leaf)))
        if number is not None:
            return number
        raise self._error(f"the model has no {leaf}", leaf, self._hint(leaf))

    def _hint(self, leaf: Name) -> str | None:
        """Suggest a name of the same process, of a local variable without its process, or any near one."""
        known = [*self.model.index, *self.model.constants]
        process = self._process(leaf.process) if isinstance(leaf, Member) else None
        if isinstance(leaf, Member) and process is not None:
            prefix = f"{process.name}."
            members = [name.removeprefix(prefix) for name in known if name.startswith(prefix)]
            return nearest(leaf.name, [*process.values, *members])
        local = [name for name in known if name.endswith(f".{leaf}")][:3]
        if local:
            return f"did you mean {' or '.join(local)}?"
        return nearest(str(leaf), [*known, *(self._locations() if isinstance(leaf, Member) else ())])

    def _locations(self) -> Iterator[str]:
        """Yield every test `P.loc`."""
        for variable in self.model.variables:
            yield from (f"{variable.name}.{value}" for value in variable.values)

    def _error(self, message: str, leaf: Leaf, suggestion: str | None = None) -> InputError:
        plain = Source(self.source.name, shown(self.source.text))
        return plain.error(shown(message), token_of(leaf), suggestion)


def enabled(command: Command) -> Expr:
    """Return whether a command is enabled."""
    tests: list[Expr] = [Binary("==", Read(variable), Const(value)) for variable, value in command.at]
    tests += [Binary(">=", Read(variable), Const(value)) for variable, value in command.least]
    if command.guard is not None:
        tests.append(command.guard)
    return conjunction(tests) or Const(1)


def _value_name(operand: Expr | Leaf) -> str | None:
    """Return the name of a value that is written so: a word, a string or a number."""
    if isinstance(operand, Const):
        return str(operand.value)
    if not isinstance(operand, Token):
        return None
    return operand.value[1:-1] if operand.type == "STRING" else str(operand.value)


@lru_cache(maxsize=8)
def _has_numerals(process: Variable) -> bool:
    """Are there values that are called by numbers?"""
    return any(_NUMERAL.fullmatch(value) for value in process.values)
