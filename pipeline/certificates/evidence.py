"""The certificate of a verdict `holds`: written when the search is done, certified, and kept if that is asked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from tempfile import SpooledTemporaryFile
from typing import IO, BinaryIO, cast

from buchi import _engine
from buchi.common.errors import InputError, InternalError, LimitReached
from buchi.pipeline import search
from buchi.pipeline.certificates.certifying import Question, certify
from buchi.pipeline.certificates.writing import clauses_of, write
from buchi.pipeline.prepared import Prepared
from buchi.pipeline.search import Deadline, Watch
from buchi.pipeline.task import Task
from buchi.pipeline.whole_files import written_whole
from buchi.schemas.certificate import Certified

IN_MEMORY = 1 << 20
"""Bytes of a certificate that needs no file while it is certified."""


class Evidence:
    """A certificate in a file that nobody sees, until it proves to be one."""

    def __init__(self, task: Task, deadline: Deadline) -> None:
        self._task = task
        self._deadline = deadline
        self._file: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  (it is gone with this context)

    def __enter__(self) -> Evidence:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def take(self, product: _engine.Product, prepared: Prepared, checker: str, watch: Watch) -> None:
        """Write the certificate of a product that was searched. Raises InputError and LimitReached."""
        clauses, limits = clauses_of(prepared), self._task.options.limits
        numbered = {fin for fin, _ in _engine.CertificateRows(product).numberings}
        if not {clause.fin for clause in clauses} <= numbered:
            ended = search.number_components(product, clauses, limits, self._deadline, watch)
            if ended.reason is not None:
                raise LimitReached(ended.reason)
        write(cast(BinaryIO, self._file), self._task, prepared, product, checker, self._deadline)

    def certified(self) -> Certified | None:
        """Certify it, if that is asked for, and keep the file that is asked for. One that is refused is a bug."""
        options, result = self._task.options, None
        if options.certified:
            result = self._read(self._certify)
        if options.certificate is not None:
            self._read(self._keep)
        return result

    def _read(self, use: Callable[[BinaryIO], Certified | None]) -> Certified | None:
        self._file.seek(0)
        return use(cast(BinaryIO, self._file))

    def _certify(self, file: BinaryIO) -> Certified:
        question = Question(workers=self._task.options.workers, deadline=self._deadline)
        try:
            return certify(file, "certificate", question, self._task.model.loaded)
        except InputError as error:
            raise InternalError(f"the verdict `holds` is not proved by its certificate: {error}") from None

    def _keep(self, file: BinaryIO) -> None:
        assert self._task.options.certificate is not None
        with written_whole(self._task.options.certificate) as goal:
            shutil.copyfileobj(file, goal.buffer)
