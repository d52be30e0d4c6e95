"""What a script can rely on, whatever happens: the exit code, one JSON object, the limits, and no process left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from runner import BLOW_UP, PETERSON, buchi, finish, is_searching, long_run, peak, start, worker

HOLDS = ["check", str(PETERSON), "--ltl", "G !(A.critical && B.critical)"]
VIOLATED = ["check", str(PETERSON), "--ltl", "G F A.critical"]
BAD = ["check", str(PETERSON), "--ltl", "G F A.nowhere"]
COMMAND = [sys.executable, "-m", "buchi"]


def shell(command: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in which "$@" is the command `buchi`."""
    return subprocess.run(
        ["sh", "-c", command, "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
        check=False,
    )


def is_gone(pid: int) -> bool:
    """Has a process ended? One that nobody waited for yet counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_until(condition, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


class TestDescriptors:
    """Whoever reads, and whether anybody does, changes no verdict."""

    @pytest.mark.parametrize(
        ("arguments", "code", "option"),
        [(HOLDS, 0, []), (VIOLATED, 1, []), (VIOLATED, 1, ["--json"]), (BAD, 2, ["--json"])],
    )
    def test_a_reader_that_goes_away(self, arguments, code, option):
        line = '{ "$@"; echo "code $?" >&2; } | head -c 1 > /dev/null'
        assert f"code {code}\n" in shell(line, *arguments, *option).stderr

    def test_a_reader_that_goes_away_from_a_table(self):
        done = shell('{ "$@"; echo "code $?" >&2; } | true', "plugins")
        assert "code 0\n" in done.stderr

    @pytest.mark.parametrize(
        ("where", "arguments"),
        [
            ("/dev/full", HOLDS),
            ("/dev/full", [*VIOLATED, "--json"]),
            ("&-", VIOLATED),
            ("&-", [*HOLDS, "--json"]),
        ],
    )
    def test_a_result_that_is_lost_is_no_verdict(self, where, arguments):
        done = shell(f'"$@" >{where}', *arguments)
        assert done.returncode == 2
        assert "error: cannot write the result: " in done.stderr
        assert where != "/dev/full" or done.stderr.endswith(": No space left on device\n")

    @pytest.mark.parametrize(
        ("where", "arguments", "code"),
        [("/dev/full", VIOLATED, 1), ("/dev/full", BAD, 2), ("&-", HOLDS, 0), ("&-", BAD, 2)],
    )
    def test_standard_error_that_cannot_be_written(self, where, arguments, code):
        assert shell(f'"$@" 2>{where}', *arguments).returncode == code

    def test_all_descriptors_closed(self):
        assert shell('"$@" <&- >&- 2>&-', *BAD).returncode == 2

    def test_a_locale_that_lacks_the_letters(self):
        done = shell('"$@"', *VIOLATED, LC_ALL="C", PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
        assert done.returncode == 1
        assert "back in state" in done.stdout


class TestOneObject:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["check", "--json"],
            ["check", "nothing.dve", "--json"],
            ["check", str(PETERSON), "--json", "--no-such-option"],
            ["check", str(PETERSON), "--json", "--ltl", "a", "--ltl", "b"],
            ["explore", str(PETERSON), "--json", "--timeout", "soon"],
            ["translate", "G (", "--to", "ta", "--format", "json"],
            ["translate", "G a", "--to", "ta", "--format=json", "--no-such-option"],
            ["no-such-command", "--json"],
            ["doctor", "--json"],
            ["plugins", "--json"],
            ["compare", str(PETERSON), "--ltl", "G nowhere", "--json"],
        ],
        ids=" ".join,
    )
    def test_and_nothing_else(self, arguments):
        self.assert_one_object(buchi(*arguments))

    @pytest.mark.parametrize("arguments", [["check", "nothing.dve", "--json"], ["doctor", "--json"]])
    def test_also_from_a_process_of_its_own(self, arguments):
        self.assert_one_object(finish(start(*arguments)))

    def assert_one_object(self, ended):
        assert isinstance(ended.json, dict)
        assert ended.code in (0, 2)
        assert (ended.code == 2) == ("error" in ended.json)

    def test_an_option_given_twice_is_refused(self):
        ended = buchi(*HOLDS, "--via", "tgba", "--via", "ta")
        assert (ended.code, ended.out, "--via is given twice" in ended.err) == (2, "", True)

    @pytest.mark.parametrize("interrupts", [1, 3])
    def test_a_slow_reader_and_impatience(self, tmp_path, interrupts):
        """More than a pipe holds has to be written when the interrupts come."""
        model = tmp_path / "long.dve"
        model.write_text(long_run(3))
        process = start("check", model, "--ltl", "F x == 1000", "--json")
        assert process.stdout is not None
        head = os.read(process.stdout.fileno(), 1).decode()
        for _ in range(interrupts):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        rest = finish(process)
        assert rest.code == 1
        assert json.loads(head + rest.out)["verdict"] == "violated"


class TestSignals:
    def test_the_end_of_the_one_who_watches_is_that_of_the_child(self, counter):
        process = start("explore", counter, "--backend", "interpreted")
        wait_until(lambda: is_searching(process))
        child = worker(process)
        assert child is not None
        process.kill()
        process.communicate()
        wait_until(lambda: is_gone(child), seconds=2)

    def test_a_child_that_is_killed(self, counter):
        process = start("explore", counter, "--backend", "interpreted", "--json")
        wait_until(lambda: is_searching(process))
        os.kill(worker(process) or 0, signal.SIGKILL)
        ended = finish(process)
        assert (ended.code, ended.json["reason"]) == (3, "memory")

    def test_an_ignored_interrupt_stays_ignored(self, counter):
        """As `nohup` and shells have it for what runs in the background."""
        line = "trap '' INT; exec \"$@\""
        process = subprocess.Popen(
            ["sh", "-c", line, "sh", *COMMAND, "explore", str(counter), "--max-states", "2000000"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        wait_until(lambda: is_searching(process))
        process.send_signal(signal.SIGINT)
        assert "the limit on states was reached" in process.communicate(timeout=60)[0]
        assert process.returncode == 3


class TestPlugins:
    @pytest.mark.parametrize(
        ("action", "code", "words"),
        [
            ("sys.exit(1)", 2, "a plugin tried to end the program"),
            ("os._exit(0)", 4, "searching (evil) ended in a crash"),
            ("os.kill(os.getpid(), signal.SIGSEGV)", 4, "searching (evil) ended in a crash (SIGSEGV)"),
            ("bytearray(1 << 40)", 3, "memory"),
            ("print('noise') or time.sleep(0)", 0, ""),
        ],
    )
    def test_that_do_what_they_should_not(self, plugin, action, code, words):
        ended = finish(start(*HOLDS, "--checker", "evil", "--json", **plugin(action)))
        assert ended.code == code, ended
        assert words in ended.err + ended.out
        assert isinstance(ended.json, dict)

    @pytest.mark.parametrize("action", ["time.sleep(100)", "while True: pass"])
    def test_that_never_return(self, plugin, action):
        began = time.monotonic()
        ended = finish(start(*HOLDS, "--checker", "evil", "--json", "--timeout", "1", **plugin(action)))
        assert (ended.code, ended.json["verdict"], ended.json["reason"]) == (3, "unknown", "time")
        assert time.monotonic() - began < 10

    def test_that_cannot_be_loaded(self, plugin, tmp_path):
        environment = plugin("pass")
        (tmp_path / "evil.py").write_text("import sys; sys.exit(1)")
        ended = finish(start("plugins", "--json", **environment))
        assert ended.code == 0
        assert ended.json["buchi.checkers"]["broken"][0]["entry"] == "evil"


class TestLimits:
    def test_time_in_a_translation(self):
        began = time.monotonic()
        ended = finish(start("check", PETERSON, "--ltl", BLOW_UP, "--timeout", "1", "--json"))
        assert (ended.code, ended.json["verdict"], ended.json["reason"]) == (3, "unknown", "time")
        assert time.monotonic() - began < 10

    def test_time_in_the_compiler(self, tmp_path, counter):
        """It is ended with all that it has started."""
        compiler, note = tmp_path / "cc", tmp_path / "pid"
        compiler.write_text(f"#!/bin/sh\nsleep 60 & echo $! > {note}\nwait\n")
        compiler.chmod(0o755)
        cache = {"CC": str(compiler), "XDG_CACHE_HOME": str(tmp_path)}
        ended = finish(start("explore", counter, "--timeout", "1", "--json", **cache))
        assert (ended.code, ended.json["reason"]) == (3, "time")
        assert "while preparing the model" in ended.err
        wait_until(lambda: is_gone(int(note.read_text())), seconds=5)

    def test_a_fifo_that_nobody_writes(self, tmp_path):
        path = tmp_path / "model.dve"
        os.mkfifo(path)
        ended = finish(start("explore", path, "--timeout", "0.5", "--json"))
        assert (ended.code, ended.json["reason"]) == (3, "time")

    def test_devices_are_not_read(self):
        for arguments in (["explore", "/dev/zero"], [*HOLDS[:2], "--automaton", "/dev/zero"]):
            assert buchi(*arguments, "--json").code == 2

    @pytest.mark.parametrize("limit", ["1MB", "200MB"])
    def test_a_small_model_needs_little_memory(self, limit):
        assert finish(start(*VIOLATED, "--max-memory", limit, "--json")).code == 1

    def test_memory_of_everything(self, tmp_path):
        """A counterexample of 150 000 steps: found by little, but long to tell."""
        model = tmp_path / "long.dve"
        model.write_text(long_run(150))
        code, most = peak("check", model, "--ltl", "F x == 1000", "--max-memory", "100MB", "--json")
        assert code in (1, 3)
        assert most <= 110e6


class TestTerminals:
    NASTY = "\x1b]0;owned\x07\x1b[2J"

    def test_no_escape_sequence_of_a_file_reaches_one(self, tmp_path):
        path = tmp_path / f"a{self.NASTY}.dve"
        path.write_text("byte x = \x1b[2J;")
        hoa = tmp_path / "bad.hoa"
        hoa.write_text(f'HOA: v1\nname: "{self.NASTY}"\nStates: {self.NASTY}\n')
        for arguments in (
            ["explore", path],
            [*HOLDS[:2], "--automaton", hoa],
            ["translate", "--automaton", hoa],
        ):
            ended = buchi(*arguments, FORCE_COLOR="1")
            assert ended.code == 2
            assert "\x1b]" not in ended.err + ended.out
            assert "\x1b[2J" not in ended.err + ended.out

    def test_json_escapes_them(self, tmp_path):
        ended = buchi("explore", tmp_path / "a\x9b2J\x7f.dve", "--json")
        assert ended.code == 2
        assert "\x9b" not in ended.out
        assert "\x9b2J\x7f.dve" in ended.json["error"]
