"""The store of results: a SQLite file with one row per run, found again by the key of the run.

Each record is a transaction of its own in a write-ahead log, so that a process that is killed at any moment leaves
all that was added before. One process writes; others, such as a report, may read meanwhile.
"""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from typing_extensions import Self

from buchi.common.complaints import Complaint
from buchi.common.ends import Verdict
from buchi.common.errors import InputError, Place
from buchi.pipeline.experiments.run import verdict_told_by
from buchi.schemas.run import Measured, RunRecord, RunStatus

FORMAT = 1
"""Kept in the file, so that a later version can tell what it reads."""

JSON_COLUMNS = ("versions", "machine", "configuration", "counterexample")
MEASURED = tuple(Measured.model_fields)
SCALARS = tuple(name for name in RunRecord.model_fields if name not in (*JSON_COLUMNS, "measured"))
COLUMNS = (*SCALARS, *MEASURED, *JSON_COLUMNS)
"""The columns of the table `runs`: the scalars of a record, what it measured, and the rest as JSON."""

INTEGERS = {"workers", "repetition", *MEASURED} - {"seconds", "cpu_seconds", "certified_seconds"}
REALS = {"seconds", "cpu_seconds", "certified_seconds"}
_NAMES = ", ".join(COLUMNS)
_LATER = ("max_stack", "components", "passes", "reduced_posts", "left_out", "certified_seconds")
"""Columns that the files of earlier versions lack."""
_SOURCES = "CREATE TABLE IF NOT EXISTS sources (sha256 TEXT PRIMARY KEY, text TEXT)"
_INSERT = f"INSERT OR REPLACE INTO runs ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"


class Told(NamedTuple):
    """What a run came to; `error` is why there is no verdict."""

    verdict: Verdict | None
    error: str | None


class Store:
    """The runs of an experiment; see the module for what it promises."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path | str, *, must_exist: bool = False) -> Self:
        """Open a store, or make an empty one unless it `must_exist`, and so is to be read. Raises InputError."""
        path = Path(path)
        if must_exist and not path.is_file():
            raise InputError("there is no such file of results", Place(str(path)))
        if path.is_dir() or not path.absolute().parent.is_dir():
            raise InputError("there can be no file of results here", Place(str(path)))
        with _usable(path):
            connection = sqlite3.connect(
                _address(path, must_exist), uri=True, timeout=60, isolation_level=None
            )
            with ExitStack() as stack:
                stack.callback(connection.close)
                _prepare(connection, path, only_read=must_exist)
                stack.pop_all()
        return cls(path, connection)

    def close(self) -> None:
        """Close the file; the log beside it is merged and removed."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, record: RunRecord) -> None:
        """Keep a record; a record of the same run before it, such as one that was killed, is replaced."""
        with _usable(self.path):
            self._connection.execute(_INSERT, _row(record))

    def skip(self, key: str, reason: str) -> None:
        """Keep that a run was left out, since the selection of the experiment or its route does not apply.

        A record of the same run before it, such as one that was killed, is no longer true.
        """
        with _usable(self.path):
            self._connection.execute("INSERT OR REPLACE INTO skipped VALUES (?, ?)", (key, reason))
            self._connection.execute("DELETE FROM runs WHERE key = ?", (key,))

    def state(self, key: str) -> RunStatus | str | None:
        """Return how the run with this key ended, why it was left out, or None when it is yet to be done."""
        with _usable(self.path):
            found = self._connection.execute("SELECT status FROM runs WHERE key = ?", (key,)).fetchone()
            if found:
                return RunStatus(found[0])
            query = "SELECT reason FROM skipped WHERE key = ?"
            left_out = self._connection.execute(query, (key,)).fetchone()
        return str(left_out[0]) if left_out else None

    def told(self, key: str) -> Told:
        """Return what a run came to: its verdict, also where that left it out, or what went wrong."""
        with _usable(self.path):
            query = "SELECT verdict, status, message FROM runs WHERE key = ?"
            found = self._connection.execute(query, (key,)).fetchone()
            if found:
                failed = RunStatus(found[1]) is not RunStatus.DONE
                return Told(found[0] and Verdict(found[0]), str(found[2] or found[1]) if failed else None)
        state = self.state(key)
        return Told(verdict_told_by(state) if state else None, None)

    def expect(self, verdicts: Iterable[tuple[str, Verdict | None]]) -> None:
        """Let the records of runs, by their keys, say which verdicts are expected now."""
        where = "'$.property.expected'"
        query = (
            f"UPDATE runs SET configuration = json_set(configuration, {where}, ?2)"
            f" WHERE key = ?1 AND json_extract(configuration, {where}) IS NOT ?2"
        )
        with _usable(self.path):
            self._connection.execute("BEGIN")
            self._connection.executemany(
                query, ((key, verdict and verdict.value) for key, verdict in verdicts)
            )
            self._connection.execute("COMMIT")

    def failures(self, experiment: str) -> set[str]:
        """Return the keys of the runs of an experiment that failed or were killed."""
        query = "SELECT key FROM runs WHERE experiment = ? AND status != 'done'"
        with _usable(self.path):
            return {str(key) for (key,) in self._connection.execute(query, (experiment,))}

    def forget(self, keys: Iterable[str]) -> None:
        """Remove runs."""
        with _usable(self.path):
            self._connection.executemany("DELETE FROM runs WHERE key = ?", [(key,) for key in keys])

    def records(self) -> Iterator[RunRecord]:
        """Yield all records, in the order in which they were added."""
        with _usable(self.path):
            there = _columns(self._connection)
            names = ", ".join("NULL" if n in _LATER and n not in there else n for n in COLUMNS)
            found = self._connection.execute(f"SELECT {names} FROM runs ORDER BY rowid")
        while True:
            with _usable(self.path):
                row = found.fetchone()
                if row is None:
                    return
                record = _record(dict(zip(COLUMNS, row, strict=True)))
            yield record

    def counterexample(self, key: str) -> Any:
        """Return the counterexample of a run as it was kept, which may be anything; None where there is none."""
        query = "SELECT counterexample FROM runs WHERE key = ?"
        with _usable(self.path):
            found = self._connection.execute(query, (key,)).fetchone()
            return _parsed(found[0]) if found and found[0] else None

    def keep_source(self, digest: str, text: str) -> None:
        """Keep the text of a model, for those who look at its counterexamples."""
        with _usable(self.path):
            self._connection.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", (digest, text))

    def source(self, digest: str) -> str | None:
        """Return the text of a model, if it was kept."""
        with _usable(self.path):
            if "sources" not in _tables(self._connection):
                return None
            query = "SELECT text FROM sources WHERE sha256 = ?"
            found = self._connection.execute(query, (digest,)).fetchone()
        return found[0] if found and isinstance(found[0], str) else None

    def rows(self) -> Iterator[list[Any]]:
        """Yield all records as plain rows of `COLUMNS`, with nothing in them but what is valid."""
        return map(_row, self.records())

    def counts(self) -> Mapping[str, int]:
        """Return how many runs ended how; those left out are `skipped`."""
        query = (
            "SELECT status, count(*) FROM runs GROUP BY status UNION SELECT 'skipped', count(*) FROM skipped"
        )
        return dict(self._connection.execute(query))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep a second runner away from this file. Raises InputError when there is one."""
        file = Path(f"{self.path}-lock")
        try:
            descriptor = os.open(file, os.O_CREAT | os.O_RDWR, 0o644)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", Place(str(self.path))) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not os.fstat(
                descriptor
            ).st_nlink:  # a runner that ended just now removed it: it keeps nobody away
                raise FileNotFoundError
        except OSError:
            os.close(descriptor)
            raise InputError("another run writes to these results", Place(str(self.path))) from None
        try:
            yield
        finally:
            with suppress(OSError):
                file.unlink()
            os.close(descriptor)


def refuse_to_replace(results: Path, file: Path) -> None:
    """Refuse to write a table or a page over the results that it is made of. Raises InputError."""
    if file.exists() and file.samefile(results):
        raise InputError("this is the file of results itself, which would be lost", Place(str(file)))


@contextmanager
def _usable(path: Path) -> Iterator[None]:
    """Name the file where it is damaged, is something else, or cannot be written, such as on a full disk."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"this file of results cannot be used: {error}", Place(str(path))) from None
    except (ValueError, TypeError, RecursionError) as error:
        why = f" ({Complaint.of(error)})" if isinstance(error, ValidationError) else ""
        message = f"this file of results is damaged: a run in it makes no sense{why}"
        raise InputError(message, Place(str(path))) from None


def _address(path: Path, only_read: bool) -> str:
    """Return how SQLite is to open the file.

    Readers of a write-ahead log write beside it. Where they may not, nobody writes, and the file is all there is.
    """
    sealed = only_read and not os.access(path.absolute().parent, os.W_OK) and not Path(f"{path}-wal").exists()
    return path.absolute().as_uri() + ("?immutable=1" if sealed else "")


def _prepare(connection: sqlite3.Connection, path: Path, *, only_read: bool) -> None:
    """Make the tables in a file that is new; another process may do the same at the same time."""
    for pragma in ("synchronous = NORMAL", "trusted_schema = OFF", "cell_size_check = ON"):
        connection.execute(f"PRAGMA {pragma}")
    if only_read:
        connection.execute("PRAGMA query_only = ON")
    if _is_ready(connection, path):
        _check_tables(connection, path, only_read)
        if not only_read:
            _add_columns(connection)
            connection.execute(_SOURCES)
        return
    if only_read:
        raise InputError("there are no results in this file", Place(str(path)))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    if not _is_ready(connection, path):
        columns = ", ".join(f"{name} {_type(name)}" for name in COLUMNS)
        connection.execute(f"CREATE TABLE runs ({columns})")
        connection.execute("CREATE TABLE skipped (key TEXT PRIMARY KEY, reason TEXT)")
        connection.execute(_SOURCES)
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    connection.execute("COMMIT")


def _is_ready(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file has the tables, or none yet. Raises InputError when it is something else."""
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if found == FORMAT:
        return True
    if found != 0:
        raise InputError(
            f"these results have the format {found}, and this version reads {FORMAT}", Place(str(path))
        )
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise InputError("this database holds something else than results", Place(str(path)))
    return False


def _check_tables(connection: sqlite3.Connection, path: Path, only_read: bool) -> None:
    """Refuse a file that would compute something when it is read or written: views, triggers and the like."""
    query = "SELECT type, upper(sql) FROM sqlite_master WHERE name IN ('runs', 'skipped', 'sources')"
    kinds = connection.execute(query).fetchall()
    odd = any(kind != "table" or str(text).startswith("CREATE VIRTUAL") for kind, text in kinds)
    hidden = "SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden != 0"
    odd |= any(connection.execute(hidden, (name,)).fetchone()[0] for name in ("runs", "sources"))
    (triggers,) = connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'").fetchone()
    needed = {"runs", "skipped"} <= _tables(connection)
    if odd or not needed or (triggers and not only_read):
        raise InputError("this file of results cannot be used: it is not made by buchi", Place(str(path)))


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _columns(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('runs')")}


def _add_columns(connection: sqlite3.Connection) -> None:
    """Bring the file of an earlier version up to date."""
    if {*_LATER} <= _columns(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    for name in _LATER:
        if name not in _columns(connection):
            connection.execute(f"ALTER TABLE runs ADD COLUMN {name} {_type(name)}")
    connection.execute("COMMIT")


def _type(name: str) -> str:
    if name == "key":
        return "TEXT PRIMARY KEY"
    return "INTEGER" if name in INTEGERS else "REAL" if name in REALS else "TEXT"


def _row(record: RunRecord) -> list[Any]:
    content = record.model_dump(mode="json")
    measured = content.pop("measured")
    return [
        *(content[name] for name in SCALARS),
        *(measured[name] for name in MEASURED),
        *(None if content[name] is None else json.dumps(content[name]) for name in JSON_COLUMNS),
    ]


def _record(row: dict[str, Any]) -> RunRecord:
    """Return a record from its columns. Raises ValueError, TypeError or RecursionError where it is none."""
    measured = {name: row.pop(name) for name in MEASURED}
    parsed = {name: row[name] and _parsed(row[name]) for name in JSON_COLUMNS}
    return RunRecord.model_validate({**row, **parsed, "measured": measured})


def _parsed(text: str) -> Any:
    """Return what JSON says; half of a character, which no file could hold, is refused. Raises ValueError."""
    value = json.loads(text)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()
    return value
