"""The cache: a file is taken only if it proves to be what it should be, and nobody else could have written it."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from runner import ROOT, buchi
from test_backends import counter, states_of
from test_parsers import GRAMMAR, parse

from buchi.models import backends, cache
from buchi.models.backends import Backend, build


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder of its own, not made yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache._warn.cache_clear()
    return tmp_path / "cache" / "buchi"


def count(limit: int) -> int:
    """Return the number of states of a compiled counter: one more than its limit."""
    built = build(counter(limit), Backend.COMPILED)
    assert built.backend is Backend.COMPILED
    return states_of(built.engine)


def library_of(home: Path) -> Path:
    (library,) = (home / "models").iterdir()
    return library


def test_the_folders_are_the_users_own(home: Path) -> None:
    count(11)
    parse(GRAMMAR, "a")
    for folder in (home, home / "models", home / "parsers"):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert library_of(home).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("part", [0.0, 0.5, 0.999])
def test_a_library_cut_short_is_built_anew(home: Path, part: float) -> None:
    assert count(12) == 13
    library = library_of(home)
    whole = library.read_bytes()
    library.write_bytes(whole[: int(part * len(whole))])
    assert run(12) == 13
    assert library.read_bytes()[: len(whole) // 2] == whole[: len(whole) // 2]


def test_a_changed_library_is_built_anew(home: Path) -> None:
    count(13)
    library = library_of(home)
    content = bytearray(library.read_bytes())
    content[len(content) // 2] ^= 1
    library.write_bytes(content)
    assert run(13) == 14


def test_the_library_of_another_model_is_not_taken(home: Path) -> None:
    count(254)
    other = library_of(home).read_bytes()
    library_of(home).unlink()
    count(42)
    library_of(home).write_bytes(other)
    assert run(42) == 43


def run(limit: int) -> int:
    """Count in a process of its own: a library once loaded is not read again, and one that is damaged can crash."""
    code = f"import sys; sys.path.insert(0, 'tests')\nfrom test_cache import count\nprint(count({limit}))\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


class Harm:
    """Runs something when it is unpickled."""

    def __init__(self, sign: Path) -> None:
        self.sign = sign

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.sign,))


@pytest.mark.parametrize("name", ["words.lark", "words.tables"])
def test_no_file_in_the_cache_is_run(home: Path, tmp_path: Path, name: str) -> None:
    parse(GRAMMAR, "a")
    (home / "parsers" / name).write_bytes(pickle.dumps(Harm(tmp_path / "sign")))
    assert parse(GRAMMAR, "a") == ["a"]
    assert not (tmp_path / "sign").exists()


def test_the_tables_of_another_grammar_are_not_taken(home: Path) -> None:
    parse(GRAMMAR, "a")
    parse(GRAMMAR.replace("a-z", "0-9"), "1")
    assert parse(GRAMMAR, "a") == ["a"]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_may_write_is_not_used(
    home: Path, mode: int, caplog: pytest.LogCaptureFixture
) -> None:
    count(21)
    library_of(home).write_bytes(b"")
    (home / "models").chmod(mode)
    assert count(21) == 22
    assert count(21) == 22
    assert library_of(home).read_bytes() == b""
    (message,) = [record.message for record in caplog.records]
    assert "others may write" in message


def test_a_file_that_others_may_write_is_not_taken(home: Path) -> None:
    count(22)
    library_of(home).chmod(0o666)
    before = library_of(home).stat().st_ino
    assert count(22) == 23
    assert library_of(home).stat().st_ino != before


def test_what_belongs_to_another_user_is_not_used(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    count(23)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert count(23) == 24
    assert "another user" in caplog.text


def test_a_link_in_place_of_a_library_is_not_followed(home: Path, tmp_path: Path) -> None:
    count(24)
    library = library_of(home)
    elsewhere = tmp_path / "elsewhere"
    library.rename(elsewhere)
    library.symlink_to(elsewhere)
    assert count(24) == 25
    assert not library.is_symlink()


def test_a_pipe_in_place_of_a_library_does_not_block(home: Path) -> None:
    count(25)
    library = library_of(home)
    library.unlink()
    os.mkfifo(library)
    assert count(25) == 26


def file_in_the_way(home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.write_text("in the way")


def dangling_link(home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.symlink_to(home.parent / "nowhere")


def link_to_itself(home: Path) -> None:
    home.parent.mkdir(parents=True)
    home.symlink_to(home)


def read_only(home: Path) -> None:
    home.mkdir(parents=True)
    home.chmod(0o500)


@pytest.mark.parametrize("obstacle", [file_in_the_way, dangling_link, link_to_itself, read_only])
def test_a_cache_that_cannot_be_is_no_obstacle(
    home: Path, obstacle: object, caplog: pytest.LogCaptureFixture
) -> None:
    assert callable(obstacle)
    obstacle(home)
    assert parse(GRAMMAR, "a") == ["a"]
    assert count(31) == 32
    assert not caplog.records


def test_nor_is_a_home_that_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that is not absolute would be one in the folder where the program happens to run."""
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.chdir(tmp_path)
    assert count(32) == 33
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("variables", [["HOME"], ["HOME", "XDG_CACHE_HOME"]])
def test_without_home(tmp_path: Path, variables: list[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in variables}
    model = tmp_path / "m.dve"
    model.write_text(
        "byte a[9]; process P { state q; init q; trans q -> q { effect a[0] = 1; }; } system async;"
    )
    command = [sys.executable, "-m", "buchi", "explore", model, "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"states":2' in done.stdout.replace(" ", "")


def test_a_full_disk_is_no_obstacle(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept as a whole is not kept at all."""

    def full(descriptor: int, *_arguments: object) -> None:
        os.close(descriptor)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "open", full, raising=False)
    assert count(33) == 34
    assert parse(GRAMMAR, "a") == ["a"]
    assert not [*(home / "models").iterdir(), *(home / "parsers").iterdir()]


def test_a_limit_on_the_size_of_files_is_no_obstacle(home: Path) -> None:
    """The library is larger than may be written: nothing is compiled, and the model is interpreted."""
    code = (
        "import resource, sys; sys.path.insert(0, 'tests')\n"
        "from test_backends import counter, states_of\n"
        "from buchi.models.backends import build\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "built = build(counter(34))\n"
        "print(states_of(built.engine), built.backend.value, built.note)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("35 interpreted the model is interpreted"), done.stderr


def test_eight_processes_compile_one_new_model(home: Path) -> None:
    code = "import sys; sys.path.insert(0, 'tests')\nfrom test_cache import count\nprint(count(35))\n"
    running = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    assert [process.communicate()[0] for process in running] == ["36\n"] * 8
    library_of(home)


def test_the_doctor_says_why_the_cache_is_not_used(home: Path) -> None:
    (home / "models").mkdir(parents=True)
    (home / "models").chmod(0o777)
    assert "others may write" in buchi("doctor").out
    (home / "models").chmod(0o700)
    assert str(backends.cache_folder()) in buchi("doctor").out
