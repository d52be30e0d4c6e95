"""The files that a check writes beside what it prints: the counterexample, and reports for servers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from buchi.common.ends import Verdict
from buchi.common.errors import InputError, Place
from buchi.pipeline.cli import output
from buchi.pipeline.cli.lines import line
from buchi.pipeline.cli.trace_files import About, trace_chunks

if TYPE_CHECKING:
    from buchi.schemas.result import CheckResult
    from buchi.schemas.verdicts import Verdicts


@dataclass(frozen=True)
class ResultFiles:
    """Where results are to be kept."""

    trace: Path | None = None
    junit: Path | None = None
    sarif: Path | None = None
    certificate: Path | None = None
    """It is written by the check itself."""

    @classmethod
    def of(cls, *names: str | None) -> ResultFiles:
        """Return the files by their names, in the order of the fields."""
        return cls(*(None if name is None else Path(name) for name in names))

    def check(self, *read: str | None) -> None:
        """Find out before a long search whether its result could be kept, and nothing lost that is read."""
        taken = [Path(name) for name in read if name is not None]
        reports = (("report", self.junit), ("report", self.sarif))
        for what, path in (("trace", self.trace), *reports, ("certificate", self.certificate)):
            if path is not None:
                _check_can_be_written(path, what)
                if any(_are_the_same(path, other) for other in taken):
                    raise InputError(f"the {what} would be written over another file", Place(str(path)))
                taken.append(path)

    @property
    def has_reports(self) -> bool:
        """Is there anything to report, to a file or to GitHub?"""
        return bool(self.junit or self.sarif or _for_github())

    def report(self, verdicts: Verdicts) -> None:
        """Write the reports; a failure is a warning, since the verdicts stand."""
        from buchi.pipeline.cli.ci import github
        from buchi.pipeline.cli.ci.junit import junit
        from buchi.pipeline.cli.ci.sarif import sarif

        _report(self.junit, junit, verdicts)
        _report(self.sarif, sarif, verdicts)
        if _for_github():
            for command in github.commands(verdicts):
                output.print_message(line(command))

    def miss_certificate(self, result: CheckResult) -> None:
        """Warn where a certificate was wanted and there is none."""
        if self.certificate is not None and result.verdict is not Verdict.HOLDS:
            output.warn(f"there is no certificate to write to {self.certificate}")

    def write_trace(self, result: CheckResult, about: About) -> str | None:
        """Write the counterexample, if that is wanted, and return where it is."""
        if self.trace is None:
            return None
        found = result.counterexample
        if found is None:
            output.warn(f"there is no counterexample to write to {self.trace}")
            return None
        try:
            chunks = trace_chunks(self.trace, found, about)
        except InputError as error:
            output.warn(f"the counterexample could not be written: {error}")
            return None
        return str(self.trace) if _written(self.trace, chunks, "counterexample") else None


def _for_github() -> bool:
    """Does GitHub Actions read what is printed? It says so to every program that it runs."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _report(path: Path | None, made: Callable[[Verdicts], str], verdicts: Verdicts) -> None:
    if path is not None:
        _written(path, [made(verdicts)], "report")


def _written(path: Path, chunks: Iterable[str], what: str) -> bool:
    from buchi.pipeline.whole_files import written_whole

    try:
        with written_whole(path) as file:
            file.writelines(chunks)
    except InputError as error:
        output.warn(f"the {what} could not be written: {error}")
        return False
    return True


def _check_can_be_written(path: Path, what: str) -> None:
    try:
        if path.is_dir():
            raise InputError(f"this is a directory, not a file for the {what}", Place(str(path)))
        if not path.parent.is_dir():
            raise InputError(f"there is no such directory for the {what}", Place(str(path.parent)))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(str(path))) from None


def _are_the_same(path: Path, other: Path) -> bool:
    """Do two names lead to one file? Where there is none yet, the names decide; a pipe takes both."""
    if path.exists():
        return path.is_file() and other.exists() and path.samefile(other)
    return path.absolute() == other.absolute()
