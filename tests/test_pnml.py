"""Petri nets in PNML: what is read and what is refused, markings, counts that get wider."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nets import PTNET, Marking, Transitions, document, pnml, reachable

from buchi.common.ends import Verdict
from buchi.common.errors import InputError, ModelRuntimeError
from buchi.models.backends import Backend
from buchi.models.frontend import Loaded
from buchi.models.guarded import Type
from buchi.models.pnml import PNML, invariants
from buchi.models.pnml import reader as reading
from buchi.models.pnml.reader import read_pnml
from buchi.pipeline.check import check
from buchi.pipeline.compare import compare
from buchi.pipeline.explore import explore
from buchi.pipeline.options import ExploreOptions

ONE = '<place id="p"/><transition id="t"/>'


def load(text: str) -> Loaded:
    return PNML().load(text, "net.pnml")


def counted(text: str, backend: Backend = Backend.INTERPRETED) -> tuple[int, int]:
    ended = explore(load(text), ExploreOptions(backend=backend))
    return ended.counters.states, ended.counters.transitions


class TestReading:
    def test_nodes_arcs_and_markings(self):
        net = read_pnml(pnml({"p": 2, "q": 0}, {"t": ({"p": 1}, {"q": 3, "p": 1})}), "net.pnml", "net")
        assert (net.places, net.marking) == (("p", "q"), (2, 0))
        (transition,) = net.transitions
        assert (transition.name, transition.inputs, transition.outputs) == ("t", {0: 1}, {1: 3, 0: 1})

    def test_an_arc_may_come_before_its_nodes(self):
        net = read_pnml(document('<arc id="a" source="p" target="t"/>' + ONE), "net.pnml", "net")
        assert net.transitions[0].inputs == {0: 1}

    def test_arcs_between_the_same_nodes_add_up(self):
        arc = '<arc id="a" source="t" target="p"><inscription><text>2</text></inscription></arc>'
        assert read_pnml(document(ONE + arc + arc), "net.pnml", "net").transitions[0].outputs == {0: 4}

    def test_pages_and_references(self):
        inner = '<page id="h"><referencePlace id="r" ref="s"/><arc id="a" source="r" target="u"/></page>'
        others = '<referencePlace id="s" ref="p"/><referenceTransition id="u" ref="t"/>'
        net = read_pnml(document(inner + others + ONE), "net.pnml", "net")
        assert (net.places, net.transitions[0].inputs) == (("p",), {0: 1})

    def test_a_chain_of_references_is_followed_once(self):
        """Else this takes minutes."""
        count = 20_000
        chain = "".join(f'<referencePlace id="r{i}" ref="r{i + 1}"/>' for i in range(count))
        arcs = '<arc id="a" source="r0" target="t"/>' * count
        net = read_pnml(
            document(chain + f'<referencePlace id="r{count}" ref="p"/>' + arcs + ONE), "net.pnml", "net"
        )
        assert net.transitions[0].inputs == {0: count}

    def test_what_is_drawn_or_said_by_tools_is_passed_over(self):
        name = "<name><graphics/><text>7</text></name>"
        tool = '<toolspecific tool="other"><place id="x"/><arc/><structure safe="true"/></toolspecific>'
        marking = "<initialMarking><graphics><offset x='1'/></graphics><text>\n 3 </text></initialMarking>"
        text = document(f'{tool}<place id="p">{name}{marking}{tool}</place><label><place id="y"/></label>')
        assert read_pnml(text, "net.pnml", "net").marking == (3,)

    def test_namespaces_and_declarations_of_the_encoding(self):
        text = document(ONE).replace("<pnml>", '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">')
        text = text.replace('"1.0"?>', '"1.0" encoding="ISO-8859-1"?>').replace('id="p"', 'id="é"')
        assert read_pnml(text, "net.pnml", "net").places == ("é",)

    def test_units_of_nets_that_are_safe(self):
        text = pnml({"p": 1, "q": 0}, {}, [["p", "q"], []])
        assert read_pnml(text, "net.pnml", "net").units == ((0, 1),)
        assert read_pnml(text.replace('safe="true"', 'safe="false"'), "net.pnml", "net").units == ()


REFUSED = {
    "not XML": ("no net", "this is not XML"),
    "cut": (document(ONE)[:-8], "this is not XML"),
    "another root": ("<html/>", "this is not PNML: the root element is html"),
    "no net": ("<pnml/>", "no net"),
    "two nets": (document(ONE).replace("</pnml>", "") + f"<net type='{PTNET}'/></pnml>", "more than one net"),
    "no place": (document('<transition id="t"/>'), "no places"),
    "no type": ("<pnml><net id='n'/></pnml>", "only ptnet"),
    "another type": (document(ONE, "http://x/timed"), "'timed' are not supported"),
    "a coloured net": (
        document(ONE, "http://x/symmetricnet"),
        "coloured nets are not supported, found at line 2",
    ),
    "colours": (document("\n<place id='p'><hlinitialMarking/></place>"), "coloured nets .*line 4"),
    "a declaration": (document("<declaration/>"), "coloured nets .*line 3"),
    "an inhibitor arc": (
        document(ONE + '\n<arc id="a" type="inhibitor" source="p" target="t"/>'),
        "inhibitor arcs are not supported, found at line 4",
    ),
    "a reset arc": (
        document(ONE + '<arc id="a" source="p" target="t">\n<type value="reset"/></arc>'),
        "reset arcs are not supported, found at line 4",
    ),
    "a capacity": (document("<place id='p'><capacity/></place>"), "capacities of places are not supported"),
    "a missing node": (document(ONE + '<arc id="a" source="pp" target="t"/>'), "there is no node pp"),
    "an arc between places": (document(ONE + '<arc id="a" source="p" target="p"/>'), "join a place and"),
    "an arc without end": (document(ONE + '<arc id="a" source="p"/>'), "needs target="),
    "an id that comes twice": (document(ONE + ONE), "the id p comes twice"),
    "an id with a blank": (document('<place id="p q"/>'), "characters that no name has"),
    "no id": (document("<place/>"), "the element place needs id="),
    "a reference to itself": (
        document(ONE + '<referencePlace id="r" ref="r"/><arc id="a" source="r" target="t"/>'),
        "leads to itself",
    ),
    "a reference to nothing": (
        document(ONE + '<referencePlace id="r" ref="x"/><arc id="a" source="r" target="t"/>'),
        "no node x",
    ),
    "a reference of the other kind": (
        document(ONE + '<referencePlace id="r" ref="t"/><arc id="a" source="r" target="t"/>'),
        "other kind",
    ),
    "a place in a place": (document('<place id="p"><place id="q"/></place>'), "cannot stand in place"),
    "a negative marking": (pnml({"p": -1}, {}), "the marking -1 is negative"),
    "a huge marking": (pnml({"p": 4_000_000_000}, {}), "the marking 4000000000 is more than 2147483647"),
    "no number": (pnml({"p": 1}, {}).replace(">1<", ">one<"), "'one' is no number"),
    "digits of others": (pnml({"p": 1}, {}).replace(">1<", ">١<"), "is no number"),
    "no text": (document("<place id='p'><initialMarking/></place>"), "an initialMarking needs"),
    "a weight of zero": (pnml({"p": 1}, {"t": ({"p": 0}, {})}), "at least 1"),
    "a huge weight": (pnml({"p": 1}, {"t": ({"p": 7}, {})}).replace(" 7 ", "7" * 10**6), "is more than"),
    "huge weights": (
        document(
            ONE + 2 * '<arc source="p" target="t"><inscription><text>2147483647</text></inscription></arc>'
        ),
        "weights of arcs between two nodes",
    ),
    "a document type": (f"<!DOCTYPE pnml>{document(ONE)[22:]}", "a document type is not supported"),
    "a bomb": (
        '<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><pnml>&b;</pnml>',
        "a document type is not supported",
    ),
    "a file of others": (
        '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/passwd">]><pnml>&a;</pnml>',
        "a document type is not supported",
    ),
    "depth": (document("<page id='x'>" * 2000), "nested more than 1000 deep"),
    "a unit of unknown places": (pnml({"p": 1}, {}, [["q"]]), "has q, which is no place"),
    "two tokens in a unit": (pnml({"p": 1, "q": 1}, {}, [["p", "q"]]), "more than one token at first"),
    "a place in two units": (pnml({"p": 1}, {}, [["p"], ["p"]]), "in two units"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=list(REFUSED))
def test_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load(text)
    assert caught.value.place is not None
    assert str(caught.value).startswith("net.pnml:")


def test_places_of_mistakes() -> None:
    with pytest.raises(InputError) as caught:
        load(document(f'{ONE}\n  <place id="é"/><arc id="a" source="p" target="x"/>'))
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (4, 18)


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST", 1 << 20)
    with pytest.raises(InputError, match="at most 1 MiB"):
        load(document(ONE + " " * (1 << 20)))


markings = st.fixed_dictionaries({name: st.integers(0, 2) for name in "abcd"})
arcs = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 2), max_size=3)


@st.composite
def conservative(draw: st.DrawFn) -> Transitions:
    """Draw transitions that put no more tokens than they take, so that the net is bounded."""
    pairs = draw(st.lists(st.tuples(arcs, arcs), min_size=1, max_size=5))
    kept = [(i, o) for i, o in pairs if sum(o.values()) <= sum(i.values())]
    return {f"t{number}": pair for number, pair in enumerate(kept)}


@settings(deadline=None)
@given(markings, conservative())
def test_markings_are_those_of_the_firing_rule(marking: Marking, transitions: Transitions) -> None:
    assert counted(pnml(marking, transitions)) == reachable(marking, transitions)


def test_compiled_nets() -> None:
    marking, transitions = (
        {"a": 9, "b": 9, "c": 0},
        {"t": ({"a": 1, "b": 2}, {"c": 1}), "u": ({"c": 1}, {"a": 1})},
    )
    assert counted(pnml(marking, transitions), Backend.COMPILED) == reachable(marking, transitions)


@pytest.mark.parametrize("backend", [Backend.INTERPRETED, Backend.COMPILED])
@pytest.mark.parametrize("burst", [100, 300, 70_000])
def test_counts_get_wider(backend: Backend, burst: int) -> None:
    marking, transitions = {"pool": 7, "p": 0}, {"t": ({"pool": 1}, {"p": burst}), "u": ({"p": burst}, {})}
    assert counted(pnml(marking, transitions), backend) == reachable(marking, transitions)


def test_counts_are_as_narrow_as_they_may_be() -> None:
    net = load(pnml({"a": 255, "b": 256, "c": 0}, {"t": ({}, {"c": 65_536})})).model
    assert [variable.type for variable in net.variables] == [Type.BYTE, Type.WORD, Type.COUNT32]


@pytest.mark.parametrize("backend", [Backend.INTERPRETED, Backend.COMPILED])
def test_beyond_32_bits_place_and_marking_are_named(backend: Backend) -> None:
    text = pnml({"full": 2_147_483_600, "other": 0, "more": 1}, {"t": ({"more": 1}, {"full": 100})})
    with pytest.raises(ModelRuntimeError, match="overflow of full by t") as caught:
        counted(text, backend)
    assert caught.value.state == "full = 2147483600, more = 1"


class TestUnits:
    RING = (
        {"a": 1, "b": 0, "c": 0},
        {"t": ({"a": 1}, {"b": 1}), "u": ({"b": 1}, {"c": 1}), "v": ({"c": 1}, {"a": 1})},
    )

    @pytest.mark.parametrize("units", [["abc"], ["ab", "c"], ["a", "b", "c"], ["ab"]])
    def test_markings_do_not_depend_on_units(self, units: list[str]) -> None:
        marking, transitions = self.RING
        model = load(pnml(marking, transitions, units)).model
        assert counted(pnml(marking, transitions, units)) == (3, 3)
        assert len(model.variables) == 3 - sum(len(unit) - 1 for unit in units)

    @pytest.mark.parametrize(
        ("places", "kind"),
        [
            (1, Type.BIT),
            (3, Type.PAIR),
            (4, Type.NIBBLE),
            (15, Type.NIBBLE),
            (16, Type.BYTE),
            (256, Type.WORD),
        ],
    )
    def test_a_unit_has_few_bits(self, places: int, kind: Type) -> None:
        """One value for each of its places, and one more."""
        names = [f"p{i}" for i in range(places)]
        marking = {name: int(name == "p0") for name in names}
        ring = {f"t{i}": ({f"p{i}": 1}, {f"p{(i + 1) % places}": 1}) for i in range(places)}
        text = pnml(marking, ring, [names])
        assert [variable.type for variable in load(text).model.variables] == [kind]
        assert counted(text) == (places, places)

    @pytest.mark.parametrize("backend", [Backend.INTERPRETED, Backend.COMPILED])
    def test_small_units_come_last(self, backend: Backend) -> None:
        """Together in a byte; that a count before them gets wider does not matter."""
        marking = {"n": 255, "a": 1, "b": 1, "c": 0, "d": 1, "e": 0, "f": 0, "g": 0}
        transitions = {
            "t": ({"a": 1}, {"n": 1}),
            "u": ({"n": 256}, {"n": 255, "a": 1}),
            "v": ({"b": 1}, {"c": 1}),
            "w": ({"c": 1}, {"b": 1}),
            "x": ({"d": 1}, {"g": 1}),
            "y": ({"g": 1}, {"e": 1}),
        }
        text = pnml(marking, transitions, ["a", "bc", "defg"])
        model = load(text).model
        assert [variable.type for variable in model.variables] == [
            Type.BYTE, Type.NIBBLE, Type.PAIR, Type.BIT
        ]  # fmt: skip
        assert model.width == 2
        assert counted(text, backend) == reachable(marking, transitions) == (12, 32)

    def test_a_transition_that_no_unit_can_serve_never_fires(self) -> None:
        both = {"t": ({"a": 1, "b": 1}, {"c": 1}), "w": ({"a": 2}, {"c": 1})}
        assert counted(pnml({"a": 1, "b": 0, "c": 0}, both, ["abc"])) == (1, 0)

    @pytest.mark.parametrize(
        "transition",
        [({}, {"a": 1}), ({"c": 1}, {"b": 1}), ({"c": 1}, {"c": 2}), ({"a": 1}, {"a": 1, "b": 1})],
    )
    @pytest.mark.parametrize("units", [["ab", "c"], ["a", "b", "c"]])
    def test_a_second_token_is_noticed(self, transition, units: list[str]) -> None:
        text = pnml({"a": 1, "b": 0, "c": 1}, {"t": transition, "u": ({"b": 1}, {"b": 2})}, units)
        with pytest.raises(ModelRuntimeError, match="overflow of"):
            counted(text)


class TestChecksThatWiden:
    """`p` comes to 700 tokens: too many for the byte in which it begins."""

    NET = pnml({"pool": 7, "p": 0}, {"t": ({"pool": 1}, {"p": 100})})

    def test_a_property_that_holds(self) -> None:
        result = check(load(self.NET), ltl="G (p <= 700)")
        assert (result.verdict, result.states) == (Verdict.HOLDS, 8)

    def test_a_counterexample_that_needs_it(self) -> None:
        result = check(load(self.NET), ltl="G (p <= 600)")
        assert result.verdict is Verdict.VIOLATED
        assert result.counterexample is not None
        assert result.counterexample.prefix[-1].state["p"] == "700"

    def test_every_route(self) -> None:
        comparison = compare(load(self.NET), ltl="G (p <= 600)")
        assert comparison.verdict is Verdict.VIOLATED

    def test_sums_do_not_wrap(self) -> None:
        text = pnml({"p": 2_000_000_000, "q": 2_000_000_000, "r": 5}, {})
        with pytest.raises(InputError, match="adds numbers beyond 32 bits"):
            check(load(text), ltl='G "p + q >= 1"')
        assert check(load(text), ltl='G "p - r >= 1 && p >= q"').verdict is Verdict.HOLDS


class TestInvariants:
    def test_a_ring_is_one_unit(self) -> None:
        marking, transitions = TestUnits.RING
        (variable,) = load(pnml(marking, transitions)).model.variables
        assert sorted(variable.values[1:]) == ["a", "b", "c"]
        assert counted(pnml(marking, transitions)) == (3, 3)

    def test_sets_that_overlap(self) -> None:
        """Two processes and a lock: each process is a unit, the lock is what is left of a third set."""
        marking = {"i": 1, "c": 0, "j": 1, "d": 0, "lock": 1}
        transitions = {
            "enter i": ({"i": 1, "lock": 1}, {"c": 1}),
            "leave i": ({"c": 1}, {"i": 1, "lock": 1}),
            "enter j": ({"j": 1, "lock": 1}, {"d": 1}),
            "leave j": ({"d": 1}, {"j": 1, "lock": 1}),
        }
        text = pnml(marking, {name.replace(" ", "-"): arcs for name, arcs in transitions.items()})
        assert len(load(text).model.variables) == 3
        assert counted(text) == reachable(marking, transitions) == (3, 4)

    def test_two_tokens_are_no_unit(self) -> None:
        text = pnml({"a": 2, "b": 0}, {"t": ({"a": 1}, {"b": 1})})
        assert [variable.values for variable in load(text).model.variables] == [(), ()]

    def test_a_weight_that_doubles_is_no_unit(self) -> None:
        marking, transitions = {"a": 1, "b": 0}, {"t": ({"a": 1}, {"b": 2}), "u": ({"b": 2}, {"a": 1})}
        assert counted(pnml(marking, transitions)) == reachable(marking, transitions)

    def test_too_much_work_means_no_units(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(invariants, "WORK", 2)
        marking, transitions = TestUnits.RING
        assert len(load(pnml(marking, transitions)).model.variables) == 3

    @settings(deadline=None)
    @given(st.data())
    def test_markings_are_those_of_the_firing_rule(self, data: st.DataObject) -> None:
        """Nets that move single tokens: most of their places are in some unit."""
        marking = dict.fromkeys("abcdefg", 0) | dict.fromkeys(data.draw(st.sets(st.sampled_from("abc"))), 1)
        sides = st.sets(st.sampled_from("abcdefg"), min_size=1, max_size=2).map(lambda s: dict.fromkeys(s, 1))
        pairs = data.draw(st.lists(st.tuples(sides, sides), min_size=1, max_size=6))
        transitions = {f"t{n}": (i, o) for n, (i, o) in enumerate(pairs) if len(o) <= len(i)}
        assert counted(pnml(marking, transitions)) == reachable(marking, transitions)
