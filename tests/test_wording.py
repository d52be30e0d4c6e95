"""Messages and numbers as people read them: options by the names their user knows, counts, times, limits."""

from __future__ import annotations

import pytest
from runner import PETERSON, buchi

import buchi as api
from buchi.schemas.option_names import as_arguments, option

SAFE = "G !(A.critical && B.critical)"
UNFAIR = "G (A.hungry -> F A.critical)"


class TestOptions:
    def test_they_are_flags_on_the_command_line_and_arguments_in_python(self):
        assert (option("max_states"), option("deadlock", "drop")) == ("--max-states", "--deadlock drop")
        with as_arguments():
            assert (option("max_states"), option("deadlock", "drop")) == ("max_states", "deadlock='drop'")
        assert option("ltl") == "--ltl"

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"timeout": 0}, "timeout must be more than 0 and at most 1,000,000,000"),
            ({"max_states": -1}, "max_states must be more than 0"),
            ({"max_memory": "much"}, "max_memory: 'much' is not a size"),
            ({"backend": "gpu"}, "backend='gpu' is not a choice"),
            ({"overflow": "rap"}, "overflow='rap' is not a choice"),
            ({"deadlock": "dorp"}, "deadlock='dorp' is not a choice"),
            ({"order": "random"}, "order='random' is not an order"),
            ({"via": "tbga"}, "via='tbga' is not a kind of automaton"),
            (
                {"checker": "se", "shortest": True},
                "shortest is a search of its own: it excludes checker='se'",
            ),
            ({"checker": "reach", "deadlock": "drop"}, "so not deadlock='drop'"),
            ({"checker": "ta-scc"}, "try checker ascc"),
            ({"automaton": "a.hoa"}, "ltl and automaton exclude each other"),
            ({"ltl": None}, "give a property by ltl or automaton"),
            ({"ltl": "G (("}, "^ltl:"),
        ],
    )
    def test_the_functions_speak_of_arguments(self, given, said):
        with pytest.raises(api.InputError) as error:
            api.check(PETERSON, **{"ltl": SAFE, "via": "tgba", **given})
        assert "--" not in str(error.value)
        assert error.match(said)

    def test_so_do_the_refusals_of_a_comparison(self):
        rows = api.compare(PETERSON, SAFE, via="tgba", deadlock="drop").rows
        said = " ".join(row.refusal or "" for row in rows)
        assert "deadlock='drop'" in said
        assert "checker='shortest' runs it alone" in said

    def test_the_command_line_speaks_of_flags(self):
        assert "--timeout must be more than 0" in buchi("explore", PETERSON, "--timeout", "0").err
        assert "--max-memory: 'much' is not" in buchi("explore", PETERSON, "--max-memory", "much").err
        assert "--via tbga is not a kind" in buchi("check", PETERSON, "--ltl", SAFE, "--via", "tbga").err
