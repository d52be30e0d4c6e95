"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from report_records import record
from runner import buchi

from buchi.common.errors import InputError
from buchi.pipeline.experiments.store import Store
from buchi.pipeline.whole_files import written_whole


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_new_takes_the_place_of_the_old(tmp_path):
    file = tmp_path / "page.html"
    file.write_text("old")
    file.chmod(0o640)
    with written_whole(file) as written:
        written.write("nü\r\n")
        written.flush()
        assert file.read_text() == "old"
    assert file.read_bytes() == "nü\r\n".encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["page.html"]


def test_bytes_go_through_the_buffer(tmp_path):
    with written_whole(tmp_path / "x") as written:
        written.buffer.write(b"\xff\0")
    assert (tmp_path / "x").read_bytes() == b"\xff\0"


def test_a_new_file_has_the_usual_mode(tmp_path):
    (tmp_path / "usual").write_text("")
    with written_whole(tmp_path / "new"):
        pass
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_what_ends_the_block_leaves_the_old(tmp_path, kind):
    file = tmp_path / "page.html"
    file.write_text("old")
    with pytest.raises(kind), written_whole(file):
        raise kind
    assert (file.read_text(), names(tmp_path)) == ("old", ["page.html"])


def test_a_full_disk_leaves_the_old(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "page.html"
    file.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"page.html: cannot be written: No space left"), written_whole(file):
        pass
    assert (file.read_text(), names(tmp_path)) == ("old", ["page.html"])


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    link, goal = tmp_path / "link", tmp_path / "real" / "goal"
    link.symlink_to(goal)
    with written_whole(link) as written:
        written.write("new")
    assert (link.is_symlink(), goal.read_text(), names(goal.parent)) == (True, "new", ["goal"])


def test_what_is_no_file_is_written_to():
    with pytest.raises(InputError, match="No space left"), written_whole(Path("/dev/full")) as written:
        written.write("lost")
    code = "from pathlib import Path; from buchi.pipeline.whole_files import written_whole\n"
    code += "with written_whole(Path('/dev/stdout')) as file: file.write('here')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "here"


def test_a_folder_is_named(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "x"):
        with pytest.raises(InputError, match="cannot be written"), written_whole(path):
            pass
    assert names(tmp_path) == []


FILES = [
    "report --html",
    "report --latex",
    "report --pdf",
    "report --svg",
    "export --csv",
    "export --parquet",
]


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store.open(path) as store:
        store.add(record(route="tgba"))
        store.add(record(route="ta"))
    return path


@pytest.mark.parametrize("command", FILES)
def test_every_file_of_ours_is_written_whole(tmp_path, results, monkeypatch, command):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder = tmp_path / "out"
    folder.mkdir()
    name, option = command.split()
    target = folder if option == "--svg" else folder / "file"
    old = folder / ("cactus-seconds.svg" if option == "--svg" else "file")
    old.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    ended = buchi(name, results, option, target)
    assert (ended.code, "No space left" in ended.err) == (2, True), ended
    assert (old.read_text(), names(folder)) == ("old", [old.name])
    monkeypatch.undo()
    assert buchi(name, results, option, target).code == 0
    assert old.stat().st_size > 100
    assert not [name for name in names(folder) if name.endswith(".part")]
