"""buchi: LTL model checking by automata. One model, one formula, every automaton.

Glossary
--------
model        a set of guarded commands over a fixed-size vector of variables (`buchi.models.guarded`)
proposition  a Boolean expression over a model's variables
letter       what an automaton reads at a step: the valuation of the propositions in the *source* state, in the
             *destination* state, or the *change* between the two
mark         the number of an acceptance set an edge belongs to; a mark set is a bit mask of them
automaton    a table (state, letter) -> {(destination, marks)} with an acceptance condition (`buchi.schemas.automaton`)
product      the synchronised exploration of a model and an automaton; all a checker ever sees
checker      an emptiness check: does the product have an accepting run?
route        translator chain + automaton kind + checker
verdict      holds, violated (with a counterexample that was replayed), or unknown (with the reason)
"""


def __getattr__(name: str) -> str:
    """Look the version up when it is asked for: that is slow, and the command line starts often."""
    if name == "__version__":
        from importlib.metadata import version

        return version("buchi")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
