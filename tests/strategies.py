"""Random guarded-command models for hypothesis: every operator, type, array, table, fault and assignment."""

from __future__ import annotations

from hypothesis import strategies as st

from buchi.models.guarded import (
    Assertion,
    Assign,
    Binary,
    Command,
    Const,
    Element,
    Expr,
    Lookup,
    Model,
    Read,
    Shared,
    Type,
    Unary,
    Variable,
)

BINARY = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "and", "or"]
EDGES = [-(2**31), -32769, -32768, -1, 0, 1, 2, 31, 33, 127, 128, 255, 256, 32767, 65535, 65536, 2**31 - 1]
TABLES = ((3, -7, 0, 2**31 - 1), (1,))

numbers = st.one_of(st.integers(-3, 5), st.sampled_from(EDGES))


def expressions(variables: tuple[Variable, ...], shared: int) -> st.SearchStrategy[Expr]:
    scalars = [i for i, variable in enumerate(variables) if variable.length is None]
    arrays = [i for i, variable in enumerate(variables) if variable.length is not None]
    leaves: list[st.SearchStrategy[Expr]] = [st.builds(Const, numbers)]
    if scalars:
        leaves.append(st.builds(Read, st.sampled_from(scalars)))
    if shared:
        leaves.append(st.builds(Shared, st.integers(0, shared - 1)))

    def larger(smaller: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        kinds = [
            st.builds(Unary, st.sampled_from(["-", "~", "not"]), smaller),
            st.builds(Binary, st.sampled_from(BINARY), smaller, smaller),
            st.builds(Lookup, st.integers(0, len(TABLES) - 1), smaller),
        ]
        if arrays:
            kinds.append(st.builds(Element, st.sampled_from(arrays), smaller))
        return st.one_of(kinds)

    return st.recursive(st.one_of(leaves), larger, max_leaves=6)


@st.composite
def variables(draw: st.DrawFn) -> Variable:
    kind = draw(st.sampled_from(list(Type)))
    length = draw(st.sampled_from([None, None, 1, 3]))
    values = st.one_of(st.integers(0, 3), st.sampled_from([kind.low, kind.high]))
    initial = draw(st.lists(values, min_size=length or 1, max_size=length or 1))
    return Variable(f"v{draw(st.integers(0, 10**6))}", kind, length, tuple(initial))


@st.composite
def models(draw: st.DrawFn) -> Model:
    counters = (Variable("P", Type.BYTE, values=("a", "b", "c")), Variable("Q", Type.WORD, values=("a", "b")))
    all_variables = (*counters, *draw(st.lists(variables(), max_size=4)))
    shared = tuple(draw(st.lists(expressions(all_variables, 0), max_size=2)))
    expression = expressions(all_variables, len(shared))

    @st.composite
    def assigns(draw: st.DrawFn) -> Assign:
        variable = draw(st.integers(0, len(all_variables) - 1))
        index = None if all_variables[variable].length is None else draw(expression)
        return Assign(variable, index, draw(expression))

    tests = st.one_of(
        st.just(()),
        st.tuples(st.tuples(st.just(0), st.integers(0, 2))),
        st.tuples(st.tuples(st.just(1), st.integers(0, 1)), st.tuples(st.just(0), st.integers(0, 2))),
    )
    commands = st.builds(
        Command,
        st.just("command"),
        tests,
        st.one_of(st.none(), expression),
        st.lists(assigns(), max_size=2).map(tuple),
        st.lists(assigns(), max_size=3).map(tuple),
    )
    assertion = st.builds(Assertion, st.just("assertion"), tests, expression)
    return Model(
        "random",
        all_variables,
        tuple(draw(st.lists(commands, min_size=1, max_size=5))),
        TABLES,
        shared,
        tuple(draw(st.lists(assertion, max_size=1))),
        overflow_is_error=draw(st.booleans()),
    )
