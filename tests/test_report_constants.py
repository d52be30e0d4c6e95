"""Formulas that say nothing enter no mean; small numbers and single things are written as what they are."""

from __future__ import annotations

import pytest
from report_records import timed

from buchi.pipeline.cli.report_text import lines
from buchi.pipeline.report import numbers, statistics
from buchi.pipeline.report.cases import gather
from buchi.pipeline.report.counters import SECONDS
from buchi.pipeline.report.page import page
from buchi.pipeline.report.summary import summarise

TWO = [
    timed("a", "tgba", 1),
    timed("a", "tgra", 4),
    timed("c", "tgba", 2, "violated"),
    timed("c", "tgra", 1, "violated"),
]


class TestConstants:
    """Formulas that are true or false whatever the model does."""

    def results(self):
        odd = [
            timed("z", "tgba", 1000, configuration={"property": {"constant": True}}),
            timed("z", "tgra", 1),
        ]
        return gather([*TWO, *odd])

    def test_they_enter_no_mean(self):
        with_it, without = (
            {
                route: {group: (mean.value, mean.cases) for group, mean in row.items()}
                for route, row in statistics.geometric_means(results, SECONDS).rows.items()
            }
            for results in (self.results(), gather(TWO))
        )
        assert with_it == without
        for compute in (
            statistics.totals,
            lambda results, counter: statistics.duel(results, "tgra", counter),
        ):
            assert compute(self.results(), SECONDS) == compute(gather(TWO), SECONDS)

    def test_they_are_marked(self):
        assert self.results().cases[-1].formula == "G a (always true)"
        assert summarise(self.results()).constant == 1
        assert "G a (always true)" in page(self.results(), "1")
        shown = "\n".join(line.plain for line in lines(self.results(), [SECONDS], 80))
        assert "1 case of constant formulas left out." in " ".join(shown.split())

    @pytest.mark.parametrize("value", [None, "true", 1, [], {}])
    def test_what_a_stranger_says_of_it_does_no_harm(self, value):
        for configuration in ({"property": value}, {"property": {"constant": value}}):
            assert gather([timed("a", "tgba", 1, configuration=configuration)]).constants == 0


def test_small_numbers_are_not_zero():
    assert numbers.times(1e-9) == "×1e-09"
    assert dict(summarise(gather([timed("a", "tgba", 2e-6)])).facts)["time"] == "2.00 µs of search in all"


def test_one_of_a_kind_is_not_many():
    html = page(gather([timed("a", "tgba", 1)]), "1")
    assert "<b>1</b><span>run</span>" in html
    assert "<b>1</b><span>route</span>" in html
