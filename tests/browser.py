"""A real browser, driven over the DevTools protocol through two pipes: nothing to install but Chromium itself."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_FLAGS = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--mute-audio",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0


class PageError(Exception):
    """A script of the page, or one of the test, raised an exception."""


class Browser:
    """A page in a browser; `problems` are what its console had to complain about."""

    def __init__(self, process: subprocess.Popen[bytes], write: int, read: int) -> None:
        self._process, self._write, self._read = process, write, read
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        self.requests: list[str] = []

    def attach(self) -> None:
        """Make a page, and listen to it."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 1 << 20)
            assert chunk, "the browser is gone"
            self._buffer += chunk
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = dict(json.loads(text))
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, event: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.problems.append(str(event["exceptionDetails"]))
        if method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.problems.append(str(event["args"]))
        if method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            self.problems.append(str(event["entry"]))
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise PageError(found["exceptionDetails"])
        return found["result"].get("value")

    def wait_for(self, condition: str) -> Any:
        """Wait until an expression is true, and return its value."""
        deadline = time.monotonic() + PATIENCE
        while not (value := self.run(condition)):
            assert time.monotonic() < deadline, f"in vain: {condition}; {self.problems}"
            time.sleep(0.02)
        return value

    def open(self, path: Path) -> None:
        """Open a file, and wait until it says that it is ready."""
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("location.protocol === 'file:' && document.documentElement?.dataset.ready")

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        """Give the page this size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=False,
        )

    def scheme(self, name: str) -> None:
        """Prefer `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def move(self, x: float, y: float) -> None:
        """Move the pointer there, in pixels of the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key: str) -> None:
        """Press a key such as `ArrowRight`."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def picture(self, path: Path, whole: bool = False) -> None:
        """Write a picture of the window, or of the whole page."""
        found = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start a browser without network, and end it. It reads commands from descriptor 3 and answers on 4."""
    assert PROGRAM is not None
    to_read, write = os.pipe()
    read, to_write = os.pipe()
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, to_write)]
    for end in (to_read, to_write):
        os.close(end)
    flags = [*_FLAGS, f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        flags.append("--no-sandbox")
    process = subprocess.Popen(
        [PROGRAM, *flags, "about:blank"],
        pass_fds=(3, 4),
        preexec_fn=lambda: [os.dup2(end, place) for end, place in zip(theirs, (3, 4), strict=True)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for end in theirs:
        os.close(end)
    made = Browser(process, write, read)
    try:
        made.attach()
        yield made
    finally:
        process.terminate()
        process.wait(timeout=30)
        os.close(write)
        os.close(read)


@contextmanager
def opened(page: Browser, file: Path) -> Iterator[Browser]:
    """Open a file in a page, and make sure afterwards that nothing went wrong in it."""
    page.problems.clear()
    page.requests.clear()
    page.open(file)
    yield page
    assert page.problems == []
