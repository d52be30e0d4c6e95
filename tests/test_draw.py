"""`buchi draw`, and pictures of automata: what is in the text for Graphviz, and what Graphviz makes of it."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from dataclasses import dataclass

import pytest
from runner import COUNTER, PETERSON, ROOT, buchi

import buchi as api
from buchi.common.pictures import MAX_DRAWN, MAX_LINES, Arrow, Node, Picture

UNFAIR = "G (A.hungry -> F A.critical)"
needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
_NODE = re.compile(r'^  (\d+) \[label="((?:[^"\\]|\\.)*)", peripheries=(\d)(.*)\];$', re.MULTILINE)
_ARROW = re.compile(r"^  (\w+) -> (\d+) \[label=(.*)\];$", re.MULTILINE)


@dataclass
class Read:
    """A picture as its text tells it."""

    nodes: dict[int, tuple[str, int, str]]
    arrows: dict[tuple[str, int], str]

    @classmethod
    def of(cls, text: str) -> Read:
        nodes = {int(n): (label, int(rings), style) for n, label, rings, style in _NODE.findall(text)}
        found = _ARROW.findall(text)
        arrows = {(source, int(target)): label for source, target, label in found}
        assert len(arrows) == len(found), "two arrows between the same nodes"
        return cls(nodes, arrows)

    def steps(self) -> int:
        """Return how many steps there are, those of one arrow counted each."""
        return sum(label.count(r"\n") + 1 for (source, _), label in self.arrows.items() if source.isdecimal())


def drawn(*arguments: object) -> Read:
    done = buchi("draw", *arguments)
    assert done.code == 0, done.err
    return Read.of(done.out)


class TestModels:
    @pytest.mark.parametrize("model", [PETERSON, ROOT / "examples" / "buffer.pnml"], ids=["dve", "pnml"])
    def test_all_of_a_small_one(self, model):
        """As many states and steps as the engine counts."""
        counted = api.explore(model)
        picture = drawn(model, "--max-states", 5000)
        assert (len(picture.nodes), picture.steps()) == (counted.states, counted.transitions)
        assert not any("dashed" in style for _, _, style in picture.nodes.values())
        assert sum(source.startswith("start") for source, _ in picture.arrows) == 1

    def test_a_bound_leaves_states_dashed(self):
        picture = drawn(PETERSON, "--max-states", 5)
        assert len(picture.nodes) == 5
        dashed = [number for number, (_, _, style) in picture.nodes.items() if "dashed" in style]
        assert dashed
        assert "5 states; dashed: there is more after" in buchi("draw", PETERSON, "--max-states", 5).out

    def test_a_depth(self):
        """The states of distance up to 2, counted by the steps that simulations can take."""
        assert len(drawn(PETERSON, "--depth", 0).nodes) == 1
        assert len(drawn(PETERSON, "--depth", 1).nodes) == 3
        assert len(drawn(PETERSON, "--depth", 2).nodes) == 6

    def test_around_a_state(self):
        picture = drawn(PETERSON, "--around", "A.critical", "--watch", "A.critical")
        here = [label for label, _, style in picture.nodes.values() if "filled" in style]
        assert here == ["A.critical = true"]
        assert len(picture.nodes) == 6

    def test_around_a_state_of_a_trace(self, tmp_path):
        trace = tmp_path / "t.json"
        assert buchi("check", PETERSON, "--ltl", UNFAIR, "--trace", trace).code == 1
        picture = drawn(PETERSON, "--trace", trace, "--at", 4, "--depth", 1)
        filled = [label for label, _, style in picture.nodes.values() if "filled" in style]
        assert len(filled) == 1
        assert r"A = hungry\nB = waiting" in filled[0]
        assert len(picture.nodes) == 4  # the one before, and two after it
        assert "there is no state 99" in buchi("draw", PETERSON, "--trace", trace, "--at", 99).err

    def test_deadlocks_and_failures_are_filled(self, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(COUNTER.replace("255", "1"))
        dead = [label for label, _, style in drawn(model).nodes.values() if "#e0e0e0" in style]
        assert dead == [r"x = 1\ny = 1\nz = 1"]
        model.write_text(COUNTER.replace("x < 255", "1 / (1 - x) > 0").replace("255", "0"))
        (failed,) = [label for label, _, style in drawn(model).nodes.values() if "#f8c0c0" in style]
        assert failed == r"x = 1\ndivision by zero in Count: go -> go"

    def test_messages_have_values(self, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(
            "byte x; channel {byte} c[1];"
            "process P { state a; init a; trans a -> a { sync c!7; }; }"
            "process Q { byte y; state a; init a; trans a -> a { sync c?y; }; }"
            "system async;"
        )
        labels = drawn(model).arrows.values()
        assert any("c!7" in label for label in labels)
        assert any("c?7" in label for label in labels)

    def test_constants(self, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(COUNTER.replace("255", "N").replace("byte", "const byte N = 0; byte", 1))
        assert [len(drawn(model, "-D", f"N={n}").nodes) for n in (0, 1, 2)] == [1, 8, 27]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--format", "png"], "there is no format 'png'"),
            (["--around", "A.critcal"], "the model has no A.critcal"),
            (["--around", "gave_way == 7"], "gave_way == 7 holds in no state"),
            (["--around", "x", "--trace", "y"], "--around and --trace exclude each other"),
            (["--at", "3"], "--at 3 is a state of a trace"),
            (["--max-states", "100000"], "is not from 1 to 10,000"),
            (["--via", "tlba"], "--via is the automaton of a product"),
            (["--ltl", "G p", "--around", "q"], "are for the states of a model alone"),
            (["--ltl", "G A.nowhere"], "the model has no A.nowhere"),
        ],
    )
    def test_what_is_wrong_is_told(self, words, message):
        done = buchi("draw", PETERSON, *words)
        assert done.code == 2
        assert message in done.err


class TestProducts:
    @pytest.mark.parametrize("kind", ["tgba", "tlba", "slba", "tgra", "tfla", "tela", "ta"])
    def test_as_large_as_the_product_that_is_searched(self, kind):
        """A formula that holds: the check has seen all of the product."""
        formula = "G !(A.critical && B.critical)"
        checked = api.check(PETERSON, formula, via=kind)
        picture = drawn(PETERSON, "--ltl", formula, "--via", kind, "--max-states", 9999)
        assert (checked.verdict, len(picture.nodes)) == ("holds", checked.states)

    def test_marks_have_colours_and_states_have_rings(self):
        tgba = buchi("draw", PETERSON, "--ltl", UNFAIR, "--max-states", 30).out
        assert '<font color="#1f78b4"><b>(0)</b></font>' in tgba
        assert "peripheries=2" not in tgba
        tlba = buchi("draw", PETERSON, "--ltl", UNFAIR, "--via", "tlba", "--max-states", 30).out
        assert "<font" not in tlba
        assert "peripheries=2" in tlba

    def test_a_deadlock_stays(self, tmp_path):
        model = tmp_path / "m.dve"
        model.write_text(COUNTER.replace("255", "1"))
        assert any(
            "no command is enabled" in label for label in drawn(model, "--ltl", "F (x == 2)").arrows.values()
        )


class TestAutomata:
    def test_arrows_between_the_same_states_are_one(self):
        picture = Read.of(buchi("translate", "G F a & G F b", "--to", "tgba", "--format", "dot").out)
        assert len(picture.nodes) == 1
        (label,) = [label for (source, _), label in picture.arrows.items() if source == "0"]
        assert label.count("<br/>") == 3
        assert "#1f78b4" in label
        assert "#e31a1c" in label

    def test_what_is_too_long_is_cut(self):
        arrows = [Arrow(0, f"line {i} {'x' * 200}", 0) for i in range(MAX_LINES + 5)]
        label = Read.of(Picture("", [Node("")], arrows).dot()).arrows["0", 0]
        assert label.endswith(r'… 5 more"')
        assert max(map(len, label.split(r"\n"))) < 90

    def test_accepting_states_have_two_rings(self):
        picture = Read.of(buchi("translate", "G (a -> F b)", "--to", "tlba", "--format", "dot").out)
        assert sorted(rings for _, rings, _ in picture.nodes.values()) == [1, 2]

    @needs_graphviz
    @pytest.mark.parametrize("kind", ["tgba", "tlba", "slba", "ta", "tgra", "tfla", "tela"])
    def test_as_svg(self, kind):
        done = buchi("translate", "G (a -> F b)", "--to", kind, "--format", "svg")
        assert done.code == 0
        assert ET.fromstring(done.out).tag == "{http://www.w3.org/2000/svg}svg"

    def test_without_graphviz_there_is_a_message(self, tmp_path):
        done = buchi("translate", "G a", "--to", "tgba", "--format", "svg", PATH=str(tmp_path))
        assert done.code == 2
        assert "Graphviz, which makes pictures, is not installed" in done.err
        assert buchi("draw", PETERSON, "--format", "svg", PATH=str(tmp_path)).code == 2
        assert buchi("draw", PETERSON, PATH=str(tmp_path)).code == 0

    def test_graphviz_that_fails_is_no_crash(self, tmp_path):
        program = tmp_path / "dot"
        program.write_text("#!/bin/sh\nexit 3\n")
        program.chmod(0o755)
        done = buchi("draw", PETERSON, "--format", "svg", PATH=str(tmp_path))
        assert done.code == 2
        assert "Graphviz failed" in done.err

    def test_too_much_is_refused(self):
        picture = Picture("", [Node("")] * 600, [Arrow(i, "", i) for i in range(MAX_DRAWN + 1)])
        with pytest.raises(api.InputError, match="501 arrows"):
            picture.svg()
        assert picture._repr_svg_() is None


@needs_graphviz
class TestSvg:
    def texts(self, svg: str) -> str:
        return " ".join(ET.fromstring(svg).itertext())

    def test_a_model(self):
        done = buchi("draw", PETERSON, "--format", "svg")
        assert done.code == 0
        assert "A: thinking -> hungry" in self.texts(done.out).replace("\N{NO-BREAK SPACE}", " ")

    @pytest.mark.parametrize("marks", [0, 1])
    def test_text_of_others_is_text(self, marks):
        evil = '<script>alert("&")</script>\\N\\G%s&lt;<!--]]>\x1b\ud800'
        picture = Picture(evil, [Node(evil, fill="#ffffff")], [Arrow(0, evil, 0, marks)], boxes=True)
        shown = picture.svg()
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(shown).iter()}
        assert tags <= {"svg", "g", "title", "polygon", "path", "text", "ellipse"}
        assert self.texts(shown).count("<script>alert(") >= 3
        assert "\\N\\G%s&lt;" in self.texts(shown)

    def test_in_a_notebook(self):
        assert ET.fromstring(api.draw(PETERSON, max_states=5)._repr_svg_()) is not None
        assert ET.fromstring(api.translate("G F a", "tgba")._repr_svg_()) is not None


def test_from_python():
    picture = api.draw(PETERSON, UNFAIR, via="tlba", max_states=9, watch="A")
    assert str(picture) == picture.dot()
    words = ("--ltl", UNFAIR, "--via", "tlba", "--max-states", 9, "--watch", "A")
    assert picture.dot() == buchi("draw", PETERSON, *words).out
