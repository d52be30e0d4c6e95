"""What `buchi check` is asked where that is more than one question: several formulas, or a file of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from buchi.common.errors import InputError
from buchi.common.interrupts import held_back
from buchi.common.option_names import option
from buchi.pipeline.cli.result_files import ResultFiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from buchi.pipeline.loading import Given
    from buchi.pipeline.options import CheckOptions
    from buchi.pipeline.routes import Wishes


@dataclass(frozen=True)
class Asked:
    """What is asked of a model by options of which some exclude others."""

    model: str | Given
    ltl: list[str]
    properties: str | None
    mcc: str | None
    only: list[str] | None
    jobs: str | None

    @property
    def are_many(self) -> bool:
        """Are there several properties, or is there a file of them?"""
        return self.properties is not None or len(self.ltl) > 1

    def check_alone(self, single: Sequence[object], files: ResultFiles, coverage: bool) -> None:
        """Refuse options that do not go together; `single` are those that belong to one question, if given."""
        others = [self.ltl, *single]
        if self.mcc is not None and any([*others, self.properties, files != ResultFiles(), coverage]):
            raise InputError(
                f"{option('mcc')} has formulas of its own, no reports, no trace, no race and no coverage",
                suggestion="give it alone",
            )
        if self.properties is not None and any(others):
            raise InputError(
                f"{option('properties')} has formulas of its own, and no race",
                suggestion="put all of them into the file",
            )
        if self.are_many and any(single):
            excluded = ", ".join(map(option, ("automaton", "deadlock_free", "race")))
            raise InputError(
                f"several formulas exclude {excluded} and {option('isolate')}",
                suggestion="give one formula",
            )
        if self.are_many and coverage:
            raise InputError(
                f"{option('coverage')} tells of the model, whatever the properties",
                suggestion=f"ask `buchi explore` for it, by {option('coverage')}",
            )
        self._check_belonging()

    def _check_belonging(self) -> None:
        files = f"{option('properties')} and {option('mcc')}"
        if self.only and self.properties is None and self.mcc is None:
            raise InputError(f"{option('only')} belongs to {files}")
        if self.jobs is not None and not self.are_many and self.mcc is None:
            raise InputError(f"{option('jobs')} belongs to {files}, and to several formulas")

    def told(self, options: CheckOptions, wishes: Wishes, files: ResultFiles, *, as_json: bool) -> int | None:
        """Answer several questions, print the answers and return the exit code; None if there is only one."""
        from buchi.pipeline import arguments

        at_a_time = arguments.jobs(self.jobs, False) or 1
        if self.mcc is not None:
            with held_back():
                from buchi.pipeline.cli import mcc
                from buchi.pipeline.mcc import Examination

            asked = Examination.of(self.model, self.mcc, self.only or [], options, wishes)
            return mcc.told(asked, at_a_time, as_json=as_json)
        if self.are_many:
            with held_back():
                from buchi.pipeline.check_all import Shared
                from buchi.pipeline.cli import properties
                from buchi.pipeline.property_files import given

            wanted = given(self.ltl, self.properties, self.only or [], options)
            shared = Shared(options, wishes, at_a_time, self.properties)
            return properties.told(self.model, wanted, shared, files, as_json=as_json)
        return None
