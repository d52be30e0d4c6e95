"""Reports: statistics against numbers computed by hand, escaping, files, the command."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from itertools import pairwise, permutations

import pytest
from report_records import EVIL, lost, many, record, timed
from runner import buchi

from buchi.common.ends import Verdict
from buchi.common.errors import InputError
from buchi.pipeline.cli.report_text import lines
from buchi.pipeline.experiments.store import Store
from buchi.pipeline.pages.assembly import embedded
from buchi.pipeline.report import counters, figures, numbers, statistics, tables
from buchi.pipeline.report.cases import gather
from buchi.pipeline.report.counters import SECONDS, STATES, Unit
from buchi.pipeline.report.latex import escape, latex
from buchi.pipeline.report.page import page
from buchi.pipeline.report.statistics import Group
from buchi.pipeline.report.summary import summarise
from buchi.schemas.run import Measured

# Two routes on four cases: "a" and "b" hold, "c" and "d" are violated.
FOUR = [
    timed("a", "tgba", 1),
    timed("a", "tgra", 4),
    timed("b", "tgba", 4),
    timed("b", "tgra", 4),
    timed("c", "tgba", 2, "violated"),
    timed("c", "tgra", 1, "violated"),
    timed("d", "tgba", 8, "violated"),
    timed("d", "tgra", 16, "violated"),
]


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "results.db"
    with Store.open(path) as opened:
        for run in FOUR:
            opened.add(run)
    return path


class TestCases:
    def test_the_order_of_the_runs_does_not_matter(self):
        made = {page(gather(order), "1") for order in permutations(FOUR[:4])}
        assert len(made) == 1

    def test_a_run_that_occurs_twice_counts_once(self):
        assert len(gather(FOUR + FOUR).runs) == len(FOUR)

    def test_what_was_run_again_under_other_limits_is_no_repetition(self):
        before = lost("a", "tgba", key="before")
        after = timed("a", "tgba", 2, key="after", started="2026-01-02T00:00:00Z")
        for order in permutations([before, after]):
            results = gather(order)
            assert results.cases[0].outcomes["tgba"].runs == (after,)
            assert results.replaced == 1
            assert "1 earlier run of the same left out" in lines(results, [], 80)[0].plain

    def test_orders_are_repetitions(self):
        runs = [
            timed("a", "tgba", i, key=str(i), configuration={"order": f"random:{i}"}) for i in range(1, 4)
        ]
        assert len(gather(runs).cases[0].outcomes["tgba"].runs) == 3

    def test_repetitions_are_one_outcome_with_the_mean_of_their_values(self):
        runs = [timed("a", "tgba", value, repetition=i) for i, value in enumerate((1, 2, 6))]
        (case,) = gather(runs).cases
        assert case.outcomes["tgba"].value(SECONDS) == 3
        assert case.outcomes["tgba"].finished

    def test_a_repetition_that_ran_out_of_time_unfinishes_the_outcome(self):
        (case,) = gather([timed("a", "tgba", 1), lost("a", "tgba", repetition=1)]).cases
        assert case.outcomes["tgba"].verdict is Verdict.HOLDS
        assert not case.outcomes["tgba"].finished

    def test_the_baseline_is_asked_for_or_tgba_or_the_first(self):
        runs = [timed("a", route, 1) for route in ("slba", "tgba", "ta")]
        assert gather(runs).routes == ("tgba", "slba", "ta")
        assert gather(runs, baseline="ta").routes == ("ta", "slba", "tgba")
        assert gather(runs, ["ta", "slba"]).baseline == "ta"
        assert gather(runs[:1]).baseline == "slba"

    @pytest.mark.parametrize("arguments", [{"baseline": "tgbq"}, {"routes": ["tgbq"]}])
    def test_an_unknown_route_is_named(self, arguments):
        with pytest.raises(InputError, match=r"tgbq.*\n.*tgba"):
            gather(FOUR, **arguments)

    def test_no_runs_is_an_error(self):
        with pytest.raises(InputError, match="no runs"):
            gather([])


class TestDisagreements:
    def test_routes_that_contradict_each_other(self):
        results = gather([timed("a", "tgba", 1), timed("a", "ta", 1, "violated"), timed("b", "tgba", 1)])
        assert [case.model for case in results.disputed] == ["a"]
        assert tables.disputes_table(results).rows == (("a", "G a", "tgba", "ta"),)

    def test_a_route_that_contradicts_itself(self):
        runs = [timed("a", "ta", 1, verdict, repetition=i) for i, verdict in enumerate(("holds", "violated"))]
        assert tables.disputes_table(gather(runs)).rows == (
            ("a", "G a", "ta (1 of 2 runs)", "ta (1 of 2 runs)"),
        )

    def test_a_limit_contradicts_nothing(self):
        results = gather([timed("a", "tgba", 1), lost("a", "ta")])
        assert results.disputed == []

    def test_another_content_or_semantics_is_another_question(self):
        runs = [
            timed("a", "tgba", 1, configuration={"deadlock": "stutter", "model": {"sha256": "0" * 64}}),
            timed(
                "a", "ta", 1, "violated", configuration={"deadlock": "drop", "model": {"sha256": "0" * 64}}
            ),
        ]
        results = gather(runs)
        assert results.disputed == []
        assert [case.model for case in results.cases] == ["a (drop)", "a (stutter)"]

    def test_disputed_cases_enter_no_mean(self):
        disputed = [timed("e", "tgba", 100), timed("e", "tgra", 100, "violated")]
        means = statistics.geometric_means(gather(FOUR + disputed), SECONDS)
        assert means.cases[Group.ALL] == 4


class TestStatistics:
    def test_geometric_mean(self):
        assert statistics.geometric_mean([1, 4, 16]) == pytest.approx(4)
        assert statistics.geometric_mean([]) is None

    def test_means_by_verdict(self):
        means = statistics.geometric_means(gather(FOUR), SECONDS)
        assert means.cases == {Group.HOLDS: 2, Group.VIOLATED: 2, Group.ALL: 4}
        found = means.rows["tgra"]
        assert found[Group.HOLDS].value == pytest.approx(4)  # sqrt(4 * 4)
        assert found[Group.HOLDS].ratio == pytest.approx(2)  # sqrt(1 * 4) = 2 of tgba
        assert found[Group.VIOLATED].value == pytest.approx(4)  # sqrt(1 * 16)
        assert found[Group.VIOLATED].ratio == pytest.approx(1)  # sqrt(2 * 8) = 4
        assert found[Group.ALL].value == pytest.approx(4)  # (4 * 4 * 1 * 16) ** (1 / 4)
        assert found[Group.ALL].ratio == pytest.approx(4 / 64**0.25)
        assert all(mean.ratio == 1 for mean in means.rows["tgba"].values())

    def test_means_are_over_what_all_routes_finished(self):
        runs = [*FOUR, timed("e", "tgba", 1000), lost("e", "tgra"), timed("f", "tgba", 1000)]
        assert statistics.geometric_means(gather(runs), SECONDS) == statistics.geometric_means(
            gather(FOUR), SECONDS
        )

    def test_a_zero_has_no_logarithm(self):
        means = statistics.geometric_means(
            gather([*FOUR, timed("e", "tgba", 0), timed("e", "tgra", 1)]), SECONDS
        )
        assert (means.cases[Group.ALL], means.dropped) == (4, 1)

    def test_a_duel_needs_only_the_two(self):
        runs = [*FOUR, timed("e", "tgba", 1), lost("e", "tgra"), lost("f", "tgba"), timed("f", "tgra", 1)]
        third = [lost(model, "ta") for model in "abcdef"]
        results = gather(runs + third)
        assert statistics.geometric_means(results, SECONDS).cases[Group.ALL] == 0
        duel = statistics.duel(results, "tgra", SECONDS)
        assert duel.means[Group.ALL].cases == 4
        assert (duel.better, duel.equal, duel.worse) == (1, 1, 2)
        assert (duel.only_route, duel.only_baseline) == (1, 1)

    def test_totals(self):
        number, found = statistics.totals(gather(FOUR), SECONDS)
        assert number == 4
        assert (found["tgba"].total, found["tgra"].total) == (15, 25)
        assert found["tgra"].percent == pytest.approx(100 * 25 / 15)
        assert (found["tgra"].average, found["tgra"].maximum) == (6.25, 16)
        assert (found["tgba"].best, found["tgba"].tied) == (50, 75)
        assert (found["tgra"].best, found["tgra"].tied) == (25, 50)

    def test_sizes_are_over_what_holds(self):
        small = Measured(automaton_states=2, automaton_pairs=1, states=10, transitions=10)
        large = Measured(automaton_states=8, automaton_pairs=1, states=1000, transitions=10)
        runs = [record("a", measured=small), record("b", measured=large)]
        runs.append(record("c", measured=large, verdict="violated"))
        ((_, automaton, pairs, states, _),) = tables.sizes_table(gather(runs)).rows
        assert (automaton.value, pairs.value, states.value) == pytest.approx((4, 1, 100))

    def test_how_runs_ended(self):
        runs = [timed("a", "ta", 1), lost("b", "ta"), record("c", route="ta", status="killed", verdict=None)]
        table = tables.ends_table(gather(runs))
        assert table.columns == ("Route", "Runs", "Holds", "Out of time", "Killed")
        assert table.rows == (("ta", 3, 1, 1, 1),)

    def test_a_failure_is_told_in_its_first_line(self):
        said = "m.dve:1:1: there is no x\n  x\n  ^"
        table = tables.messages_table(gather([record(status="failed", verdict=None, message=said)]))
        assert table.rows == (("tgba", "failed", "m.dve:1:1: there is no x", 1),)

    def test_one_route_is_compared_with_nothing(self):
        one = gather(FOUR[:1])
        notes = [table.note for table in (*tables.comparisons(one, [SECONDS]), tables.sizes_table(one))]
        assert not [note for note in notes if "all 1 routes" in note or "how many times" in note]

    def test_the_summary_counts(self):
        summary = summarise(gather([*FOUR, lost("e", "tgba"), record("f", status="failed", verdict=None)]))
        assert (summary.runs, summary.cases, summary.models, summary.routes) == (10, 6, 6, 2)
        assert (summary.holds, summary.violated, summary.unknown, summary.failed) == (4, 4, 1, 1)
        assert (summary.compared, summary.disputed) == (4, 0)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, Unit.COUNT, "–"),
        (7, Unit.COUNT, "7"),
        (4_020_000, Unit.COUNT, "4.02 M"),
        (999_999, Unit.COUNT, "1.00 M"),
        (2.5, Unit.COUNT, "2.50"),
        (3.0000000000000004, Unit.COUNT, "3"),
        (0.0017, Unit.SECONDS, "1.70 ms"),
        (34.25, Unit.SECONDS, "34.2 s"),
        (5e-6, Unit.SECONDS, "5.00 µs"),
        (12 * 2**20, Unit.BYTES, "12.0 MiB"),
    ],
)
def test_numbers_are_written_for_people(value, unit, text):
    assert numbers.written(value, unit) == text


def test_an_unknown_counter_is_named():
    assert counters.find("post-calls").name == "post_calls"
    with pytest.raises(InputError, match=r"statez.*\n.*states"):
        counters.find("statez")


class Reader(HTMLParser):
    """Collects the elements of a page and the text of its table of disagreements."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


class TestPage:
    def test_hostile_names_stay_text(self):
        runs = [
            record(EVIL, EVIL, EVIL, experiment=EVIL, machine={EVIL: EVIL}),
            record(EVIL, EVIL, "tgba", verdict="violated"),
            record("m", EVIL, EVIL, status="failed", verdict=None, message=EVIL),
        ]
        reader = Reader()
        reader.feed(page(gather(runs), "1"))
        names = [tag for tag, _ in reader.tags]
        assert names.count("script") == 2
        assert "img" not in names
        assert not [
            attributes for _, attributes in reader.tags if any(name.startswith("on") for name in attributes)
        ]

    def test_nothing_is_loaded(self):
        reader = Reader()
        reader.feed(page(gather(FOUR), "1"))
        sources = [
            value for _, some in reader.tags for name, value in some.items() if name in ("src", "href")
        ]
        assert [source for source in sources if not (source or "").startswith(("#", "data:"))] == []

    def test_the_data_cannot_end_the_script(self):
        text = embedded({"a": "</script><!--\u2028"})
        assert not set(text) & set("<>&\u2028")
        assert json.loads(text) == {"a": "</script><!--\u2028"}

    def test_disagreements_come_first(self):
        text = page(gather([timed("a", "tgba", 1), timed("a", "ta", 1, "violated")]), "1")
        assert text.index('id="disagreements"') < text.index('id="summary"')
        assert "No disagreement" not in text

    def test_agreement_is_said(self):
        assert "No disagreement: 4 cases" in page(gather(FOUR), "1")
        assert "none could be compared" in page(gather(FOUR[:1]), "1")

    def test_every_counter_has_its_tables(self):
        text = page(gather(list(many(2, 5, 3))), "1")
        for counter in ("seconds", "states", "transitions", "post_calls", "max_depth", "bytes"):
            assert f'id="means-{counter}"' in text
        assert 'id="means-cpu_seconds"' not in text  # nobody measured it


class TestLatex:
    def test_escaping(self):
        assert escape("a_b & 50% #1 $x$ {y} ~ ^ \\") == (
            r"a\_b \& 50\% \#1 \$x\$ \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
        )
        assert escape("<->\n") == r"\textless{}-{}\textgreater{} "

    def test_a_table(self):
        text = latex([tables.means_table(gather(FOUR), SECONDS)])
        assert r"\begin{tabular}{lrrr}" in text
        assert r"Route & Violated (2) & Holds (2) & All (4) \\" in text
        assert r"tgra & 4.00\,s & 4.00\,s (2.00) & 4.00\,s (1.41) \\" in text

    def test_hostile_names_stay_text(self):
        text = latex([tables.ends_table(gather([record(route=EVIL)]))])
        assert r"\alert" not in text
        line = next(line for line in text.splitlines() if "script" in line)
        assert not re.search(r"(?<!\\)[$#%]", line.replace(r"$\times$", ""))


class TestFigures:
    def test_the_same_runs_give_the_same_files(self, tmp_path):
        results = gather(list(many(1, 4, 2)))
        folders = [tmp_path / "one", tmp_path / "two"]
        for folder in folders:
            folder.mkdir()
            figures.write_svg(results, [STATES], folder)
            figures.write_pdf(results, [SECONDS], folder / "all.pdf")
        names = sorted(path.name for path in folders[0].iterdir())
        assert "cactus-states.svg" in names
        assert "scatter-states-1-tgba-route_1.svg" in names
        for name in names:
            assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()

    @pytest.mark.parametrize("span", [1, 5, 30, 400, 10**6])
    def test_labels_of_an_axis_do_not_overlap(self, span):
        runs = [
            timed(model, route, value) for model, value in (("a", 1e-5), ("b", span * 1e-5)) for route in "xy"
        ]
        figure = figures.scatter(gather(runs), "x", "y", SECONDS)
        figure.canvas.draw()
        (axes,) = figure.axes
        boxes = [
            label.get_window_extent() for label in axes.get_xticklabels(which="both") if label.get_text()
        ]
        shown = sorted(
            (box.x0, box.x1) for box in boxes if axes.bbox.x0 <= (box.x0 + box.x1) / 2 <= axes.bbox.x1
        )
        assert len(shown) >= 2
        assert all(left[1] < right[0] for left, right in pairwise(shown))

    def test_hostile_names_and_no_results(self, tmp_path):
        results = gather([lost(EVIL, "tgba"), lost(EVIL, EVIL)])
        figures.write_svg(results, [SECONDS], tmp_path)
        assert all(path.parent == tmp_path for path in tmp_path.iterdir())


def test_a_name_cannot_steer_the_terminal():
    shown = lines(gather([record(route="a\x1b[31mb\n")]), [], 80)
    named = [line for line in shown if "[31mb" in line.plain]
    assert named
    assert not [line for line in named if "\x1b" in line.plain or "red" in str(line.spans)]


class TestCommand:
    def test_on_the_terminal(self, store):
        ended = buchi("report", store)
        assert ended.code == 0
        assert "8 runs, 4 cases, 2 routes" in ended.out
        assert "geometric means" in ended.out

    def test_as_json(self, store):
        ended = buchi("report", store, "--json", "--baseline", "tgra")
        rows = {row[0]: row[1:] for row in ended.json["tables"]["means-seconds"]["rows"]}
        assert rows["tgba"][1]["ratio"] == pytest.approx(0.5)
        assert (ended.json["runs"], ended.json["disputed"]) == (8, 0)

    def test_all_files(self, store, tmp_path):
        names = {"--html": "r.html", "--latex": "r.tex", "--pdf": "r.pdf", "--svg": "figures"}
        options = [str(part) for name, file in names.items() for part in (name, tmp_path / file)]
        assert buchi("report", store, *options).code == 0
        assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
        assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
        assert r"\toprule" in (tmp_path / "r.tex").read_text(encoding="utf-8")
        assert (tmp_path / "figures" / "sizes.svg").exists()

    def test_two_files_of_results(self, store, tmp_path):
        other = tmp_path / "other.db"
        with Store.open(other) as opened:
            opened.add(timed("z", "ta", 1))
        assert buchi("report", store, other, "--json").json["runs"] == 9

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--baseline", "nope"], "no such route"),
            (["--counter", "nope"], "no counter"),
            (["--html", "/nonexistent/r.html"], "cannot be written"),
        ],
    )
    def test_mistakes_are_named(self, store, arguments, message):
        ended = buchi("report", store, *arguments)
        assert (ended.code, message in ended.err) == (2, True)

    def test_a_file_that_is_not_there(self, tmp_path):
        ended = buchi("report", tmp_path / "none.db")
        assert (ended.code, "none.db" in ended.err) == (2, True)
        assert not (tmp_path / "none.db").exists()

    def test_figures_without_matplotlib_say_what_to_install(self, store, tmp_path, monkeypatch):
        monkeypatch.delitem(sys.modules, "buchi.pipeline.report.figures")
        monkeypatch.delattr("buchi.pipeline.report.figures")
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        ended = buchi("report", store, "--pdf", tmp_path / "r.pdf")
        assert (ended.code, "buchi[report]" in ended.err) == (2, True)
