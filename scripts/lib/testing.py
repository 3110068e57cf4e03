"""What the tests of several programs need: a fake engine, a killer of workers, a look at pages."""

import io
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

import psutil

SCRIPTS = Path(__file__).resolve().parents[1]
FAKE_PROGRAM = SCRIPTS / "lib" / "fake_engine.py"
FAKE = f"{sys.executable} {FAKE_PROGRAM}"  # the command of a GTP engine

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OUTSIDE = ('src="http', 'href="http', "url(http", "@import", "<script")  # what no page may need


def kill_a_worker(word: str) -> None:
    """Wait for a process below this one with a child in whose command the word is, and kill it."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if any(word in " ".join(below.cmdline()) for below in child.children()):
                    child.kill()
                    return
        time.sleep(0.02)


class Balanced(HTMLParser):
    """Fails where an element ends that is not the innermost one."""

    def __init__(self):
        super().__init__()
        self._open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br", "input"):
            self._open.append(tag)

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            raise ValueError(f"line {self.getpos()[0]}: stray </{tag}>")


def check_page(page: str) -> None:
    """Raises a `ValueError` for a page that is no sound HTML or needs another file."""
    for piece in OUTSIDE:
        if piece in page:
            raise ValueError(f"the page needs something outside: {piece}")
    Balanced().feed(page)


def inked_share(page: str, width: int, height: int) -> float:
    """The share of the pixels, as headless Chromium shows the page, that are unlike the first one."""
    from matplotlib import image  # pylint: disable=import-outside-toplevel  # slow, and few tests need it

    with tempfile.TemporaryDirectory() as folder:
        path, picture = Path(folder) / "page.html", Path(folder) / "page.png"
        path.write_text(page, encoding="utf-8")
        subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--window-size={width},{height}", f"--user-data-dir={folder}/profile",
                        f"--screenshot={picture}", path.as_uri()],
                       capture_output=True, check=True, timeout=120)
        pixels = image.imread(io.BytesIO(picture.read_bytes()), format="png")
    return float((pixels != pixels[0, 0]).any(axis=-1).mean())
