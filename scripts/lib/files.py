"""Files with results: written whole or not at all, and tried before the work that they are for."""

import errno
import os
from pathlib import Path


class FileError(Exception):
    """A file that cannot be written; the text names it and says why."""


def check_writable(path: Path) -> None:
    """Find out before the work begins. Makes the folder; raises `FileError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if _is_whole(path):
            _partial(path).write_bytes(b"")
            _partial(path).unlink()
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole, or leave it as it was. Raises `FileError`."""
    data = content.encode() if isinstance(content, str) else content
    try:
        if not _is_whole(path):
            path.write_bytes(data)
            return
        try:
            _partial(path).write_bytes(data)
            _partial(path).replace(path)
        finally:
            _partial(path).unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from None


def _is_whole(path: Path) -> bool:
    """A device or a pipe must not be replaced by a file."""
    return path.is_file() or not path.exists()


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}")
