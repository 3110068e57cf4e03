"""A GTP 2 controller that survives any engine.

`Engine` starts a program and talks to it. Whatever the program does instead of answering
(it dies, hangs, prints something that is no GTP) becomes one of three exceptions with a
one-line text for people; a proper `?` answer is no exception but a `Response`.
Two threads drain the engine's stdout and stderr, so neither side can block the other.
Standard library only.
"""

import itertools
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from dataclasses import dataclass

LINE_BYTES_MAX = 1 << 20
LINES_MAX = 10_000  # of one response, and of unread output: beyond it an engine is taken for mad
QUIT_SECONDS = 2.0  # what an engine gets to leave by itself

RESPONSE_HEAD = re.compile(r"([=?])(\d*)(?:[ \t]+|$)")


class EngineError(Exception):
    """The engine failed as a program; `kind` is one word for it, the text says how."""

    kind = "failure"


class EngineDied(EngineError):
    """It could not be started, or it closed its output."""

    kind = "crash"


class EngineTimeout(EngineError):
    """It did not answer in time."""

    kind = "hang"


class EngineGarbage(EngineError):
    """It printed something that is not the response that GTP asks for."""

    kind = "garbage"


@dataclass(frozen=True)
class Response:
    """One answer: `=` (ok) or `?`, the text trimmed, and the wall seconds it took."""

    ok: bool
    text: str
    seconds: float

    def __str__(self) -> str:
        return self.text if self.ok else f"? {self.text}".rstrip()


class Engine:
    """A running GTP engine. Use it in a `with` block, which ends it in any case."""

    def __init__(self, command: str, cwd: str | os.PathLike | None = None, timeout: float = 60.0):
        """Start `command` (split as a shell would); `timeout` is the default for an answer."""
        self.timeout = timeout
        self._ids = itertools.count(1)
        self._lines: queue.Queue[str | None] = queue.Queue()  # None: end of output
        self._log: deque[str] = deque(maxlen=20)
        self._commands: frozenset[str] | None = None
        self._failed = False  # it need not be asked to quit any more
        try:
            self._process = subprocess.Popen(
                absolute_words(shlex.split(command)),
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that `close` reaches an engine behind a wrapper
            )
        except (OSError, ValueError) as error:
            raise EngineDied(f"cannot start engine `{command}`: {error}") from None
        self._threads = [threading.Thread(target=reader, daemon=True)
                         for reader in (self._read_output, self._read_log)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Process id, for CPU accounting."""
        return self._process.pid

    def send(self, command: str, timeout: float | None = None) -> Response:
        """Send one command and wait for its answer.

        Raises an `EngineError` where there is none; the engine is of no use afterwards.
        """
        try:
            return self._exchange(command, self.timeout if timeout is None else timeout)
        except EngineError:
            self._failed = True
            raise

    def lists(self, name: str) -> bool:
        """Whether the engine's `list_commands` names the command."""
        if self._commands is None:
            response = self.send("list_commands")
            self._commands = frozenset(response.text.split()) if response.ok else frozenset()
        return name in self._commands

    def close(self) -> None:
        """Ask the engine to quit, then make sure that it and its children are gone."""
        try:
            self._process.stdin.write(b"quit\n")
            self._process.stdin.close()
            self._process.wait(0 if self._failed else QUIT_SECONDS)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            pass
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                stream.close()
            except OSError:
                pass

    def _exchange(self, command: str, timeout: float) -> Response:
        number = next(self._ids)
        start = time.monotonic()
        self._write(f"{number} {command}\n", command)
        head, *rest = self._read_response(command, start + timeout)
        seconds = time.monotonic() - start
        match = RESPONSE_HEAD.match(head)
        if not match:
            raise EngineGarbage(f"engine printed {_short(head)} in answer to `{command}`")
        if match[2] != str(number):
            raise EngineGarbage(f"engine answered id {match[2] or 'none'} to id {number} `{command}`")
        text = "\n".join([head[match.end():], *rest])
        return Response(match[1] == "=", text.strip(), seconds)

    def _write(self, line: str, command: str) -> None:
        try:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineDied(self._obituary(command)) from None

    def _read_response(self, command: str, deadline: float) -> list[str]:
        """The lines of the next response, without the empty line that ends it."""
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise EngineTimeout(f"no answer in time to `{command}`") from None
            if line is None:
                raise EngineDied(self._obituary(command))
            if line:
                lines.append(line)
                if len(lines) == 1 and not RESPONSE_HEAD.match(line):
                    return lines  # garbage need not end with an empty line
                if len(lines) > LINES_MAX:
                    raise EngineGarbage(f"endless answer to `{command}`")
            elif lines:
                return lines  # empty lines before a response are forgiven

    def _read_output(self) -> None:
        while raw := self._process.stdout.readline(LINE_BYTES_MAX):
            self._lines.put(raw.decode("utf-8", "replace").rstrip("\r\n"))
            if len(raw) == LINE_BYTES_MAX or self._lines.qsize() > LINES_MAX:
                break  # it would fill the memory
        self._lines.put(None)

    def _read_log(self) -> None:
        while raw := self._process.stderr.readline(LINE_BYTES_MAX):
            self._log.append(raw.decode("utf-8", "replace").rstrip())

    def _obituary(self, command: str) -> str:
        """Why there is no engine any more, with the last thing that it said."""
        try:
            status = f"exit status {self._process.wait(1.0)}"
        except subprocess.TimeoutExpired:
            status = "still running, but its output is closed"
        self._threads[1].join(1.0)
        last_words = next((line for line in reversed(self._log) if line), "")
        return f"engine died at `{command}` ({status})" + (f": {_short(last_words)}" if last_words else "")


def absolute_words(words: list[str]) -> list[str]:
    """Words that name existing files by a path, made absolute: the engine may run elsewhere."""
    return [os.path.abspath(word) if os.sep in word and os.path.exists(word) else word
            for word in words]


def _short(text: str, length_max: int = 100) -> str:
    return repr(text if len(text) <= length_max else text[:length_max] + "...")
