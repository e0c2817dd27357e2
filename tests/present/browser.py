"""A browser for tests: headless Chromium by the WebDriver protocol, which is JSON over HTTP and needs no library."""

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import ProxyHandler, Request, build_opener

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "chromedriver"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the protocol gives elements
KEYS = {"tab": "\ue004", "enter": "\ue007", "space": " ", "end": "\ue010", "home": "\ue011",
        "left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015", "backspace": "\ue003"}  # fmt: skip
PATIENCE = 30  # seconds


def missing() -> str:
    """What this machine lacks; nothing if tests can run."""
    if shutil.which(DRIVER) is None:
        return f"no {DRIVER} on this machine"
    return "" if _browser() else "no Chromium on this machine"


def _browser() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


class Page:
    """One open window."""

    def __init__(self, session: str) -> None:
        self._session = session

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return _ask(method, f"{self._session}/{path}", body)

    def open(self, path: Path, fragment: str = "") -> None:
        self.call("POST", "url", {"url": "about:blank"})  # else another fragment alone would load nothing
        self.call("POST", "url", {"url": path.as_uri() + fragment})

    def size(self, width: int, height: int, dark: bool = False) -> None:
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._chrome("Emulation.setDeviceMetricsOverride", screen)
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._chrome("Emulation.setEmulatedMedia", {"features": features})

    def find(self, selector: str) -> str:
        return str(self.call("POST", "element", {"using": "css selector", "value": selector})[ELEMENT])

    def click(self, selector: str) -> None:
        self.call("POST", f"element/{self.find(selector)}/click", {})

    def text(self, selector: str) -> str:
        return str(self.call("GET", f"element/{self.find(selector)}/text"))

    def press(self, *keys: str) -> None:
        """Press and release each key, wherever the focus is: a name in KEYS, or text."""
        letters = [letter for key in keys for letter in (KEYS.get(key) or key)]
        moves = [{"type": kind, "value": letter} for letter in letters for kind in ("keyDown", "keyUp")]
        self.call("POST", "actions", {"actions": [{"type": "key", "id": "keys", "actions": moves}]})

    def script(self, text: str, *arguments: object) -> Any:
        return self.call("POST", "execute/sync", {"script": text, "args": list(arguments)})

    def picture(self) -> bytes:
        return base64.b64decode(self.call("GET", "screenshot"))

    def whole_picture(self) -> bytes:
        """The page from top to bottom."""
        found = self._chrome("Page.captureScreenshot", {"captureBeyondViewport": True})
        return base64.b64decode(found["data"])

    def complaints(self) -> list[str]:
        """What the browser has complained of since this was last asked."""
        return [entry["message"] for entry in self.call("POST", "se/log", {"type": "browser"})]

    def print(self) -> bytes:
        return base64.b64decode(self.call("POST", "print", {"page": {"width": 21, "height": 29.7}}))

    def _chrome(self, command: str, values: dict[str, Any]) -> Any:
        return self.call("POST", "goog/cdp/execute", {"cmd": command, "params": values})


@contextmanager
def new_page(folder: Path) -> Iterator[Page]:
    """Start a browser that has no network, and end it; it keeps what it writes in `folder`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        top = f"http://127.0.0.1:{port}"
        _wait(f"{top}/status")
        switches = _switches(folder)
        chrome = {
            "goog:chromeOptions": {"binary": _browser(), "args": switches},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        opened = _ask("POST", f"{top}/session", {"capabilities": {"alwaysMatch": chrome}})
        session = f"{top}/session/{opened['sessionId']}"
        try:
            yield Page(session)
        finally:
            _ask("DELETE", session)
    finally:
        driver.terminate()
        driver.wait(PATIENCE)


def _switches(folder: Path) -> Sequence[str]:
    return (
        "--headless=new",
        "--no-sandbox",  # containers have no rights to make one
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--proxy-server=127.0.0.1:9",  # nothing listens there: a page that asks for something gets nothing
        f"--user-data-dir={folder}",
    )


def _wait(address: str) -> None:
    for _ in range(PATIENCE * 20):
        try:
            if _ask("GET", address)["ready"]:
                return
        except URLError:
            pass
        time.sleep(0.05)
    raise TimeoutError(f"{DRIVER} does not answer")


def _ask(method: str, address: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(address, data, {"Content-Type": "application/json"}, method=method)
    with build_opener(ProxyHandler({})).open(request, timeout=2 * PATIENCE) as answer:
        return json.load(answer)["value"]
